"""The Portuguese vocabulary of the reconciler, of Brazil and of Portugal: verbs that act, verbs that do not, what stands around."""

from .phrases import Phrases

ACTIONS = frozenset(
    """
    abrir acelerar acessar aceder achar acionar acompanhar acrescentar acertar adaptar adicionar adequar adiar adotar aferir
    afinar agendar agilizar agrupar agir ajustar alinhar alocar alterar ampliar analisar anexar anotar anular apagar aplicar
    aprimorar aprofundar apurar arquivar arrumar assinar associar ativar atribuir atualizar auditar aumentar autenticar
    automatizar avaliar baixar barrar bater bloquear buscar calcular cancelar capturar carregar cadastrar catalogar centralizar
    certificar chamar checar clicar clonar cobrar codificar coletar colher colocar comparar compilar completar compor
    comprar comprimir comunicar concatenar concertar conciliar concluir conectar conferir configurar confirmar confrontar
    consertar consolidar construir consultar contatar contactar contar continuar contornar contratar converter copiar corrigir cortar
    correr criar cruzar cuidar dar debugar depurar decodificar definir deletar delegar descarregar descartar descobrir desconectar
    descompactar desativar desenhar desenvolver desfazer desinstalar deslocar despachar desligar destravar desbloquear desmontar
    detalhar detectar detetar determinar diagnosticar digitar diminuir direcionar disparar disponibilizar distribuir dividir documentar
    duplicar editar efetuar efectuar elaborar eliminar emitir empacotar encaminhar encerrar encontrar encurtar enfileirar
    entender entrar enviar equilibrar escalar escalonar escanear escolher escrever espelhar especificar estender estimar estornar
    estruturar estudar examinar excluir executar exibir experimentar explorar expandir exportar extrair fabricar faturar fazer
    fechar filtrar finalizar fixar formatar forçar fundir garantir gerar gerir girar gravar guardar habilitar hospedar identificar
    imprimir implantar implementar importar incluir incorporar indexar informatizar iniciar inicializar injetar inserir inspecionar inspeccionar
    instalar instanciar instrumentar integrar interceptar interromper inverter investigar invocar isolar juntar lançar ler levantar liberar libertar ligar limitar limpar
    localizar logar mapear marcar medir mesclar mexer migrar minimizar modelar modificar modularizar monitorar monitorizar montar mover mudar navegar negociar normalizar
    notificar obter olhar ordenar organizar orquestrar otimizar padronizar pagar parametrizar parsear partir passar pegar pedir percorrer
    perguntar persistir pesquisar pingar planejar planear podar posicionar preencher preparar priorizar processar procurar produzir programar
    prosseguir proteger prover providenciar publicar puxar quebrar ranquear rastrear realizar realocar reabrir reagendar reajustar realinhar reaplicar reavaliar rebaixar rebobinar
    recalcular recarregar recolher recompilar reconectar reconfigurar reconstruir recriar recuperar redefinir redesenhar redigir redirecionar reduzir reemitir reencaminhar reenviar
    reescrever reestruturar refatorar refazer reformatar reformular reforçar registrar registar regenerar reimportar reimplantar reindexar reiniciar reinstalar
    relançar reler remarcar remover renomear renovar reorganizar reparar repassar repetir replicar reportar reprocessar reproduzir repor requisitar rescrever
    reservar resetar resgatar resolver responder restaurar restabelecer restringir retestar retirar retomar retornar retreinar reunir reutilizar reverter rever reverificar revisar revisitar
    rodar rotacionar rotear salvar sanar segmentar seguir selecionar separar serializar simplificar simular sincronizar sinalizar
    solicitar solucionar somar sondar sortear subir submeter substituir sumarizar suspender tabular tentar terminar testar tirar tocar
    traçar trabalhar traduzir transcrever transferir transformar transportar tratar travar treinar trazer triar trocar unificar unir usar utilizar vacinar
    validar varrer vasculhar verificar versionar vetorizar vincular virar visitar visualizar voltar zerar zipar debulhar destrinchar cortar commitar comitar deployar fazer mergear buildar
    debugar printar subir logar setar startar stopar restartar linkar plotar renderizar upar dropar forkar rebasear pushar puxar compartilhar partilhar pôr propor expor dispor repor ver ir
    averiguar cotar orçar despoletar arrancar arranjar apanhar acudir actualizar activar desactivar descodificar inserir gravar guardar enviar preparar rectificar retificar reaver sacar espreitar vistoriar
    """.split()
)
"""Infinitives of what an assistant does with tools, or does for a customer."""

