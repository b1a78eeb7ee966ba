"""The Portuguese vocabulary of the reconciler, of Brazil and of Portugal: verbs that act, and verbs that do not."""

from .phrases import Phrases, vocabulary

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
SMALL = Phrases(
    """
    agora / já / só / apenas / somente / também / então / primeiro / antes / depois / logo / ainda / aqui / lá / aí /
    ali / sim / mesmo / rapidamente / rapidinho / rápido / imediatamente / novamente / simplesmente / finalmente /
    inicialmente / diretamente / pessoalmente / manualmente / certamente / com certeza / de novo / de seguida /
    em seguida / de imediato / neste momento / nesse momento / nesse instante / neste instante / agora mesmo /
    antes de mais nada / antes de tudo / primeiramente / hoje / amanhã / em breve / desde já / a seguir / por agora /
    por enquanto / de uma vez / uma vez mais / mais uma vez / te / lhe / lhes / me / nos / vos / se / o / a / os /
    as / eu / nós / por favor / la / so / pra você / para você / pra vc / para vc / já já / de fato / entretanto /
    posteriormente / na sequência / na sequencia / em paralelo / enquanto isso / nesta tarde / calmamente /
    cuidadosamente / brevemente / direto / aos poucos / continuar a / ativamente / atualmente / no momento / cá
    """
)
"""What may stand between the words that commit and the verb."""
SMALL_BEFORE_GERUND = Phrases(
    """
    cá / agora / já / só / apenas / também / então / ainda / aqui / lá / te / lhe / me / nos / se / o / a /
    neste momento / nesse momento / neste instante / nesse instante / no momento / atualmente / pra você /
    para você / pra vc / neste exato momento / agora mesmo / aí / de novo / novamente / em paralelo / ativamente /
    sim / mesmo / justamente / rapidamente / rapidinho / primeiro / é / imediatamente / hoje
    """
)

MANNERS = Phrases(
    """
    colocar números / colocar em números / pôr números / deixar claro / deixar clara / deixar evidente / deixar você /
    deixar vc / deixar a decisão / deixar a escolha / deixar com / deixar por / deixar aqui / deixar esta /
    deixar essa / deixar uma reflexão / deixar pra / deixar para lá / deixar como / deixar assim / deixar o link /
    deixar a critério / deixar de / deixar que você / deixar isso de / deixar registrado meu / abrir parênteses /
    abrir um parêntese / abrir o jogo / mandar a real / bater um papo / tocar no assunto / trocar em miúdos /
    puxar o assunto / refrescar sua / refrescar a sua / acrescentar que / adiantar que / adicionar que /
    retomar o assunto / ir além / fazer um parêntese / fazer uma ressalva / elaborar sobre / elaborar mais /
    analisar por partes / entrar nos detalhes / tomar isso / tomar isto / tomar como / ver no que / ver se entendi /
    ver se eu entendi / mandar um abraço / mandar um beijo / mandar lembranças / dar um exemplo / dar uma dica /
    dar uma ideia / dar algumas dicas / dar umas dicas / dar algumas sugestões / dar umas / dar algumas / dar alguns /
    dar detalhes / dar mais detalhes / dar uma explicação / dar alguns exemplos / dar um resumo / dar exemplos /
    dar uma sugestão / dar minha / dar a minha / dar um panorama / dar um contexto / dar uma visão / dar um conselho /
    dar uns exemplos / dar dois exemplos / dar outro exemplo / dar o meu melhor / dar razão / dar conta / dar dicas /
    fazer o meu melhor / fazer o possível / fazer o melhor / fazer meu melhor / fazer de tudo / fazer tudo /
    fazer uma pergunta / fazer algumas perguntas / fazer umas perguntas / fazer uma observação / fazer um resumo /
    fazer uma analogia / fazer uma pausa / fazer sentido / fazer falta / fazer o que for / fazer o que puder /
    fazer questão / fazer uma sugestão / colocar de outra / colocar de outro / colocar em outras / colocar assim /
    pôr de outra / dizer / usar a palavra / usar o termo / usar um exemplo / usar uma analogia / usar o exemplo /
    usar uma metáfora / usar a notação / usar o nome / usar como exemplo / usar este exemplo / usar esse exemplo /
    usar linguagem / usar a expressão / usar um termo / usar os termos / pedir que você / pedir desculpas /
    pedir licença / pedir paciência / pedir para você / pedir pra você / pedir que o senhor / pedir que a senhora /
    pedir um pouco / pedir sua / pedir a sua / pedir o seu / pedir seu / pedir alguns dados / perguntar se você /
    perguntar a você / começar dizendo / começar explicando / começar pelo básico / começar do começo /
    começar com um exemplo / começar agradecendo / começar esclarecendo / começar falando / começar contando /
    começar resumindo / começar apresentando / começar pelo começo / terminar dizendo / concluir dizendo /
    finalizar dizendo / encerrar por / encerrar aqui / encerrar este / encerrar esse / encerrar o atendimento /
    encerrar a conversa / concluir que / seguir suas / seguir as suas / seguir sua / seguir a sua / seguir seu /
    seguir o seu / seguir essas regras / seguir essa orientação / tratar como / tratar você / tratar esse /
    tratar este / passar por / passar as instruções / passar o passo / passar a palavra / passar essa /
    passar esta vez / passar os passos / passar algumas / passar umas / levar em / ver você / ver vocês / ir embora /
    ir direto / ir por / ir com / ir ao ponto / ir indo / ir ficando / voltar ao assunto / voltar a esse /
    voltar a isso / voltar a falar / entrar em detalhes / entrar em mais / entrar no mérito / partir do princípio /
    partir do pressuposto / partir da premissa / partir da hipótese / pegar leve / abrir mão / contar com /
    contar até / correr o risco / usar português / dividir em partes / dividir a resposta / dividir isso /
    dividir minha / separar em tópicos / organizar a resposta / organizar as ideias / cobrir os / cobrir cada /
    quebrar em partes / montar um exemplo / retomar o que / trazer um exemplo / trazer alguns exemplos /
    trazer o contexto / definir o que / definir o termo / traçar um paralelo / confirmar que entendi /
    confirmar se entendi / tirar sua dúvida / tirar suas dúvidas / tirar a sua dúvida / achar que / achar ótimo /
    achar bom / achar melhor / achar estranho / achar difícil / responder
    """
)

