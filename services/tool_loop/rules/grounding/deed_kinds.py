"""The kinds of deeds outside the workspace, with the words they are told in and the commands and calls that do them.

Deployments; messages; commits, pushes, pull requests; tickets; releases; meetings; migrations; backups; installs;
jobs; restarts; health. A new kind is a `frame` of its words in `DEEDS`.
"""

from typing import Final

from .deed_forms import ANYTHING, BY_ME, NOT_SO, WAS, deed, frame

_DOCUMENT: Final = (
    r"invoices?|receipts?|reports?|summary|quotes?|proposals?|contracts?|itinerary|newsletters?|documents?|e-?mails?"
    r"|reminders?|invitations?|invites?|letters?|faturas?|notas? fisca(?:l|is)|recibos?|comprovantes?"
    r"|relatórios?|resumos?"
    r"|orçamentos?|propostas?|contratos?|convites?|lembretes?|cartas?"
)
_BRINGS: Final = (
    r"calendar|event|invit|invoice|receipt|fatura|recibo|book|order|reserv|checkout|purchase|charge|pay|refund|return"
    r"|exchang|cancel|report|relat|agend|pedido|register|sign_?up|account"
)
"""Acts with which whoever does them sends a confirmation, an invitation or a receipt."""
_PLACE: Final = r"(?:staging|prod(?:uction)?|produção|homologação|the server|the cluster|heroku|vercel|aws|kubernetes)"
_TOLD: Final = r"(?:e-?mails?|mails?|messages?|notifications?|slack|mensage(?:m|ns)|notificaç(?:ão|ões)|avisos?)"
_PEOPLE: Final = r"(?:team|everyone|everybody|maintainers?|channel|customers?|users?|equipe|time|todos|clientes?|canal)"
_TO_SOMEBODY: Final = (
    r" {0,3}(?:out )?(?:(?:successfully|com sucesso)\b|(?:by|via|por|as|como) "
    r"|(?:to|para)(?:\s*[.,;:!)]|\s*$|\s\s|\s+(?:and|e)\b)"
    rf"|(?:to|para) (?:you|your|him|her|them|você|seu|sua|(?:the |our |all |o |a |os |as )*{_PEOPLE})\b|\W*$)"
)
_THEN: Final = (
    r"(?![^.;:?!]*\b(?:yesterday|ago|earlier|previously|last|twice|ontem|atrás|antes"
    r"|(?:on|in|at|em|dia|by the|pel[oa]) "
    r"(?:\d|(?-i:[A-Z]))\w*|automatically|when(?:ever)?|before|after|because|automaticamente|quando)\b)"
)
"""What tells of a time or of a cause: it is read from somewhere."""
SOMEBODY: Final = (
    rf"(?:(?:the |our |all |your |both |every )*(?:{_PEOPLE}|client|reviewers?|managers?|owner|support)"
    r"|(?-i:(?!I\b|It\b|The\b|This\b|They\b|We\b|You\b|He\b|She\b)[A-ZÀ-Ý][a-zà-ÿ]+))\b"
)
_DEPARTMENT: Final = (
    r"(?:data|dev|security|platform|infra|product|design|sales|support|ops) team|finance|legal|sales|marketing"
    r"|accounting|management|on-call(?: \w+)?|ops|support|financeiro|comercial|suporte"
)
_CHANNEL: Final = r"#[a-z][\w-]+|slack|(?:ops|docs|team|on-call|support|dev) channel|canal"
_DATABASE: Final = (
    r"warehouse|data ?lake|bigquery|snowflake|redshift|(?:production|staging|live) (?:database|db|table)|armazém"
)
_PR: Final = r"(?:pull request|PR|merge request|MR|issue|ticket|chamado)\b"
_FORGES: Final = r"\b(?:gh|hub|glab|jj|hg|svn)\b"
_SCRIPTS: Final = r"(?:^|[\s;&|])\.{0,2}/?[\w./-]+\.sh\b|\bmake\b"
_RELEASE: Final = r"(?:it|them|the|this|a|an)?(?: new| final)? ?(?:release|version|package|crate|gem|image|v?\d+\.\d)"
_REGISTRY: Final = r"(?:pypi|npm|crates\.io|maven|docker hub|rubygems|ghcr)"
_PUBLISHES: Final = r"publish|twine|upload|release|docker push|gem push|deploy"
DEEDS: Final = (
    deed(
        rf"{BY_ME}(?:re-?)?(?:deployed|released(?! (?:the |a |its |all |every )*(?:\w+ )?(?:lock|handle|memory"
        rf"|resource|connection"
        r"|mutex|semaphore|buffer|socket|file|thread|reference)s?\b)|rolled out|shipped)\b|"
        rf"{WAS}(?:re-?)?(?:deployed|released|rolled out)\b"
        r"|\b(?:fiz|fizemos|realizei|executei) (?:o |um )?(?:re)?deploy\b|\bimplantei\b"
        rf"|\bpubliquei {ANYTHING}{_PLACE}"
        rf"|\bsubi {ANYTHING}{_PLACE}|\bfoi (?:implantad|publicad)[oa] {ANYTHING}{_PLACE}",
        r"deploy|release|publish|kubectl|helm|terraform|ansible|scp|rsync|fly|vercel|netlify|heroku|gcloud|\baws\b"
        r"|\baz\b|serverless|pulumi|systemctl",
        r"docker|podman|git push|\bcp\b",
        stands=rf"\b(?:is|are|it['’]s) (?:now )?(?:deployed|rolled out|up on {_PLACE}|live\b(?!-| (?:data|code"
        rf"|preview|reload)))\b"
        rf"|\b(?:está|já está) (?:implantad[oa]|no ar|em (?:produção|homologação))\b"
        r"|\b(?:deploy(?:ment)?|rollout)\b[^.;:]{0,40}? (?:done|complete\w*|success\w*|feito|conclu[ií]do)\b",
    ),
    deed(
        rf"{BY_ME}(?:sent|e-?mailed|mailed|posted) {ANYTHING}(?:{_TOLD}|{_PEOPLE})\b"
        rf"|{BY_ME}(?:notified|informed|messaged|pinged|alerted) (?:the |all |our )?{_PEOPLE}\b"
        rf"|\b{_TOLD} {WAS[2:]}(?:sent|posted)\b{NOT_SO}|\b{_PEOPLE} {WAS[2:]}(?:notified|informed|e-?mailed)\b"
        rf"|\b{_PEOPLE} (?:já )?(?:foi|foram) (?:notificad|avisad|informad)[oa]s?\b"
        rf"|\b(?:enviei|mandei|enviamos|mandamos) {ANYTHING}(?:{_TOLD}|{_PEOPLE})\b"
        rf"|\b(?:notifiquei|avisei|informei) (?:a |o |os |as |toda |todo )*{_PEOPLE}\b|\b{_TOLD} foi enviad[oa]\b",
        r"mail|mutt|smtp|slack|notify|telegram|twilio|sendgrid|message|post",
    ),
    deed(
        r"(?!)",
        r"send|sent\b|envi|forward|smtp|mutt|swaks|\bmailx?\s|\Ae?mail|mail_|_mail|sendgrid|mailgun|postmark|twilio"
        r"|slack|telegram|whatsapp|reply|notif|dispatch|share|upload|submit|post_|publish",
        by_the_way=_BRINGS,
        stands=rf"\b(?:{_DOCUMENT})(?: #?\w*\d[\w.-]*)? (?:was|were|has been|have been)"
        r"(?: now| just| also| successfully)* "
        rf"(?:sent|e-?mailed|mailed|forwarded)(?={_TO_SOMEBODY}){_THEN}"
        rf"|\b(?:{_DOCUMENT})(?: #?\w*\d[\w.-]*)? (?:foi|foram)(?: agora| também)? enviad[oa]s?"
        rf"(?={_TO_SOMEBODY}){_THEN}"
        rf"|\A\W*(?:your |the |o |a |sua? |seu )?(?:{_DOCUMENT})(?: #?\w*\d[\w.-]*)? (?:successfully )?"
        rf"(?:sent|e-?mailed|enviad[oa]s?)(?={_TO_SOMEBODY}){_THEN}",
    ),
    deed(
        rf"{BY_ME}committed (?!to\b)|{WAS}committed\b|\b(?:co?mmitei|(?:fiz|dei) (?:o |um )?commit)\b"
        r"|\b(?:foi|foram) (?:commitad|comitad)[oa]s?\b|\bmerged (?:it |this |the (?:branch|change"
        r"|pr) )?into (?:main|master)",
        rf"\bgit\b.*\b(?:commit|merge|am|cherry-pick|rebase)\b|{_FORGES}",
        rf"\bgit\b.*\bpush\b|{_SCRIPTS}",
        opaque=False,
    ),
    deed(
        rf"{BY_ME}pushed (?:it|the|this|my|all|everything|a|to)\b|{WAS}pushed\b|\b(?:fiz|dei) (?:o |um )?push\b",
        rf"\bgit\b.*\bpush\b|{_FORGES}",
        rf"\bgit\b.*\b(?:commit|merge|am|cherry-pick|rebase)\b|{_SCRIPTS}",
        stands=r"\b(?:is|are) (?:now )?(?:pushed|on (?:main|master|origin|the remote|github|gitlab))\b|\bpushed to \w"
        r"|\b(?:enviei|subi|mandei) [^.;]{0,30}\b(?:main|master|origin|github|gitlab|remoto)\b",
        opaque=False,
    ),
    deed(
        rf"{BY_ME}(?:opened|created|submitted|raised|filed|made) (?:a |an |the |new |draft )*{_PR}"
        rf"|\b{_PR} {ANYTHING}{WAS[2:]}(?:opened|created|submitted|filed|merged)"
        rf"|\b(?:abri|criei|enviei) (?:um |uma |o |a |novo )*{_PR}|\b{_PR} {ANYTHING}foi (?:abert|criad)[oa]\b",
        r"\b(?:gh|hub|glab|az|tea|jira)\b|request-pull|send-email|pull_?request|merge_?request|ticket|issue|chamado",
        r"git push",
        stands=rf"\b{_PR}(?: #?\d+)? (?:is|está) (?:now )?(?:open|up|ready|abert[oa])\b",
    ),
    deed(
        rf"{BY_ME}(?:notified|informed|messaged|pinged|alerted|e-?mailed|mailed|contacted|phoned|told) {SOMEBODY}"
        rf"|{BY_ME}called (?:the |our )(?:customer|client|user|team|support)\b|\bleft (?:a|an) (?:voicemail"
        rf"|voice message)\b"
        rf"|{BY_ME}(?:sent|forwarded) {SOMEBODY} (?:an?|the) |{BY_ME}let {SOMEBODY} know\b"
        rf"|(?<!\w){SOMEBODY} {WAS[2:]}(?:notified|informed|told|e-?mailed|contacted)\b"
        rf"|\b(?:avisei|informei|notifiquei|contatei|liguei para) (?:a |o |à |ao )?{SOMEBODY}"
        rf"|\b(?:e-?mail|sms|text message|newsletter)(?: \w+)? {WAS[2:]}sent\b{NOT_SO}",
        r"mail|mutt|smtp|slack|notify|telegram|twilio|sendgrid|message|post|sms|call|whatsapp",
    ),
    deed(
        rf"{BY_ME}(?:replied|responded|answered) (?:to )?(?:the |all |every |each )*(?:\w+['’]s )?(?:review\w*"
        rf"|comments?|e-?mails?"
        rf"|messages?|tickets?|issues?|customers?|threads?)\b"
        rf"|{BY_ME}(?:left|added|posted|wrote) (?:a |an |my )?(?:\w+ )?(?:comment|note|reply|summary) (?:on|to"
        rf"|in) (?:the )?"
        rf"(?:{_PR}|thread|channel|review|slack|#)|{BY_ME}posted [^.;]{{0,40}}#\w"
        r"|\brespondi (?:a|o|ao|à|aos)s? (?:comentários?|revisor\w*|clientes?|chamado)",
        r"\b(?:gh|glab|hub|jira|az)\b|slack|mail|comment|message|post|reply",
    ),
    deed(
        rf"{BY_ME}(?:closed|reopened|resolved|assigned) (?:the |this |all |that )*{_PR}"
        rf"|\b{_PR}(?: #?\d+)? {WAS[2:]}(?:closed|reopened|assigned)\b(?! (?:in|on|by|since|before|long|as)\b)"
        rf"|\b(?:fechei|encerrei|reabri) (?:o |a |os |as )?{_PR}|\b{_PR} foi (?:encerrad|fechad)[oa]\b",
        r"\b(?:gh|glab|hub|jira|az|tea)\b|close|ticket|issue",
    ),
    deed(
        rf"\b(?:branch|{_PR}|pull request|changes?|fix) {WAS[2:]}merged\b(?! with| from|,? and)"
        r"|\bo branch foi (?:mesclado|integrado)\b",
        r"\bgit\b.*\b(?:merge|push|rebase|pull)\b|\b(?:gh|hub|glab)\b",
        opaque=False,
    ),
    deed(
        rf"{BY_ME}tagged {_RELEASE}",
        r"git tag|docker tag|release",
        rf"{_PUBLISHES}|cargo|npm",
    ),
    deed(
        rf"{BY_ME}published {_RELEASE}|\bpublished [^.;]{{0,40}}\b(?:to|on) {_REGISTRY}\b(?! by\b)"
        r"|\b(?:publiquei|lancei) (?:o |a )?(?:pacote|versão)|\bfoi publicad[oa] (?:no|na|em) (?:npm|pypi|registro)",
        _PUBLISHES,
        r"git tag|cargo|npm",
        stands=r"\b(?:is|está)(?: now)? (?:published|available|out|live|publicad[oa]|disponível)"
        rf" (?:on|at|n[oa]|em) {_REGISTRY}\b(?! (?:by|pel[oa])\b)",
    ),
    deed(
        rf"{BY_ME}(?:scheduled|rescheduled|booked|set up|arranged) (?:an? |the )?(?:\w+ )?(?:meeting|call"
        rf"|appointment|interview"
        r"|demo|room|flight|hotel|table)\b|\b(?:agendei|marquei|remarquei) (?:um |uma |o |a )?(?:reunião"
        r"|consulta|chamada|visita)",
        r"calendar|schedul|meeting|book|appointment|event",
    ),
    deed(
        rf"{BY_ME}(?:rolled back|ran|applied|executed) (?:the |all |both |pending )*(?:database |db "
        rf"|schema )?migrations?\b"
        r"|\b(?:apliquei|executei|rodei) (?:a|as) migraç(?:ão|ões)",
        r"migrat|alembic|flyway|prisma|rails|rake|liquibase|knex",
        r"manage\.py|psql|mysql|sqlite|dump|backup|\bcp\b|tar|rsync",
        stands=rf"\bmigrations?\b(?: \S+)? {WAS[2:]}(?:applied|run|executed)\b{NOT_SO}"
        r"|\bmigraç(?:ão|ões)\b(?: \S+)? (?:foi|foram|está|estão) (?:aplicad|executad|rodad)[oa]s?\b",
    ),
    deed(
        rf"{BY_ME}backed up (?:the |our |all )*(?:database|db|data|server|files?|table|bucket)\b"
        rf"|\b(?:backup|dump) (?:of [^.;]{{0,30}} )?{WAS[2:]}(?:taken|made|created)\b"
        r"|\bfiz (?:um |o )?backup",
        r"dump|backup|\bcp\b|tar|rsync",
        r"migrat|alembic|flyway|prisma|rails|rake|manage\.py|psql|mysql|sqlite|liquibase|knex",
    ),
    deed(
        rf"{BY_ME}(?:installed|upgraded|uninstalled) (?!as\b|nothing\b|in\b|[^.;]{{0,24}}\b(?:handler|hook|trap"
        rf"|listener|callback|middleware|shim|signal|guard)s?\b"
        r"|[^;]{0,60} in [\w./-]+\.(?:txt|toml|json|cfg|lock)\b)\w"
        rf"|\b(?:dependencies"
        rf"|packages) {WAS[2:]}(?:re)?installed\b"
        r"|\b(?:instalei|desinstalei) (?:o|a|os|as) ",
        r"install|\badd\b|sync|\bci\b|go get",
        r"\bpip\b|npm|yarn|pnpm|poetry|\buv\b|conda|apt|brew|cargo|gem|bundle|composer",
        stands=r"\b(?:is|are) now installed\b|\b(?:foi|foram|está|estão) instalad[oa]s?\b",
    ),
    deed(
        rf"{BY_ME}(?:triggered|kicked off|re-?triggered) (?:the|a) "
        rf"|\b(?:job|workflow|pipeline|build|deployment|dag|import|crawl)s? {WAS[2:]}(?:triggered|kicked off)\b"
        rf"{NOT_SO}",
        r"\b(?:gh|glab|airflow|jenkins|kubectl|aws|gcloud|az)\b|run|start|trigger|job|build",
    ),
    deed(
        rf"{BY_ME}(?:restarted|rebooted|provisioned) |\b(?:reiniciei|provisionei)\b",
        r"restart|reboot|systemctl|service|pm2|supervisor|terraform",
        r"docker|kubectl|kill",
        stands=rf"{WAS}restarted\b|\bfoi reiniciad[oa]\b",
    ),
    deed(
        r"(?!)",
        r"health|\b(?:gh|glab|act)\b|kubectl|docker|deploy|status|wget|ping",
        stands=r"\b(?:health ?checks?|the (?:ci|pipeline|workflow)|ci|github actions?|a pipeline|o ci)"
        r"(?: (?:run|build|is|are|now|also|está|agora)){0,3} (?:green|healthy|ok|pass(?:es|ed|ing)?|verde"
        r"|passou|passa)\b",
    ),
    frame(
        verbs=r"told|notified|informed|alerted|pinged|messaged|texted|briefed|let|warned",
        things=rf"{_CHANNEL}|{_DEPARTMENT}|(?:{_PEOPLE}|engineers?|managers?)(?= (?:in|on|via|through|by) )",
        eu=r"avisei|informei|notifiquei|alertei|comuniquei",
        ado=r"avisad|notificad|informad|alertad",
        more=rf"{BY_ME}(?:sent|e-?mailed|mailed|forwarded) (?:[^.;:?!]{{0,40}} to )?(?:the |our |all |each "
        rf"|every |of |your )*"
        rf"(?:{_PEOPLE}|(?:\w+ )?managers?|(?:\w+ )?owners?|{_DEPARTMENT}|{_CHANNEL})(?!\w)"
        rf"|{BY_ME}(?:e-?mailed|mailed|texted) (?:[^.;:?!]{{0,30}} to )?(?:you|them|him|her)\b"
        rf"|{BY_ME}(?:posted|shared|announced) (?:it|this|that|the [\w ]{{2,30}}?|an? [\w ]{{2,30}}?) (?:with|to"
        rf"|in|on) (?:the |our )?"
        rf"(?:{_PEOPLE}|{_DEPARTMENT}|{_CHANNEL}|\w+ channel)(?!\w)"
        rf"|\b(?:enviei|mandei|encaminhei|repassei) [^.;:?!]{{0,40}}?\b(?:para|a|ao|à|aos) (?:o |a |os |as |todos )*"
        rf"(?:{_PEOPLE}|equipa|gestor\w*|{_DEPARTMENT}|{_CHANNEL})(?!\w)"
        rf"|\b(?:avisei|informei|notifiquei|alertei) (?:a |o |os |as |toda |todo )*(?:{_PEOPLE}|equipa|gestor\w*)\b",
        aimed=r"mail|mutt|smtp|slack|notify|telegram|twilio|sendgrid|message|post|sms|whatsapp|teams|chat|send",
        stands=rf"(?<!\w)(?:on-call (?:engineer|team|rotation)|(?:{_PEOPLE}|{_DEPARTMENT})) {WAS[2:]}"
        r"(?:told|notified|informed|alerted|pinged)\b"
        r"|\b(?:finance|legal|sales|marketing|accounting|management|the team|everyone|financeiro) (?:has"
        r"|have|já) "
        r"(?:now |already )?(?:received|recebeu) (?:the|your|our|an?|[oa]s?)\b"
        r"|\b(?:release|newsletter|announcement|invitations?|reminders?) (?:went|has gone|have gone|was sent"
        r"|were sent) out to ",
    ),
    frame(
        verbs=r"closed|resolved|acknowledged|reopened",
        things=r"incidents?|alerts?|outages?|(?:support )?tickets?|pages?(?= on pagerduty)",
        eu=r"fechei|encerrei|resolvi|reconheci|fechamos|encerramos",
        ado=r"fechad|encerrad|resolvid",
        more=r"\b(?:fechei|encerrei|resolvi) (?:o |a |os |as |este |esse )*(?:incidente|alerta|chamado|protocolo"
        r"|caso)\b",
        aimed=r"clos|resolv|ack|incident|alert|pagerduty|opsgenie|\b(?:gh|glab|jira)\b|encerr|fech|update_(?:ticket|case)",
        stands=r"\bincident(?: #?[\w-]+)? (?:is|was|has been)(?: now)? (?:resolved|closed|over)\b"
        r"|\b(?:incidente|chamado|protocolo|caso)(?: #?[\w-]+)? (?:já )?(?:foi|está) (?:resolvid|encerrad|fechad)o\b",
    ),
    frame(
        verbs=r"published",
        things=r"docs|documentation|page|article|guide|blog post|site|website|wiki",
        eu=r"publiquei|publicamos",
        ado=r"publicad",
        more=r"\b(?:publiquei|publicamos) [^.;:?!]{0,40}?\b(?:documentação|página|artigo|guia|site|portal|wiki)\b",
        aimed=r"publish|deploy|mkdocs|gh-pages|netlify|vercel|push|wiki|confluence|rsync|upload|cms|wordpress|page|publicar",
        stands=r"\bpublished (?:on|to|at) (?:the |our |your )(?:\w+ )?(?:site|website|wiki|portal|blog)\b(?! by\b)"
        r"|\bpublicad[oa]s? (?:no|na|em) (?:\w+ )?(?:site|portal|wiki|blog)\b",
    ),
    frame(
        verbs=r"called|phoned|rang",
        things=r"carrier|courier|store|shop|restaurant|hotel|bank|provider|supplier|vendor|airline|manufacturer|warehouse"
        r"|(?-i:[A-Z][a-zà-ÿ]+(?: (?:d[aeo] )?[A-Z][a-zà-ÿ]+)+)(?=,? (?:and|who|to (?:ask|confirm|reserve|book)))",
        eu=r"liguei para|telefonei para|telefonei [aà]o?|liguei [aà]o?",
        ado=r"contactad|contatad",
        aimed=r"call|phone|dial|twilio|voice|lig(?:ar|a)|telefon|contact",
    ),
    frame(
        verbs=r"loaded|inserted|imported|uploaded|copied|wrote",
        things=_DATABASE,
        eu=r"carreguei|inseri|importei|gravei|carregamos|inserimos",
        ado=r"carregad|populad|atualizad",
        more=rf"{BY_ME}refreshed the (?:[\w-]+ )?dashboards?\b|\b(?:carreguei|inseri|importei) [^.;:?!]{{0,40}}?\b"
        r"(?:tabela|banco(?: de dados)?|base de dados|armazém)\b",
        aimed=r"load|copy|insert|import|migrat|alembic|flyway|manage\.py|psql|mysql|sqlite|\bbq\b|snow|dbt|etl|spark|duckdb|upsert|sql|refresh|write|upload",
        stands=rf"\b(?:is|are) now in the (?:\w+ )?(?:{_DATABASE})(?!\w)|\bhas been populated\b",
    ),
    frame(
        verbs=r"applied|executed",
        things=r"(?:database |schema )?migrations?(?: to (?:staging|production))?",
        eu=r"apliquei|executei|rodei",
        ado=r"aplicad|executad|rodad",
        aimed=r"migrat|alembic|flyway|prisma|rails|rake|liquibase|knex|psql|mysql|sqlite|manage\.py|sql",
        stands=rf"\b(?:has|have) (?:now |already )?(?:been (?:applied|run)|run) (?:to|on|in|against) (?:the )?{_PLACE}"
        rf"|\b(?:já )?(?:foi|está) (?:aplicad|executad|rodad)[oa] (?:em|no|na|ao) {_PLACE}"
        r"|\b(?:is|are) now (?:in|on) the (?:staging|production|live) (?:database|db)\b",
    ),
    frame(
        verbs=r"restarted|rebooted",
        things=r"application|app|server|service|database|pods?|deployment|machine|host|container|cluster",
        eu=r"reiniciei|reiniciamos",
        ado=r"reiniciad",
        aimed=r"restart|reboot|systemctl|service|pm2|supervisor|rollout|delete pod|docker|kubectl|kill|\bup\b|start",
        stands=r"\b(?:site|service|server|api|serviço|servidor|sistema) (?:is|está|já está) (?:now |already )*"
        r"(?:back (?:up|online|to normal)|up again|up and running again|de volta|no ar)\b",
    ),
    frame(
        verbs=r"took|made|created",
        things=r"(?:full |complete |fresh |new )?(?:backup|dump|snapshot)(?: of the (?:\w+ )?(?:database|db"
        r"|server|data))",
        eu=r"fiz|criei|gerei",
        ado=r"criad|feit",
        aimed=r"dump|backup|snapshot|\bcp\b|tar|rsync|basebackup",
    ),
)