NOT_ACTING = frozenset(
    """
    abordar abster aceitar aconselhar acreditar admirar admitir adorar afirmar agradecer aguardar ajudar alertar amar antecipar apontar
    apoiar apreciar aprender apresentar argumentar assegurar assumir assinalar atender atentar auxiliar avançar aventar avisar basear caber calar
    citar clarificar colaborar combinar comentar compreender comprometer conceber concordar confessar confiar conhecer conseguir considerar
    contribuir convidar contar conversar crer dedicar deixar demonstrar depender descansar descrever desculpar desejar desistir destacar detalhar dever
    dialogar discordar discutir dispensar dizer duvidar elencar elucidar encerrar enfatizar enganar enumerar errar esclarecer esperar
    esquecer estar evitar evidenciar exemplificar explicar explicitar expor expressar falar ficar focar frisar gostar haver honrar
    ignorar ilustrar imaginar informar insistir interpretar introduzir jurar lamentar lembrar levar limitar listar manter mencionar mentir
    merecer morrer mostrar narrar negar notar observar obedecer oferecer omitir opinar orientar parafrasear parar parecer pensar perceber perder perdoar
    permanecer permitir poder ponderar precisar preferir presumir pretender prometer propor pular querer reafirmar receber recear reclamar recomendar
    reconhecer recordar recusar refletir reformular reforçar regozijar reiterar relatar relembrar repetir resistir respeitar responder ressaltar resumir saber
    salientar sentir ser significar sofrer sugerir sumarizar supor sustentar temer ter tender torcer tranquilizar transmitir vencer viver
    por
    """.split()
)
"""Verbs of speech, thought, state and manners: no act by themselves."""

INFINITIVE_LOOKALIKES = frozenset(
    "por prazer jantar andar parecer lugar par mar ar bar lar cor dor flor amor valor valores autor setor motor professor maior menor melhor pior "
    "exterior interior anterior superior inferior servidor mulher qualquer celular similar particular familiar escolar militar "
    "popular singular regular circular titular sequer dólar hangar ímpar lazer poder super cluster docker server render".split()
)

IRREGULAR_FIRST = {
    "faço": "fazer", "refaço": "refazer", "desfaço": "desfazer", "trago": "trazer", "ponho": "pôr", "leio": "ler", "releio": "reler", "vejo": "ver", "revejo": "rever",
    "sigo": "seguir", "prossigo": "prosseguir", "confiro": "conferir", "insiro": "inserir", "transfiro": "transferir", "peço": "pedir", "meço": "medir", "reinicio": "reiniciar",
    "inicio": "iniciar", "envio": "enviar", "reenvio": "reenviar", "crio": "criar", "recrio": "recriar", "copio": "copiar", "descubro": "descobrir", "subo": "subir", "renomeio": "renomear", "mapeio": "mapear",
    "bloqueio": "bloquear", "desbloqueio": "desbloquear", "removo": "remover", "movo": "mover", "resolvo": "resolver", "dou": "dar", "vou": "ir", "reverto": "reverter", "converto": "converter",
    "repito": "repetir", "corrijo": "corrigir", "redirijo": "redirigir", "redijo": "redigir", "submeto": "submeter", "construo": "construir", "reconstruo": "reconstruir", "substituo": "substituir",
    "incluo": "incluir", "excluo": "excluir", "concluo": "concluir", "atribuo": "atribuir", "distribuo": "distribuir", "extraio": "extrair", "varro": "varrer", "escrevo": "escrever", "reescrevo": "reescrever", "preencho": "preencher", "recolho": "recolher",
    "escolho": "escolher", "abro": "abrir", "reabro": "reabrir", "divido": "dividir", "parto": "partir", "uno": "unir", "percorro": "percorrer", "cuido": "cuidar", "emito": "emitir", "obtenho": "obter", "proponho": "propor", "exponho": "expor", "traduzo": "traduzir", "reproduzo": "reproduzir", "reduzo": "reduzir", "produzo": "produzir", "garanto": "garantir", "agilizo": "agilizar", "providencio": "providenciar", "espreito": "espreitar",
}  # fmt: skip
"""First persons of the present that no rule of endings gives."""