RESCUES = Phrases(
    """
    bater um papo com /
        adiantar o / adiantar a / revelar o / ensinar o modelo / responder ao / responder o / responder à /
    responder aos / responder a mensagem / responder o e-mail / falar com / falar para o / falar pra /
    conversar com / avisar o / avisar a / avisar ao / avisar à / avisar os / avisar as / informar o /
    informar a equipe / informar ao / informar à / alertar o / alertar a / lembrar o / lembrar a / deixar rodando /
    deixar registrado / deixar o ambiente / deixar tudo / deixar agendado / deixar reservado / deixar pronto /
    deixar um / deixar salvo / deixar anotado / deixar a reserva / deixar o pedido / deixar separado /
    deixar marcado / deixar configurado / ficar de olho / ficar monitorando / ficar acompanhando /
    ficar verificando / focar em corrigir / manter o processo / manter monitorando / manter a reserva / parar o /
    parar a / parar os / parar as / avançar com / avançar para / avançar com a / avançar / levar o caso /
    levar isso / levar para / levar a questão / levar o / levar ao / levar à / limitar o / limitar a /
    introduzir o / introduzir a / introduzir um / introduzir uma / pular para / transmitir o / transmitir a /
    transmitir sua / transmitir ao / transmitir para / repetir o teste / repetir a / repetir o processo /
    repetir os / repetir as / repetir a chamada / repetir o / reforçar o / reforçar a validação /
    reformular o código / reformular a consulta / atender o chamado / expor a / expor o / propor um patch /
    receber o arquivo / encerrar o / encerrar a sessão / encerrar os / encerrar as / orientar a equipe /
    convidar o / convidar a / mostrar o conteúdo / mostrar o log / listar os arquivos / observar o log /
    observar a / perceber onde / compreender o código / compreender como / mandar
    """
)

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
PROGRESSING = Phrases(
    """
    rodando como / rodando assim / rodando em paralelo / vendo aqui / vendo isso / vendo isto / vendo agora /
    vendo com / vendo pra / vendo para / vendo se / vendo como / vendo onde / vendo no sistema /
    vendo o seu pedido / vendo o seu caso / vendo seu / vendo já / vendo o que houve / vendo o que aconteceu /
    vendo a disponibilidade / vendo os horários / dando uma / dando mais uma / dando outra / dando um jeito /
    dando andamento / dando sequência / dando entrada / dando seguimento / dando início / dando baixa /
    dando continuidade / tratando disso / tratando do / tratando da / tratando os / tratando o seu / rodando os /
    rodando o / rodando a / rodando as / rodando um / rodando uma / rodando aqui / rodando isso / rodando agora /
    rodando de novo / rodando novamente / rodando tudo / rodando mais / rodando testes / rodando outra /
    rodando primeiro / rodando já / rodando, / rodando só / rodando pytest / rodando esse / rodando essa /
    rodando este / rodando esta / trabalhando nisso / trabalhando na correção / trabalhando no / trabalhando nele /
    trabalhando nela / trabalhando para / trabalhando em cima / trabalhando na solução / trabalhando na migração /
    trabalhando na tarefa / trabalhando agora / trabalhando num / trabalhando numa / trabalhando nos /
    trabalhando nas / encontrando um jeito / levando o / levando seu / levando sua / mostrando o conteúdo /
    observando o log / passando para / passando o / passando a / passando seu / passando sua / passando as /
    passando os / passando agora / passando isso / pedindo ao / pedindo à / pedindo para o / pedindo para a /
    pedindo a / pedindo um / pedindo uma / pedindo autorização / perguntando ao / perguntando à /
    perguntando para o / partindo para / partindo pra / respondendo ao / respondendo o / seguindo para /
    seguindo com / seguindo o rastro / seguindo a pista / seguindo o plano / trazendo os / trazendo o /
    trazendo as / trazendo a / usando o grep / usando grep / falando com / conversando com / reportando o /
    reportando a / reportando ao / explicando ao / propondo um patch / operando o / aceitando o merge /
    focando em corrigir
    """
)

