"""The company in which Portuguese verbs act or do not act, and the small words around them."""

from .phrases import Phrases

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
    dou início / dou andamento / dou sequência / dou um jeito / dou um pulo / dou uma olhada / continuo com /
    continuo a / retomo a / retomo o / procedo à / procedo de imediato / procedo já / procedo agora / procedo ao /
    procedo com / procedo a
    """
)