FUTURE_LOOKALIKES = frozenset(
    """
    comparei preparei separei declarei parei reparei disparei amparei encarei mascarei desmascarei equiparei aparei sarei varei narei
    deparei esclarei aclarei escancarei mirei alterei gerei regenerei considerei operei cooperei recuperei esperei superei
    liberei deliberei moderei numerei enumerei renumerei acelerei desacelerei tolerei ponderei refrigerei reiterei iterei temperei
    exagerei deteriorei libertei inserei vulnerei venerei prosperei desesperei refuerei adulterei agreguei cancerei lacerei macerei
    tirei retirei atirei virei revirei girei inspirei respirei expirei aspirei transpirei conspirei admirei delirei suspirei
    estirei firei rei
    """.split()
)
"""Past tenses that end like futures: alterar → alterei."""
PRESENT_LOOKALIKES = frozenset("queremos requeremos corremos percorremos ocorremos recorremos socorremos morremos varremos acorremos esclaremos alteremos comparemos preparemos separemos consideremos geremos recuperemos esperemos liberemos operemos retiremos tiremos viremos paremos reparemos remos extremos supremos".split())
FUTURE_STEMS = {"fa": "fazer", "refa": "refazer", "desfa": "desfazer", "satisfa": "satisfazer", "di": "dizer", "tra": "trazer", "po": "pôr", "propo": "propor", "expo": "expor", "dispo": "dispor", "repo": "repor", "compo": "compor", "impo": "impor", "transpo": "transpor", "sobrepo": "sobrepor", "contrapo": "contrapor"}

SMALL = Phrases(
    """
    agora / já / só / apenas / somente / também / então / primeiro / antes / depois / logo / ainda / aqui / lá / aí / ali / sim / mesmo / rapidamente / rapidinho / rápido / imediatamente /
    novamente / simplesmente / finalmente / inicialmente / diretamente / pessoalmente / manualmente / certamente / com certeza / de novo / de seguida / em seguida / de imediato / neste momento / nesse momento /
    nesse instante / neste instante / agora mesmo / antes de mais nada / antes de tudo / primeiramente / hoje / amanhã / em breve / desde já / a seguir / por agora / por enquanto / de uma vez / uma vez mais / mais uma vez /
    te / lhe / lhes / me / nos / vos / se / o / a / os / as / eu / nós / por favor / pra você / para você / pra vc / para vc / já já / de fato / entretanto / posteriormente / na sequência / na sequencia / em paralelo / enquanto isso / nesta tarde / calmamente / cuidadosamente / brevemente / direto / aos poucos / continuar a / ativamente / atualmente / no momento / cá
    """
)
"""What may stand between the words that commit and the verb."""
SMALL_BEFORE_GERUND = Phrases(
    "agora / já / só / apenas / também / então / ainda / aqui / lá / te / lhe / me / nos / se / o / a / neste momento / nesse momento / neste instante / nesse instante / no momento / atualmente / pra você / para você / pra vc / neste exato momento / agora mesmo / aí / de novo / novamente / em paralelo / ativamente / sim / mesmo / justamente / rapidamente / rapidinho / primeiro / é / imediatamente / hoje"
)