V1_NOT_NOW = vocabulary("achar contar dar encontrar entender ir ligar tocar trabalhar usar utilizar vejo ver vou")

SOON = Phrases(
    """
    já / agora / agora mesmo / imediatamente / em seguida / em instantes / em breve / num instante / daqui a /
    daqui / em alguns / em poucos / em 1 / em 2 / em 3 / em 5 / em 10 / em um minuto / em dois / em cinco /
    em minutos / em segundos / logo / logo mais / hoje / hoje mesmo / ainda hoje / amanhã / neste momento /
    nesse momento / neste instante / de seguida / de imediato / na sequência / a seguir / rapidinho / rapidamente /
    aqui / primeiro / já já / num segundo / num minuto / para você / pra você / pra vc / e te aviso / e já te /
    e te retorno / e retorno / e volto / e te digo / e te falo / e já volto / e aviso / e te mando / e te passo /
    e te respondo / e informo / e te informo / e te conto / e te envio
    """
)

LEADING_SOON = Phrases(
    """
    já / agora / em seguida / logo / logo em seguida / logo depois / depois / depois disso / então / primeiro /
    a seguir / de seguida / na sequência / em instantes / daqui a pouco / em um minuto / em dois minutos /
    em alguns minutos / em poucos minutos / em cinco minutos / em 5 minutos / em 10 minutos / num minuto /
    num instante / em um instante / em breve / aí / aí sim / já já / agora mesmo / por fim / hoje / amanhã /
    primeiramente / antes / antes disso / antes de mais nada / agora sim / neste momento / feito isso / por último /
    enquanto isso / nesse meio tempo / eu mesmo / eu mesma / eu próprio / eu própria
    """
)

FIRM = Phrases(
    """
    começo por / começo pelo / começo pela / começo pelos / começo pelas / começo com / começo agora / começo já /
    começo a / começo lendo / começo verificando / começo analisando / sigo para / sigo com / sigo agora /
    prossigo com / prossigo para / prossigo agora / prossigo / passo a / passo agora / passo já / passo então /
    passo para o / passo para a / passo à / passo ao / passo aos / passo às / parto para / parto agora / volto já /
    volto com / volto em / volto logo / volto a / retorno em / retorno com / retorno assim / retorno já /
    retorno logo / retorno para / retorno por / retorno ainda / retorno hoje / inicio agora / inicio já / inicio a /
    inicio o / inicio pela / inicio pelo / verifico e / consulto e / confiro e / vejo e / vejo isso / faço isso /
    faço já / faço agora / resolvo isso / resolvo já / cuido disso / cuido do / cuido da / avanço para / avanço com /
    dou início / dou andamento / dou sequência / dou uma olhada / continuo com / continuo a / retomo a / retomo o /
    procedo à / procedo de imediato / procedo já / procedo agora / procedo ao / procedo com / procedo a
    """
)

SPOKEN_FIRST = vocabulary("aviso chamo conto digo explico falo informo ligo mando mostro passo respondo retorno")
