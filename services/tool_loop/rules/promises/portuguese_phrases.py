"""What Portuguese says around a commitment: greetings, requests to wait, heads of plans, conditions, questions."""

from .phrases import Phrases, vocabulary

INTERJECTIONS = Phrases(
    """
    ok / okay / sim / anotado / registrado / recebido / ciente / certinho / perfeitamente / sem dúvida / certo /
    claro / perfeito / ótimo / otimo / ótima / beleza / blz / bom / boa / legal / entendi / entendido / combinado /
    pronto / feito / tudo bem / tudo certo / show / massa / maravilha / obrigado / obrigada / muito obrigado /
    muito obrigada / oi / olá / ola / bom dia / boa tarde / boa noite / hmm / hum / ah / oh / opa / então / bem /
    desculpe / desculpa / perdão / sem problemas / sem problema / pode deixar / fique tranquilo / fique tranquila /
    não se preocupe / um momento / um instante / um minuto / um segundo / um minutinho / um segundinho /
    só um momento / só um instante / só um minuto / só um segundo / por favor / agora / já / primeiro / depois /
    também / e / mas / enquanto isso / nesse meio tempo / excelente / fechado / valeu / isso / exato / exatamente /
    concordo / com certeza / é verdade / ora / pois / pois não / vamos lá / bora / bora lá / peraí / calma / tá / ta /
    está bem / tá bom / aí / ainda / até aqui / senhor / senhora / mãos à obra / mão na massa / ao trabalho /
    ok então / pode crer / fechou / demorou / tranquilo / fica tranquilo / fica tranquila / sem estresse / à obra /
    vamos nessa / bora nessa / partiu / simbora / boa pergunta / boa ideia / ótima pergunta / boa notícia /
    prontinho / obrigada pela paciência / obrigado pela paciência / obrigado por esperar / obrigada por esperar /
    tem razão / você tem razão / de fato / agora sim / que bom / verdade / resumindo / sure / great / done / got it /
    já achei / achei
    """
)

HOLDING = Phrases(
    """
    permita me um / permite me um / permita me uns / me permita um / me permite um / me dá cinco /
    me dá três / me dá dez / me dá 5 / me dá 10 / me dê dois / me dê cinco / me dê três / me dê 5 /
    me dê 10 / um momento / um momentinho / um instante / um instantinho / um minuto / um minutinho / um segundo /
    um segundinho / um segundinho só / só um momento / só um momentinho / só um instante / só um instantinho /
    só um minuto / só um minutinho / só um segundo / só um segundinho / só um pouco / só um pouquinho / só mais um /
    mais um momento / mais um minuto / mais um instante / 1 minuto / 1 minutinho / 1 momento / 1 segundo /
    1 instante / aguarde um / aguarde só / aguarda um / aguarda só / aguarde por favor / aguarde , /
    aguarde alguns / aguarde na linha / aguarde por gentileza / aguarde / aguarda / peraí / perai / pera aí /
    pera ai / pera um / espera aí / espera ai / espera um / espere um / espere só / péra / me dá um / me dá uns /
    dê me um / dá me um / dê me uns / dê me só / dá me só / me dê um / me dê uns / me dê alguns / me dá só /
    me dê só / dá-me um / dê-me um / me dá dois / me da um / dá um / já volto / já venho / volto já / já já /
    por favor aguarde / queira aguardar / calma aí / rapidinho / rapidão
    """
)

READY = Phrases(
    """
    deixa estar / deixe estar / bora de novo / bora lá / vamos de novo / deixa cmg / dxa cmg / deixa cmgo /
    dexa comigo / pode deixar / deixa comigo / deixe comigo / deixa isso comigo / é pra já / é para já / para já /
    farei isso / farei / faço sim / vou sim / tô nessa / estou nessa / já é / estou nisso / tô nisso / to nisso /
    estou em cima / estou em cima disso / tô em cima disso / já estou nisso / já estou nessa / já tô nisso /
    já estou em cima disso / já vai / tá saindo / está saindo / já tá saindo / já está saindo / saindo / tá na mão /
    tá na minha mão / está na minha mão / é comigo / agora é comigo / eu cuido disso / cuido disso / partiu / bora /
    simbora / considere feito / pode contar / deixa que eu resolvo / deixa que eu faço / deixa que eu vejo /
    pode deixar comigo / resolvo / resolvo já / vou já / já vou / tô indo / estou indo / to indo
    """
)