MANNERS = Phrases(
    """
    dar um exemplo / dar uma dica / dar uma ideia / dar detalhes / dar mais detalhes / dar uma explicação / dar alguns exemplos / dar um resumo / dar exemplos / dar uma sugestão / dar minha / dar a minha / dar um panorama / dar um contexto / dar uma visão / dar um conselho / dar uns exemplos / dar dois exemplos / dar outro exemplo / dar o meu melhor / dar razão / dar conta / dar dicas /
    fazer o meu melhor / fazer o possível / fazer o melhor / fazer meu melhor / fazer de tudo / fazer tudo / fazer uma pergunta / fazer algumas perguntas / fazer umas perguntas / fazer uma observação / fazer um resumo / fazer uma analogia / fazer uma pausa / fazer uma ressalva / fazer sentido / fazer falta / fazer o que for / fazer o que puder / fazer questão / fazer uma sugestão /
    colocar de outra / colocar de outro / colocar em outras / colocar assim / pôr de outra / dizer / usar a palavra / usar o termo / usar um exemplo / usar uma analogia / usar o exemplo / usar uma metáfora / usar a notação / usar o nome / usar como exemplo / usar este exemplo / usar esse exemplo / usar linguagem / usar a expressão / usar um termo / usar os termos /
    pedir que você / pedir desculpas / pedir licença / pedir paciência / pedir para você / pedir pra você / pedir que o senhor / pedir que a senhora / pedir um pouco / pedir sua / pedir a sua / pedir o seu / pedir seu / pedir alguns dados / perguntar se você / perguntar a você /
    começar dizendo / começar explicando / começar pelo básico / começar do começo / começar com um exemplo / começar agradecendo / começar esclarecendo / começar falando / começar contando / começar resumindo / começar apresentando / começar pelo começo / terminar dizendo / concluir dizendo / finalizar dizendo / encerrar por / encerrar aqui / encerrar este / encerrar esse / encerrar o atendimento / encerrar a conversa / concluir que /
    seguir suas / seguir as suas / seguir sua / seguir a sua / seguir seu / seguir o seu / seguir essas regras / seguir essa orientação / tratar como / tratar você / tratar esse / tratar este / passar por / passar as instruções / passar o passo / passar a palavra / passar os passos / passar algumas / passar umas / levar em / ver você / ver vocês / ir embora / ir direto / ir por / ir com / ir ao ponto / ir indo / ir ficando / voltar ao assunto / voltar a esse / voltar a isso / voltar a falar / entrar em detalhes / entrar em mais / entrar no mérito / partir do princípio / partir do pressuposto / partir da premissa / partir da hipótese / pegar leve / abrir mão / contar com / contar até / correr o risco /
    usar português / dividir em partes / dividir a resposta / dividir isso / dividir minha / separar em tópicos / organizar a resposta / organizar as ideias / cobrir os / cobrir cada / quebrar em partes / montar um exemplo / retomar o que / trazer um exemplo / trazer alguns exemplos / trazer o contexto / definir o que / definir o termo / traçar um paralelo / confirmar que entendi / confirmar se entendi / ver se entendi / tirar sua dúvida / tirar suas dúvidas / tirar a sua dúvida / achar que / achar ótimo / achar bom / achar melhor / achar estranho / achar difícil / responder
    """
)
RESCUES = Phrases(
    """
    responder ao / responder o / responder à / responder aos / responder a mensagem / responder o e-mail / falar com / falar para o / falar pra / conversar com / avisar o / avisar a / avisar ao / avisar à / avisar os / avisar as / informar o / informar a equipe / informar ao / informar à / alertar o / alertar a / lembrar o / lembrar a /
    deixar rodando / deixar registrado / deixar o ambiente / deixar tudo / deixar agendado / deixar reservado / deixar pronto / deixar um / deixar salvo / deixar anotado / deixar a reserva / deixar o pedido / deixar separado / deixar marcado / deixar configurado / ficar de olho / ficar monitorando / ficar acompanhando / ficar verificando / focar em corrigir / manter o processo / manter monitorando / manter a reserva / parar o / parar a / parar os / parar as / avançar com / avançar para / avançar com a / avançar / levar o caso / levar isso / levar para / levar a questão / levar o / levar ao / levar à / limitar o / limitar a / introduzir o / introduzir a / introduzir um / introduzir uma / pular para / transmitir o / transmitir a / transmitir sua / transmitir ao / transmitir para / repetir o teste / repetir a / repetir o processo / repetir os / repetir as / repetir a chamada / repetir o / reforçar o / reforçar a validação / reformular o código / reformular a consulta / atender o chamado / expor a / expor o / propor um patch / receber o arquivo / encerrar o / encerrar a sessão / encerrar os / encerrar as / orientar a equipe / convidar o / convidar a / mostrar o conteúdo / mostrar o log / listar os arquivos / observar o log / observar a / perceber onde / compreender o código / compreender como / mandar
    """
)
ARTIFACTS = frozenset(
    """
    arquivo arquivos ficheiro ficheiros pasta pastas diretório diretórios diretorio directório tabela tabelas coluna colunas conteúdo conteudo log logs processo processos
    commit commits branch branches pacote pacotes porta portas container containers contêiner contêineres pod pods chamado chamados repositório repositórios banco bancos
    registro registros registo registos bucket buckets usuários utilizadores job jobs fila filas volume volumes esquema esquemas schema schemas dependências entradas histórico saída
    configuração ambiente pedido pedidos serviços
    """.split()
)

