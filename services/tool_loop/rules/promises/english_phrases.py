"""What English says around a commitment: greetings, requests to wait, heads of plans, conditions, questions."""

from .phrases import Phrases, vocabulary

INTERJECTIONS = Phrases(
    """
    ok / okay / k / aight / aye / okie doke / alright / all right / right / great / perfect / good / got it /
    understood / done / thanks / thank you / thanks for waiting / thanks for your patience / thanks for the details /
    no problem / no problem at all / of course / absolutely / certainly / sounds good / sounds great / cool / fine /
    hmm / hm / well / so / now / yes / sure / yep / yeah / yup / sure thing / will do / one sec / one second /
    one moment / a moment / just a sec / just a second / just a moment / wait / hold on / hang on / no worries /
    noted / good catch / good point / good idea / makes sense / that makes sense / fair enough / fair point / sorry /
    apologies / sorry about that / my apologies / hi / hello / hey / agreed / exactly / excellent / awesome / gotcha /
    roger / copy that / nice / first / next / then / finally / meanwhile / also / please / oops / ah / oh / aha /
    again / indeed / definitely / in the meantime / all clear so far / not yet / still / instead / therefore / on it /
    i see / got that / very well / as requested / as you asked / per your request / great question / good question /
    you're right / you are right / my bad / let's go / beleza / certo / pronto / claro / actually /
    hold that thought / you got it / you bet / say no more / here goes / here we go / off we go / roger that / ack /
    acknowledged / affirmative / no prob / np / right then / okay then / alright then / good call / nice catch /
    great catch / with pleasure / my pleasure / all good / first things first / first up / to recap / in short /
    update / quick update / status / thanks again / welcome / ready / love it
    """
)

HOLDING = Phrases(
    """
    give me three / give me ten / give me 5 / give me 10 / give me 2 / one moment / one sec / one second /
    one minute / just a moment / just a sec / just a second / just a minute / just one moment / just a bit /
    just one sec / just one second / just one minute / just a few / a moment please / a moment / moment please /
    hang on / hang tight / hold on / hold tight / bear with me / sit tight / stand by / give me a moment /
    give me a sec / give me a second / give me a minute / give me a few / give me one / give me just a sec /
    give me just a second / give me just a moment / give me just a minute / give me just one / give me two /
    give me some time / give me five / give me a bit / please hold / please wait a / please wait while i /
    please wait one / please wait just / please stand by / please bear with me / wait a moment / wait a sec /
    wait a second / wait a minute / wait one / please allow me a moment / allow me a moment / allow me a minute /
    please give me / be right back / brb / back in a / back in a sec / back shortly
    """
)

READY = Phrases(
    """
    will do it / will do it now / will do that now / will do so / on it / right on it / on it now / already on it /
    on to it / onto it / right on to it / jumping on it / hopping on it / coming right up / coming up / on my way /
    i got it from here / i've got it from here / i've got this / i got this / i'll take it from here / on the case /
    already on the case / on this one / already on this / consider it handled / leave this to me /
    leave this with me / will do / will do that / consider it done / right away / leave it to me / leave it with me /
    leave that to me / leave that with me
    """
)

NEXT_HEADS = Phrases(
    """
    next on my list / next on the list / here goes / here we go / next / next step / next up / next action /
    next task / next move / my next step / my next move / my next action / the next step / now / then / first step /
    the first step / current step / now doing / doing now / in progress / immediate next step / first up /
    first order of business / next order of business / first things first / the next thing / next thing /
    my turn / my job now / next for me / action / current action / todo next / up next / step one / first thing
    """
)

MINE = Phrases("is mine / is on me / falls to me / is for me / is up to me / is my job")
"""What gives the step of a head to the speaker."""

PLAN_HEADS = Phrases(
    """
    what i plan / what i intend / what i want to do / plan / my plan / the plan / here's my plan / here's the plan /
    here is my plan / here is the plan / here's a plan / here is a plan / our plan / action plan / plan of action /
    plan of attack / my approach / here's my approach / here is my approach / here's how i'll / here is how i'll /
    steps i'll / steps i will / the steps i'll / what i'll / what i will / what i'm going / here's what i'll /
    here is what i'll / here is what i will / here's what i will / here's what i'm going / here is what i'm going /
    things i'll / i'll do the following / i will do the following / my next steps / my plan is as follows /
    the plan is as follows / the plan is / my plan is / my steps / next i'll / i plan to / execution plan /
    implementation plan / work plan / game plan / i have a plan
    """
)

NOT_OWN_PLAN = vocabulary(
    """
    agreed alternative always client's complete completed could customer's did diet discussed done draft earlier
    example finished followed general had he her his if lesson may meal might old optional original past possible
    potential previous proposed recommended reference sample she should suggested team's tentative their they trip
    typical used user's usual usually was were would you your
    """
)

HABITS = Phrases(
    """
    usually / always / typically / normally / generally / by default / whenever / every time / each time /
    as a rule / in general / ordinarily / routinely / as usual i / my usual / my general / my typical /
    my approach / my method / my process / my workflow / my default / my habit / my standard / how i work /
    the way i work / i tend / when unsure / when in doubt / when uncertain / each night / each day / each morning /
    each week / every night / every day / every morning / every week / on a typical day / when i'm unsure /
    when i'm not sure / when i am not sure / when i'm in doubt / from now on / going forward / in the future /
    in future
    """
)