NEXT_HEADS = Phrases(
    """
    próximo passo / próxima etapa / próxima ação / próxima tarefa / próximo item / o próximo passo /
    a próxima etapa / meu próximo passo / a seguir / em seguida / passo seguinte / etapa seguinte / agora /
    primeiro passo / passo atual / etapa atual / fazendo agora / em andamento / em curso / de seguida /
    o passo seguinte / a etapa seguinte / a próxima ação / a próxima tarefa / o próximo item / próxima coisa /
    a próxima coisa / primeira coisa / a primeira coisa / o primeiro passo / minha próxima tarefa /
    minha próxima etapa / ação / ação atual / na sequência / proximo passo / proxima etapa / minha próxima ação / depois
    """
)

MINE = Phrases(
    """
    é meu / é minha / é comigo / fica comigo / cabe a mim / é por minha conta / fica por minha conta / é nosso /
    está comigo
    """
)
"""What gives the step of a head to the speaker."""

PLAN_HEADS = Phrases(
    """
    plano / meu plano / o plano / plano de ação / plano de ataque / o meu plano / eis o plano / eis meu plano /
    eis o meu plano / aqui está o plano / aqui está meu plano / aqui está o meu plano / segue o plano /
    segue meu plano / este é o plano / este é o meu plano / passos que vou / passos que irei / o que vou /
    o que eu vou / o que irei / vou fazer o seguinte / farei o seguinte / vou seguir os passos / vou seguir estes /
    vou seguir esses / vou seguir os seguintes / plano de execução / plano de trabalho / minha abordagem /
    o plano é / meu plano é / meus próximos passos / próximos passos que vou / os passos que vou /
    as etapas que vou / etapas que vou / plano de implementação / tenho um plano / o plano é o seguinte /
    meu plano é o seguinte / a ideia é / minha ideia é
    """
)

NOT_OWN_PLAN = vocabulary(
    """
    alimentar alternativo anterior antigo aula cliente completo concluida concluída concluído dela dele deles
    deveria equipe era exemplo feito foi negócio negócios opcional original pode poderia possíveis possível
    preliminar proposto rascunho recomendado saúde se seria seu sua sugerido sugestão terminado usuário vc você voo
    """
)

HABITS = Phrases(
    """
    geralmente / normalmente / sempre / sempre que / costumo / costumamos / usualmente / habitualmente /
    via de regra / em geral / por padrão / por defeito / toda vez / todas as vezes / cada vez que / todo dia /
    todos os dias / a cada / como trabalho / meu método / o meu método / minha abordagem habitual / meu processo /
    meu jeito / minha rotina / meu fluxo / na dúvida / quando tenho dúvida / quando não sei / como regra /
    rotineiramente / toda semana / toda noite / daqui em diante / daqui pra frente / daqui para frente /
    de agora em diante / a partir de agora sempre / no futuro / futuramente / doravante / minha abordagem padrão /
    como eu trabalho / minha forma de trabalhar / meu procedimento / em regra / por norma
    """
)

SUPPOSING = Phrases(
    """
    suponha / suponhamos / supondo / imagine / imaginemos / imagina / digamos / vamos supor / vamos imaginar /
    vamos dizer / vamos assumir / vamos considerar / vamos fingir / faz de conta / faça de conta / hipoteticamente /
    por hipótese / pressupondo / assumindo / presumindo / partindo do / talvez / quem sabe / quiçá / porventura /
    possivelmente / provavelmente / e se / considere que / considerando que / admitamos / pense que / em tese /
    vamos pensar que / pensemos / diga-se
    """
)

SAYING = vocabulary(
    """
    acha achava achou acredita afirma afirmou alega alegou avisa avisou comenta comentou consta contou disse
    disseram diz dizem dizendo dizia entende escreve escreveram escreveu fala falam falando falava falou garante
    garantiu indica informa informava informou jura jurou lê-se mandou pede pediu pensa pensou pergunta perguntaram
    perguntava perguntou promete prometeu quis reclama reclamou responde respondeu respondia significa sugere
    sugeriu
    """
)

QUOTING_HEADS = vocabulary(
    """
    assunto citação comentário dizeres dizia erro ex exemplo frase futuro instrução legenda lema letra linha log
    mensagem p.ex prompt regra resposta saída slogan texto traduzindo tradução transcrição título
    """
)