NOT_PROGRESSING = frozenset(
    """
    sendo tendo havendo achando acreditando adorando agindo agradecendo aguardando amando apreciando assumindo baseando-se baseando brincando caindo chegando citando compreendendo concordando
    confiando conhecendo conseguindo considerando contando convencendo crendo curtindo dando deduzindo dependendo descrevendo desejando dizendo duvidando encarando encontrando enfrentando enganando entendendo enxergando errando
    escutando esperando esquecendo estranhando evitando explicando falando faltando ficando focando gostando ignorando imaginando implicando indicando insinuando inferindo interpretando lamentando lembrando levando
    lidando limitando-me mencionando mentindo morando morrendo mostrando notando observando oferecendo ouvindo parecendo partindo pedindo pensando percebendo perdendo perguntando permanecendo podendo precisando preferindo
    presumindo prometendo propondo querendo recebendo recomendando reconhecendo referindo reportando respondendo ressaltando resumindo sabendo sentindo significando sofrendo sugerindo supondo temendo tentando-me torcendo
    tratando trazendo usando utilizando vendo vivendo viajando segundo quando comando mundo fundo fernando orlando ainda linda vindo rodando trabalhando operando passando rolando acontecendo demorando funcionando seguindo aceitando
    """.split()
)
"""After `estou`: no act, or one only in the company of certain words."""
PROGRESSING = Phrases(
    """
    vendo aqui / vendo isso / vendo isto / vendo agora / vendo com / vendo pra / vendo para / vendo se / vendo como / vendo onde / vendo no sistema / vendo o seu pedido / vendo o seu caso / vendo seu / vendo já / vendo o que houve / vendo o que aconteceu / vendo a disponibilidade / vendo os horários /
    dando uma / dando um jeito / dando andamento / dando sequência / dando entrada / dando seguimento / dando início / dando baixa / dando continuidade / tratando disso / tratando do / tratando da / tratando os / tratando o seu /
    rodando os / rodando o / rodando a / rodando as / rodando um / rodando uma / rodando aqui / rodando isso / rodando agora / rodando de novo / rodando novamente / rodando tudo / rodando mais / rodando testes / rodando outra / rodando primeiro / rodando já / rodando, / rodando só / rodando pytest / rodando esse / rodando essa / rodando este / rodando esta /
    trabalhando nisso / trabalhando na correção / trabalhando no / trabalhando nele / trabalhando nela / trabalhando para / trabalhando em cima / trabalhando na solução / trabalhando na migração / trabalhando na tarefa / trabalhando agora / trabalhando num / trabalhando numa / trabalhando nos / trabalhando nas /
    encontrando um jeito / levando o / levando seu / levando sua / mostrando o conteúdo / observando o log / passando para / passando o / passando a / passando seu / passando sua / passando as / passando os / passando agora / passando isso / pedindo ao / pedindo à / pedindo para o / pedindo para a / pedindo a / pedindo um / pedindo uma / pedindo autorização / perguntando ao / perguntando à / perguntando para o /
    partindo para / partindo pra / respondendo ao / respondendo o / seguindo para / seguindo com / seguindo o rastro / seguindo a pista / seguindo o plano / trazendo os / trazendo o / trazendo as / trazendo a / usando o grep / usando grep / falando com / conversando com / reportando o / reportando a / reportando ao / explicando ao / propondo um patch / operando o / aceitando o merge / focando em corrigir
    """
)