SUPPOSING = Phrases(
    """
    suppose / supposing / imagine / assume / assuming / hypothetically / let's say / let's assume / let's suppose /
    let's imagine / let's pretend / let us assume / let us suppose / let us imagine / let us say / say i'll /
    say i'm / say i / say you / say we / say , / say that / pretend / picture this / what if /
    for the sake of argument / perhaps / maybe / possibly / in theory / conceivably / in a hypothetical /
    let me assume / let me suppose / let me imagine
    """
)
"""Openings of a sentence that is not meant as said."""
SAYING = vocabulary(
    """
    announce announced announces answer answered answers approve ask asked asks assume assumed assumes believe
    believed believes called claim claimed claims complain complained confirm expect expected expects hope hoped
    hopes implied implies imply insisted insists mean means meant mention mentioned mentions named promise promised
    promises quote quoted quotes read reads replied replies reply said say saying says state stated states suggest
    suggested suggests tell tells text texted texting think thinks thought titled told translated translates verify
    whether wonder wondered wonders worried worry write writes written wrote
    """
)

SAID = vocabulary(
    """
    added adds announced announces answered answers asked asks claimed claims explained insisted mentioned mentions
    promised promises quoted quotes reads replied replies said says shouts stated states swore tells texted titled
    told translated translates vowed warned writes wrote
    """
)

QUOTING_HEADS = vocabulary(
    """
    caption comment docstring e.g error example futuro headline instruction line log lyrics message motto note:
    output persona prompt quote repeat reply response rule slogan subject tagline tense text text: title transcript
    translated translation
    """
)

USER = vocabulary("client customer customer's u ur user user's y'all you you'd you'll you're you've your yours")

RUNS_OUT = vocabulary("complete completed completes done end ends finish finished finishes")
"""Ends that come by themselves: `once the tests finish`."""

PERSONS = USER | vocabulary(
    """
    accounting admin anyone author boss colleague developer everyone finance he legal maintainer manager marketing
    operator owner reviewer she someone supplier support team they vendor who
    """
)

OWN = vocabulary("i i'd i'll i'm i've me my our we we're we've")

CONSENT = vocabulary(
    """
    agreement answer approval authorisation authorization blessing call choice confirmation consent decision
    feedback go-ahead green help input ok okay permission reply response review say-so sign-off
    """
)

CHECKING = vocabulary(
    """
    ask asking assess assessing check checked checking checks clarify confirm confirming decide deciding detect
    detecting determine determining discover double-check double-checking evaluate evaluating examine explore figure
    find identify inspect investigate investigating know learn look looking measure out probe recheck rechecking
    review reviewing see seeing tell telling test testing understand understanding validate validating verify
    verifying wonder wondering
    """
)

WANTING = Phrases(
    """
    you want / you'd like / you would like / you wish / you prefer / you need / you like / you approve / you agree /
    you insist / you'd rather / you'd prefer / you say so / you ask / you tell / you let / you confirm / you're ok /
    you're okay / you're happy / you don't mind / you think / you give / you decide / you still want / you do want /
    you're interested / you are interested / you are happy / you really want / that's ok / that's okay /
    that works / that's fine
    """
)

MISTAKEN = Phrases(
    """
    i'm not mistaken / anything , / i am not mistaken / i'm reading / i recall / i remember / i understand /
    i'm right / i'm correct / memory serves / possible / i'm mistaken / i am mistaken / i'm wrong / i read /
    i'm guessing / it helps / you need it / you need them / anyone / someone / something goes / it's useful /
    nothing else / not more
    """
)

REQUESTS = Phrases(
    """
    let me know which / let me know what / let me know how / let me know whether / let me know when /
    let me know where / let me know who / let me know your / let me know the / let me know if you'd /
    let me know if you want / let me know if you prefer / let me know if that works / let me know if this works /
    let me know if i should / let me know if it's ok / please confirm / please provide / please share /
    please send / please tell / please specify / please clarify / please choose / please let me know /
    please advise / please paste / please upload / please approve / please select / here's what i need /
    here is what i need / what i need from you / could you / can you / would you / tell me / send me / i need you /
    i need your / i need to know / i need more / i need a bit more / i'll need your / i'll need you /
    i'll need the / awaiting your / waiting for your
    """
)

INVITING = Phrases(
    """
    let me know / tell me / just let / just tell / just say / just ask / feel free / i'm here / don't hesitate /
    i'm happy / contact me / reach out / reply / ping me / give me / shout
    """
)

TAGS = Phrases("ok / okay / k / alright / yeah / yes / cool / deal")

ASKING_TAGS = Phrases(
    """
    right / correct / is that ok / is that okay / is that alright / is that fine / is that right / does that work /
    sound good / sounds good / good / fair / agreed / shall i / should i / are you / do you / would that /
    will that / can i / may i
    """
)

READING_ONLY = vocabulary("check confirm fetch find get inspect look pull read review search see verify")
