"""The Portuguese vocabulary of the reconciler, of Brazil and of Portugal: verbs that act, and verbs that do not."""

from .phrases import vocabulary

ACTIONS = vocabulary(
    """
    abrir aceder acelerar acertar acessar achar acionar acompanhar acrescentar activar actualizar acudir adaptar
    adequar adiar adicionar adotar aferir afinar agendar agilizar agir agrupar ajustar alimentar alinhar alocar
    alterar alternar amarrar ampliar analisar ancorar anexar anotar anular apagar apanhar aplicar aprimorar
    aprofundar apurar armazenar arquivar arrancar arranjar arrumar assinar associar atacar ativar atribuir atualizar
    auditar aumentar autenticar automatizar avaliar avançar averiguar baixar barrar bater batizar bifurcar bloquear
    buildar buscar cadastrar calcular calibrar cancelar capturar carregar casar catalogar catar cavar centralizar
    certificar chamar checar clicar clonar cobrar cobrir codificar coletar colher colocar começar comitar commitar
    comparar compartilhar compilar completar compor comprar comprimir comunicar concatenar concertar conciliar
    concluir condensar conectar conferir configurar confirmar confrontar consertar consolidar construir consultar
    contabilizar contactar contar contatar continuar contornar converter coordenar copiar correr corrigir cortar
    costurar cotar criar criptografar cronometrar cruzar cuidar dar debugar debulhar decodificar decompor deduplicar
    definir delegar deletar deployar depurar derrubar desacoplar desactivar desativar desbloquear descarregar
    descartar descobrir descodificar descompactar desconectar descriptografar desempacotar desenhar desenrolar
    desenvolver desfazer desinstalar desligar deslocar deslogar desmembrar desmontar despachar despoletar
    despublicar destravar destrinchar detalhar detectar determinar detetar devolver diagnosticar digitalizar digitar
    diminuir direcionar disparar disponibilizar dispor distribuir dividir documentar drenar dropar duplicar editar
    efectuar efetuar elaborar eliminar embutir emitir empacotar encadear encaixar encaminhar encerrar encolher
    encontrar encriptar encurtar enfileirar enganchar entender entrar enviar envolver enxugar equilibrar escalar
    escalonar escanear escoar escolher esconder escrever especificar espelhar espreitar estabilizar estender estimar
    estornar estruturar estudar esvaziar examinar excluir executar exibir expandir experimentar explorar expor
    exportar extrair fabricar faturar faxinar fazer fechar filtrar finalizar fixar forkar formatar forçar fracionar
    fragmentar fundir fuçar garantir garimpar gerar gerir girar gravar guardar habilitar higienizar hospedar
    identificar implantar implementar importar imprimir inativar incluir incorporar indexar informatizar inicializar
    iniciar injetar inserir inspeccionar inspecionar instalar instanciar instrumentar integrar intercalar
    interceptar interromper inventariar inverter investigar invocar ir isolar juntar lançar lapidar ler levantar
    liberar libertar ligar limitar limpar linkar localizar logar mandar manipular mapear marcar mascarar medir
    mensurar mergear mesclar mexer migrar minerar minimizar misturar modelar modificar modularizar moldar monitorar
    monitorizar montar mover mudar mutar navegar negociar nivelar normalizar notificar numerar obter ocultar olhar
    ordenar organizar orquestrar orçar otimizar padronizar pagar parametrizar parsear particionar partilhar partir
    passar pausar pedir pegar peneirar percorrer perguntar permutar persistir pesquisar pingar pivotar planear
    planejar plotar podar posicionar postar povoar preencher preparar preservar printar priorizar processar procurar
    produzir programar promover propagar propor prosseguir proteger prototipar prover providenciar provisionar
    publicar purgar pushar puxar pôr quantificar quebrar ranquear raspar rastrear reabrir reagendar reagrupar
    reajustar realinhar realizar realocar reanalisar reaplicar reapontar reativar reavaliar reaver rebaixar rebasear
    rebobinar recalcular recalibrar recarregar reclassificar recolher recomeçar recompilar recompor reconectar
    reconfigurar reconstruir recontar recortar recriar rectificar recuperar redefinir redesenhar redigir
    redimensionar redirecionar redistribuir reduzir reemitir reencaminhar reenviar reescrever reestruturar
    reexaminar reexecutar refatorar refazer reformatar reformular reforçar regenerar registar registrar regravar
    reimplantar reimportar reimprimir reindexar reinicializar reiniciar reinserir reinstalar reintroduzir relacionar
    relançar reler remapear remarcar remendar remodelar remontar remover renderizar renegociar renomear renovar
    renumerar reordenar reorganizar reparar repassar repetir replanejar replicar repor reportar reposicionar
    reprocessar reproduzir reprogramar republicar requisitar rescrever reservar resetar resgatar resolver responder
    ressincronizar restabelecer restartar restaurar restringir retestar retificar retirar retomar retornar retreinar
    reunir reutilizar revalidar rever reverificar reverter revisar revisitar revogar rodar rotacionar rotear rotular
    sacar salvar sanar sanitizar segmentar seguir selecionar separar serializar setar silenciar simplificar simular
    sinalizar sincronizar sobrescrever solicitar solucionar somar sondar sortear startar stopar subdividir subir
    submeter substituir sumarizar suprimir suspender tabular telefonar tentar terminar testar tirar tocar tokenizar
    trabalhar traduzir tramitar trancar transcrever transferir transformar transportar tratar travar trazer traçar
    treinar triar trocar truncar unificar unir upar usar utilizar vacinar validar varrer vasculhar ver verificar
    versionar vetorizar vincular virar visitar vistoriar visualizar voltar xeretar zerar zipar
    """
)
"""Infinitives of what an assistant does with tools, or does for a customer."""
NOT_ACTING = vocabulary(
    """
    abordar abster aceitar aconselhar acreditar adiantar adivinhar admirar admitir adorar afirmar agradecer aguardar
    ajudar alegar alertar amar antecipar apoiar apontar apostar apreciar aprender apresentar argumentar assegurar
    assinalar assumir atender atentar auxiliar avançar aventar avisar basear brincar caber calar chutar citar
    clarificar colaborar combinar comemorar comentar complementar compreender comprometer conceber concordar confessar
    confiar conhecer conseguir considerar contar contribuir conversar convidar crer cumprimentar dedicar defender
    demonstrar denominar depender desabafar descansar descrever desculpar desejar desistir desmentir destacar detalhar
    dever dialogar discordar discutir dispensar dissertar dizer dormir duvidar elencar elogiar elucidar embasar
    encerrar enfatizar enganar ensinar enumerar errar esclarecer esperar esquecer estabelecer estar evidenciar evitar
    exemplificar explicar explicitar expor expressar falar ficar focar frisar fundamentar generalizar gostar guiar
    haver honrar ignorar ilustrar imaginar informar insistir interpretar introduzir jurar justificar lamentar lembrar
    levar limitar listar manter mencionar mentir merecer morrer mostrar narrar negar notar obedecer observar oferecer
    omitir opinar orientar palpitar parabenizar parafrasear parar parecer pensar perceber perder perdoar permanecer
    permitir poder ponderar pontuar por precisar prefaciar preferir presumir pretender prometer propor pular querer
    reafirmar rebater recapitular recear receber reclamar recomendar reconhecer recordar recusar referir refletir
    reformular reforçar regozijar reiterar relatar relembrar repetir resistir respeitar responder ressaltar resumir
    revelar rir saber salientar sentar sentir ser significar sintetizar situar sofrer sonhar sorrir subentender
    sublinhar sugerir sumarizar supor sustentar temer tender ter torcer tranquilizar transmitir vencer viajar viver
    zoar
    """
)
"""Verbs of speech, thought, state and manners: no act by themselves."""
INFINITIVE_LOOKALIKES = vocabulary(
    """
    amor andar anterior ar autor bar celular circular cluster cor docker dor dólar escolar exterior familiar flor
    hangar inferior interior jantar lar lazer lugar maior mar melhor menor militar motor mulher par parecer
    particular pior poder popular por prazer professor qualquer regular render sequer server servidor setor similar
    singular super superior titular valor valores ímpar
    """
)
IRREGULAR_FIRST = {
    "faço": "fazer", "refaço": "refazer", "desfaço": "desfazer", "trago": "trazer", "ponho": "pôr", "leio": "ler",
    "releio": "reler", "vejo": "ver", "revejo": "rever", "sigo": "seguir", "prossigo": "prosseguir",
    "confiro": "conferir", "insiro": "inserir", "transfiro": "transferir", "peço": "pedir", "meço": "medir",
    "reinicio": "reiniciar", "inicio": "iniciar", "envio": "enviar", "reenvio": "reenviar", "crio": "criar",
    "recrio": "recriar", "copio": "copiar", "descubro": "descobrir", "subo": "subir", "renomeio": "renomear",
    "mapeio": "mapear", "bloqueio": "bloquear", "desbloqueio": "desbloquear", "removo": "remover", "movo": "mover",
    "resolvo": "resolver", "dou": "dar", "reverto": "reverter", "converto": "converter", "repito": "repetir",
    "corrijo": "corrigir", "redirijo": "redirigir", "redijo": "redigir", "submeto": "submeter",
    "construo": "construir", "reconstruo": "reconstruir", "substituo": "substituir", "incluo": "incluir",
    "excluo": "excluir", "concluo": "concluir", "atribuo": "atribuir", "distribuo": "distribuir",
    "extraio": "extrair", "varro": "varrer", "escrevo": "escrever", "reescrevo": "reescrever",
    "preencho": "preencher", "recolho": "recolher", "escolho": "escolher", "abro": "abrir", "reabro": "reabrir",
    "divido": "dividir", "parto": "partir", "uno": "unir", "percorro": "percorrer", "cuido": "cuidar",
    "emito": "emitir", "obtenho": "obter", "proponho": "propor", "exponho": "expor", "traduzo": "traduzir",
    "reproduzo": "reproduzir", "reduzo": "reduzir", "produzo": "produzir", "garanto": "garantir",
    "agilizo": "agilizar", "providencio": "providenciar", "espreito": "espreitar", "procedo": "proceder",
}  # fmt: skip
"""First persons of the present that no rule of endings gives."""
FUTURE_LOOKALIKES = vocabulary(
    """
    acelerei aclarei admirei adulterei agreguei alterei amparei aparei aspirei atirei cancerei comparei considerei
    conspirei cooperei declarei deliberei delirei deparei desacelerei desesperei desmascarei deteriorei disparei
    encarei enumerei equiparei escancarei esclarei esperei estirei exagerei expirei firei gerei girei inserei
    inspirei iterei lacerei liberei libertei macerei mascarei mirei moderei narei numerei operei parei ponderei
    preparei prosperei recuperei refrigerei refuerei regenerei rei reiterei renumerei reparei respirei retirei
    revirei sarei separei superei suspirei temperei tirei tolerei transpirei varei venerei virei vulnerei
    """
)
"""Past tenses that end like futures: alterar → alterei."""
PRESENT_LOOKALIKES = vocabulary(
    """
    acorremos alteremos comparemos consideremos corremos esclaremos esperemos extremos geremos liberemos morremos
    ocorremos operemos paremos percorremos preparemos queremos recorremos recuperemos remos reparemos requeremos
    retiremos separemos socorremos supremos tiremos varremos veremos viremos
    """
)
FUTURE_STEMS = {
    "fa": "fazer", "refa": "refazer", "desfa": "desfazer", "satisfa": "satisfazer", "di": "dizer", "tra": "trazer",
    "po": "pôr", "propo": "propor", "expo": "expor", "dispo": "dispor", "repo": "repor", "compo": "compor",
    "impo": "impor", "transpo": "transpor", "sobrepo": "sobrepor", "contrapo": "contrapor",
}  # fmt: skip