V1_NOT_NOW = frozenset("vou entender vejo usar utilizar achar encontrar dar ver ir ligar contar tocar trabalhar".split())
SOON = Phrases(
    """
    já / agora / agora mesmo / imediatamente / em seguida / em instantes / em breve / num instante / daqui a / daqui / em alguns / em poucos / em 1 / em 2 / em 3 / em 5 / em 10 / em um minuto / em dois / em cinco / em minutos / em segundos / logo / logo mais / hoje / hoje mesmo / ainda hoje / amanhã / neste momento / nesse momento /
    neste instante / de seguida / de imediato / na sequência / a seguir / rapidinho / rapidamente / aqui / primeiro / já já / num segundo / num minuto / para você / pra você / pra vc / e te aviso / e já te / e te retorno / e retorno / e volto / e te digo / e te falo / e já volto / e aviso / e te mando / e te passo / e te respondo / e informo / e te informo / e te conto / e te envio
    """
)
LEADING_SOON = Phrases(
    "já / agora / em seguida / logo / logo em seguida / logo depois / depois / depois disso / então / primeiro / a seguir / de seguida / na sequência / em instantes / daqui a pouco / aí / aí sim / já já / agora mesmo / por fim / hoje / amanhã / primeiramente / antes / antes disso / antes de mais nada / agora sim / neste momento / feito isso / por último / enquanto isso / nesse meio tempo"
)
FIRM = Phrases(
    """
    começo por / começo pelo / começo pela / começo pelos / começo pelas / começo com / começo agora / começo já / começo a / começo lendo / começo verificando / começo analisando / sigo para / sigo com / sigo agora / prossigo com / prossigo para / prossigo agora / prossigo / passo a / passo agora / passo já / passo então / passo para o / passo para a / passo à / parto para / parto agora / volto já / volto com / volto em / volto logo / volto a / retorno em / retorno com / retorno assim / retorno já / retorno logo / retorno para / retorno por / retorno ainda / retorno hoje /
    inicio agora / inicio já / inicio a / inicio o / inicio pela / inicio pelo / verifico e / consulto e / confiro e / vejo e / vejo isso / faço isso / faço já / faço agora / resolvo isso / resolvo já / cuido disso / cuido do / cuido da / avanço para / avanço com / dou início / dou andamento / dou sequência / dou uma olhada / continuo com / continuo a / retomo a / retomo o / procedo à / procedo ao / procedo com / procedo a
    """
)
SPOKEN_FIRST = frozenset("aviso falo digo informo respondo conto mando passo retorno explico mostro ligo chamo".split())
INTERJECTIONS = frozenset(
    """
    ok okay sim certo claro perfeito ótimo otimo beleza blz bom boa legal entendi entendido combinado pronto feito tudo bem certinho show massa maravilha obrigado obrigada oi olá ola bom dia tarde noite hmm hum ah oh opa então bem
    desculpe desculpa perdão sem problemas problema pode deixar fique tranquilo tranquila não se preocupe um momento instante minuto segundo minutinho segundinho só por favor aguarde agora já primeiro depois também e mas enquanto isso nesse meio tempo
    excelente ótima fechado valeu isso exato exatamente concordo com certeza é verdade ora pois vamos lá bora peraí calma tá ta está bom aí ainda até aqui
    senhor senhora sr sra caro cara prezado prezada moça moço amigo
    """.split()
)
HOLDING = Phrases(
    """
    um momento / um momentinho / um instante / um instantinho / um minuto / um minutinho / um segundo / um segundinho / um segundinho só / só um momento / só um momentinho / só um instante / só um instantinho / só um minuto / só um minutinho / só um segundo / só um segundinho / só um pouco / só um pouquinho / só mais um / mais um momento / mais um minuto / mais um instante / 1 minuto / 1 minutinho / 1 momento / 1 segundo / 1 instante /
    aguarde um / aguarde só / aguarde enquanto / aguarda um / aguarda só / aguarda enquanto / aguarde por favor / aguarde , / aguarde alguns / aguarde na linha / aguarde por gentileza / aguarde / aguarda / peraí / perai / pera aí / pera ai / pera um / espera aí / espera ai / espera um / espere um / espere só / péra / me dá um / me dá uns / me dê um / me dê uns / me dê alguns / me dá só / me dê só / dá-me um / dê-me um / me dá dois / me da um / dá um / já volto / já venho / volto já / já já / por favor aguarde / queira aguardar / calma aí / rapidinho / rapidão
    """
)
READY = Phrases("pode deixar / deixa comigo / deixe comigo / deixa isso comigo / é pra já / é para já / para já / farei isso / farei / faço sim / vou sim / tô nessa / estou nessa / já é / partiu / bora / considere feito / pode contar / deixa que eu resolvo / deixa que eu faço / deixa que eu vejo / pode deixar comigo / resolvo / resolvo já / vou já / já vou / tô indo / estou indo / to indo")
NEXT_HEADS = Phrases("próximo passo / próxima etapa / próxima ação / próxima tarefa / próximo item / o próximo passo / a próxima etapa / meu próximo passo / a seguir / em seguida / passo seguinte / etapa seguinte / agora / primeiro passo / passo atual / etapa atual / fazendo agora / em andamento / em curso / de seguida / na sequência / proximo passo / proxima etapa / minha próxima ação / depois")
PLAN_HEADS = Phrases("plano / meu plano / o plano / plano de ação / plano de ataque / o meu plano / eis o plano / eis meu plano / eis o meu plano / aqui está o plano / aqui está meu plano / aqui está o meu plano / segue o plano / segue meu plano / este é o plano / este é o meu plano / passos que vou / passos que irei / o que vou / o que eu vou / o que irei / vou fazer o seguinte / farei o seguinte / vou seguir os passos / vou seguir estes / vou seguir esses / vou seguir os seguintes / plano de execução / plano de trabalho / minha abordagem / o plano é / meu plano é / meus próximos passos / próximos passos que vou / os passos que vou / as etapas que vou / etapas que vou / plano de implementação / tenho um plano / o plano é o seguinte / meu plano é o seguinte / a ideia é / minha ideia é")
NOT_OWN_PLAN = frozenset("proposto sugerido sugestão recomendado anterior antigo original concluído concluida concluída completo feito terminado possível possíveis opcional alternativo seu sua dele dela deles você vc era foi seria poderia pode deveria se exemplo rascunho preliminar cliente equipe usuário saúde voo negócio negócios alimentar aula".split())
HABITS = Phrases("geralmente / normalmente / sempre / sempre que / costumo / costumamos / usualmente / habitualmente / via de regra / em geral / por padrão / por defeito / toda vez / todas as vezes / cada vez que / todo dia / todos os dias / a cada / como trabalho / meu método / o meu método / minha abordagem habitual / meu processo / meu jeito / minha rotina / meu fluxo / na dúvida / quando tenho dúvida / quando não sei / como regra / rotineiramente / toda semana / toda noite / daqui em diante / daqui pra frente / daqui para frente / de agora em diante / a partir de agora sempre / no futuro / futuramente / doravante / minha abordagem padrão / como eu trabalho / minha forma de trabalhar / meu procedimento / em regra / por norma")
SUPPOSING = Phrases("suponha / suponhamos / supondo / imagine / imaginemos / imagina / digamos / vamos supor / vamos imaginar / vamos dizer / vamos assumir / vamos considerar / vamos fingir / faz de conta / faça de conta / hipoteticamente / por hipótese / pressupondo / assumindo / presumindo / partindo do / talvez / quem sabe / quiçá / porventura / possivelmente / provavelmente / e se / considere que / considerando que / admitamos / pense que / em tese / vamos pensar que / pensemos / diga-se")
SAYING = frozenset("disse disseram diz dizem dizia dizendo falou fala falam falava falando perguntou pergunta perguntaram perguntava escreveu escreve escreveram pediu pede afirmou afirma informou informa informava significa respondeu responde respondia avisou avisa prometeu promete jurou jura garantiu garante acha achou pensa pensou acredita sugeriu sugere achava comentou comenta reclamou reclama contou alegou alega entende quis lê-se mandou consta indica".split())
QUOTING_HEADS = frozenset("tradução traduzindo assunto título exemplo ex p.ex citação erro saída mensagem resposta comentário legenda texto transcrição log linha letra frase lema slogan regra instrução prompt dizia dizeres".split())
USER = frozenset("você vc vcs vocês cê tu contigo seu sua seus suas teu tua usuário utilizador cliente senhor senhora quiser quiseres preferir desejar puder autorizar aprovar confirmar concordar".split())
OWN = frozenset("eu meu minha nós terminar acabar tivermos terminarmos concluir finalizar ler obtiver encontrar descobrir souber".split())
CONSENT = frozenset("autorização aprovação confirmação permissão ok okay aval consentimento anuência aceite resposta retorno feedback decisão liberação concordância sinal".split())
CHECKING = frozenset("verificar verificando verifico ver vendo vejo checar checando conferir conferindo confirmar confirmando testar testando saber sabendo descobrir descobrindo avaliar avaliando olhar olhando analisar analisando investigar investigando perguntar perguntando validar validando determinar determinando consultar consultando examinar identificar pesquisar pesquisando entender decidir medir verificarei confirmarei confiro consulto conferirei averiguar averiguando apurar apurando perceber espreitar sondar descubro vê dizer digo avisar aviso informar".split())
WANTING = Phrases("você quiser / você preferir / você desejar / você achar / você concordar / você autorizar / você permitir / você precisar / você pedir / você aprovar / você confirmar / você topar / você puder / você deixar / quiser / quiseres / preferir / preferires / desejar / achar / concordar / autorizar / autorizares / permitir / for preciso / for necessário / for o caso / for útil / for melhor / der / precisar / precisares / aprovar / me permitir / me autorizar / o senhor / a senhora / vc quiser / vc preferir / estiver de acordo / você estiver de acordo / me disser / você me")
MISTAKEN = Phrases("não me engano / não me falha / não estou enganado / bem me lembro / me lembro / entendi / entendi bem / possível / não estou errado / não houver engano / bem entendi / estou lendo / não erro / é que")
REQUESTS = Phrases("me diga / me diz / me informe / me confirme / me confirma / me envie / me manda / me mande / me passa / me passe / me avise qual / me avise se quiser que / me avise se / preciso que você / preciso da sua / preciso do seu / preciso de mais / preciso saber / vou precisar do / vou precisar da / vou precisar que / preciso da / aguardo sua / aguardo a sua / aguardo seu / aguardo o seu / fico no aguardo / poderia / por favor confirme / por favor informe / confirme / informe / diga-me / envie-me / responda / estou aguardando / pode me")
INVITING = Phrases("me avise / me avisa / me chame / me chama / é só / basta / estou / fico / fique à vontade / conte comigo / pode me / pode chamar / não hesite / me diga / me fala / me fale / só avisar / só chamar / por favor / avise / avisa / me procure / me escreva")
TAGS = Phrases("tá / ta / tá bom / ta bom / tá bem / ok / okay / viu / tá ok / combinado / beleza / blz / hein / né / certinho / fechado / tá certo / sim / tudo bem por aí / hã / está bem")
ASKING_TAGS = Phrases("pode ser / certo / tudo bem / posso / correto / concorda / o que acha / que acha / que tal / você concorda / está bom / está certo / confirma / confirma pra mim / quer / prefere / serve / de acordo / faz sentido / né isso / é isso / é isso mesmo / não é / devo")
READING_ONLY = frozenset("verificar conferir checar consultar olhar ver procurar buscar ler pesquisar analisar confirmar localizar".split())