USER = vocabulary(
    """
    aprovar autorizar cliente concordar confirmar contigo cê desejar preferir puder quiser quiseres senhor senhora
    seu seus sua suas teu tu tua usuário utilizador vc vcs você vocês
    """
)

RUNS_OUT = vocabulary(
    """
    acaba acabar acabarem acabe acabem completar completarem conclua concluam concluir concluída concluídas concluído
    concluídos concluírem encerrar finalizado finalizar finalizarem finalize termina terminar terminarem termine
    terminem
    """
)
"""Ends that come by themselves: `assim que os testes terminarem`."""

PERSONS = USER | vocabulary(
    """
    alguém autor chefe colega ela elas ele eles equipa equipe financeiro fornecedor gerente gestor jurídico operador
    quem responsável revisor time
    """
)

OWN = vocabulary(
    """
    acabar concluir descobrir encontrar eu finalizar ler meu minha nós obtiver souber terminar terminarmos tivermos
    """
)

CONSENT = vocabulary(
    """
    aceite anuência aprovação autorização aval concordância confirmação consentimento decisão feedback liberação ok
    okay permissão resposta retorno sinal
    """
)

CHECKING = vocabulary(
    """
    analisando analisar apurando apurar avaliando avaliar averiguando averiguar avisar aviso checando checar
    conferindo conferir conferirei confirmando confirmar confirmarei confiro consultando consultar consulto decidir
    descobrindo descobrir descubro determinando determinar digo dizer entender espreitar examinar identificar
    informar investigando investigar medir olhando olhar perceber perguntando perguntar pesquisando pesquisar
    sabendo saber sondar testando testar validando validar vejo vendo ver verificando verificar verificarei verifico
    vê
    """
)

WANTING = Phrases(
    """
    você quiser / você preferir / você desejar / você achar / você concordar / você autorizar / você permitir /
    você precisar / você pedir / você aprovar / você confirmar / você topar / você puder / você deixar / quiser /
    quiseres / preferir / preferires / desejar / achar / concordar / autorizar / autorizares / permitir /
    for preciso / for necessário / for o caso / for útil / for melhor / der / precisar / precisares / aprovar /
    me permitir / me autorizar / o senhor / a senhora / vc quiser / vc preferir / estiver de acordo /
    você estiver de acordo / me disser / você me
    """
)

MISTAKEN = Phrases(
    """
    não me engano / não me falha / não estou enganado / bem me lembro / me lembro / entendi / entendi bem /
    possível / não estou errado / não houver engano / bem entendi / estou lendo / não erro / é que
    """
)

REQUESTS = Phrases(
    """
    me diga / me diz / me informe / me confirme / me confirma / me envie / me manda / me mande / me passa /
    me passe / me avise qual / me avise se quiser que / me avise se / preciso que você / preciso da sua /
    preciso do seu / preciso de mais / preciso saber / vou precisar do / vou precisar da / vou precisar que /
    preciso da / aguardo sua / aguardo a sua / aguardo seu / aguardo o seu / fico no aguardo / poderia /
    por favor confirme / por favor informe / confirme / informe / diga-me / envie-me / responda / estou aguardando /
    pode me
    """
)

INVITING = Phrases(
    """
    me avise / me avisa / me chame / me chama / é só / basta / estou / fico / fique à vontade / conte comigo /
    pode me / pode chamar / não hesite / me diga / me fala / me fale / só avisar / só chamar / por favor / avise /
    avisa / me procure / me escreva
    """
)

TAGS = Phrases(
    """
    tá / ta / tá bom / ta bom / tá bem / ok / okay / viu / tá ok / combinado / beleza / blz / hein / né / certinho /
    fechado / tá certo / sim / tudo bem por aí / hã / está bem
    """
)

ASKING_TAGS = Phrases(
    """
    pode ser / certo / tudo bem / posso / correto / concorda / o que acha / que acha / que tal / você concorda /
    está bom / está certo / confirma / confirma pra mim / quer / prefere / serve / de acordo / faz sentido /
    né isso / é isso / é isso mesmo / não é / devo
    """
)

READING_ONLY = vocabulary(
    """
    analisar buscar checar conferir confirmar consultar ler localizar olhar pesquisar procurar ver verificar
    """
)