ARTIFACTS = vocabulary(
    """
    ambiente arquivo arquivos banco bancos branch branches bucket buckets chamado chamados coluna colunas commit
    commits configuração container containers conteudo conteúdo contêiner contêineres dependências directório
    diretorio diretório diretórios entradas esquema esquemas ficheiro ficheiros fila filas histórico job jobs log
    logs pacote pacotes pasta pastas pedido pedidos pod pods porta portas processo processos registo registos
    registro registros repositório repositórios saída schema schemas serviços tabela tabelas usuários utilizadores
    volume volumes
    """
)

NOT_PROGRESSING = vocabulary(
    """
    aceitando achando acontecendo acreditando adorando agindo agradecendo aguardando ainda amando apreciando
    assumindo baseando baseando-se brincando caindo chegando citando comando compreendendo concordando confiando
    conhecendo conseguindo considerando contando convencendo crendo curtindo dando deduzindo demorando dependendo
    descrevendo desejando dizendo duvidando encarando encontrando enfrentando enganando entendendo enxergando
    errando escutando esperando esquecendo estranhando evitando explicando falando faltando fernando ficando focando
    funcionando fundo gostando havendo ignorando imaginando implicando indicando inferindo insinuando interpretando
    lamentando lembrando levando lidando limitando-me linda mencionando mentindo morando morrendo mostrando mundo
    notando observando oferecendo operando orlando ouvindo parecendo partindo passando pedindo pensando percebendo
    perdendo perguntando permanecendo podendo precisando preferindo presumindo prometendo propondo quando querendo
    recebendo recomendando reconhecendo referindo reportando respondendo ressaltando resumindo rodando rolando
    sabendo seguindo segundo sendo sentindo significando sofrendo sugerindo supondo temendo tendo tentando-me
    torcendo trabalhando tratando trazendo usando utilizando vendo viajando vindo vivendo
    """
)
"""After `estou`: no act, or one only in the company of certain words."""

SPOKEN_FIRST = vocabulary("aviso chamo conto digo explico falo informo ligo mando mostro passo respondo retorno")
