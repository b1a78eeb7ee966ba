"""The English vocabulary of the reconciler: verbs that act, verbs that do not, and what stands around them."""

from .phrases import Phrases

ACTIONS = frozenset(
    """
    abort access activate add address adjust adopt alert align allocate amend analyse analyze annotate append apply
    archive arrange ask assemble assess assign attach attempt audit authenticate automate back backfill backport
    backtrack backup balance batch begin benchmark bind bisect block book boot bootstrap branch break bring browse build bump
    bundle cache calculate call cancel capture cast change charge chart chase check clean clear click clone close
    cluster code collect combine comb comment commit compare compile complete compose compress compute concatenate
    configure confirm connect consolidate construct consult contact continue convert cook coordinate copy correct count
    cover crack craft crawl create crop cross-check cut cycle debug decode decompress decouple decrypt dedupe deduplicate
    define delegate delete deliver deploy deregister derive design detach determine diagnose dial diff dig direct
    disable disconnect discover dispatch dive divide dockerise dockerize document double-check downgrade download draft
    drain draw drill drop dry-run dump duplicate edit email embed enable encode encrypt enqueue enroll enter enumerate
    erase escalate estimate evaluate examine execute expand expedite experiment explore export expose extend extract
    fact-check fetch figure file fill filter finalise finalize find finish fire fix flag flash flatten flip flush follow
    fork format forward free freeze gather generate get give go grab grant graph grep group hack halt handle hash head
    help hide highlight hit hook host hunt identify implement import improve include incorporate index inform
    initialise initialize inject inline inspect install instrument integrate interpolate intercept introduce invalidate
    inventory invert investigate invoke isolate issue iterate join jot jump kick kill label launch lay leave lengthen
    lift link lint list load localise localize locate lock log look loop lower mail maintain make manage map mark match
    measure merge message migrate mirror mock model modernise modernize modify monitor mount move name narrow navigate
    negotiate normalise normalize notify obtain open optimise optimize order organise organize outline overhaul override
    overwrite pack package page parallelise parallelize parametrize parse partition paste patch pause peek perform persist
    phone pick pin ping pinpoint pipe place plot plug poke polish poll pop populate port post power prepare preprocess
    press print prioritise prioritize probe proceed process produce profile program promote proofread propagate protect
    prove provide provision prune publish pull purge push put query question queue raise rate re-check re-run reach read
    readjust realign rearrange reassign rebase rebook reboot rebuild recalculate recheck recompile recompute reconcile
    reconfigure reconnect reconstruct record recover recreate redeploy redesign redirect redo reduce reenable reencode
    refactor refer refetch refill refine reformat refresh refund regenerate register reimplement reimport reindex
    reinstall reissue reload relaunch relink relocate remap remove rename render reopen reorder reorganise reorganize
    repair reparse repeat replace replay replicate reply report repost reprocess reproduce repush request reread reroute
    rerun reschedule rescan research resend reserve reset reshape resize resolve resubmit restart restore restructure
    resume retag retest retrain retrieve retry return reupload reuse reverse revert review revise revisit revoke rework
    rewire rewrite roll rotate round route run sample sand sanitise sanitize save scaffold scale scan schedule scrape
    scroll search secure seed segment select send separate serialise serialize set settle shift ship shorten shrink shut
    sift sign simplify simulate sketch skim slice smoke-test snapshot solve sort source spawn specify spin split spot
    squash stage standardise standardize start stash stop store stream streamline strengthen strip structure study stub
    submit subscribe substitute summarise summarize supply support swap sweep switch sync synchronise synchronize
    tabulate tackle tag tail take tally tar target template terminate test text throttle tidy tighten time toggle track
    trace train transcribe transfer transform translate transpose trawl triage trigger trim troubleshoot try tune turn
    tweak type unblock undo unify uninstall unlock unmount unpack unpin unwrap unzip update upgrade upload use validate
    vectorise vectorize vendor verify view visit visualise visualize vote wait walk warm watch whip whitelist widen wipe wire
    work wrap write xor zero zip zoom
    """.split()
)
"""Base forms of what an assistant does with tools, or does for a customer."""

DOUBTFUL_OPENERS = frozenset(
    """
    ask back balance break call comment cover cut define direct drop figure file finish fire follow format free get give
    go group head help highlight hit host include inform introduce issue join kick label lay leave lift list lock log
    look maintain make manage mark mirror model move name order outline page phone pick place power press process program
    prove provide question raise rate reach read refer reply report return round run scale set ship sign source
    spin spot stage stop support take test text time train try turn type use view wait walk watch wire work
    """.split()
)
"""Actions whose base form opens an instruction or a heading as often as a plan."""

NOT_ACTING = frozenset(
    """
    abide accept acknowledge act adhere admit advise agree aim answer apologise apologize appear appreciate argue assert
    assume assure avoid believe bet caution cease cite claim clarify cling complain comply concede conclude confess
    congratulate consider contend counter decide decline defer deny describe disagree disclose discuss doubt elaborate
    emphasise emphasize end endeavor endeavour enjoy enlighten err exemplify expect explain express fail favor favour
    feel fear forget forgive frame gain guess guide gladly happily hate hear hesitate highlight hint hold honor honour hope
    ignore illustrate imagine imply insist interpret introduce invite keep know lack leave let like listen live love lose
    mean mention mind miss mislead need note notice obey object observe offer omit opine outline overlook owe own paraphrase
    pass pause plead point pose posit postpone praise prefer present presume pretend proclaim promise propose prove
    quote reassure recall recap recapitulate receive recite recognise recognize recommend refrain refuse regard regret reiterate
    rejoice rely remain remark remember remind rephrase represent require respect respond restate retell say seem share
    show sincerely skip sound speak speculate spell stand state stay stick stress strive suggest suppose surrender suspect
    swear sympathise sympathize talk tell thank think treat trust understand urge venture volunteer wait want warn
    warrant welcome win wish withhold wonder worry yield
    be been am is are was were does did has had can could would should may might must ought not never no only
    i you he she it we they this that these those the a an my your his her its our their there here who what which
    and or but so because than as if of in on at by for with from into about over under to soon probably possibly
    """.split()
)
"""What follows `I'll` or `let me` without being an act: speech, thought, feeling, manners, words that are no verb."""

STATES = frozenset(
    """
    able afraid agreeing aiming appearing appreciating asking assuming attaching aware basing becoming begging being
    believing betting bothering calling citing claiming coming concerned confident considering convinced counting
    currently curious dealing deciding declining dependent depending desperate detecting doing drawing describing
    encountering enjoying ensuring excited experiencing explaining expecting facing failing feeling finding fine focusing
    following forgetting getting giving glad going guessing happy hallucinating having hearing hesitating hitting holding
    hoping imagining implying inclined inferring interested interpreting intrigued joking keeping kidding lacking leaning
    learning limited listening living looking losing lying meaning mentioning missing noticing observing offering
    operating pleased pointing posing presuming proposing quoting ready receiving recommending referring relying
    remembering remaining responding replying representing requesting running saying seeing sensing sharing showing
    sitting sorry speaking speculating standing stating staying struggling stuck stressing suffering suggesting supposing
    sure suspecting talking telling thanking thinking treating trusting understanding undergoing unsure using
    viewing waiting wanting warning wearing willing wondering working worrying writing
    anything everything nothing something during string spring evening morning king ring thing
    """.split()
)
"""After `I'm`: no act, or one only in the company of certain words."""

ACTING_STATES = Phrases(
    """
    attaching the / attaching it
    calling the / calling them / calling your / calling a
    doing that / doing it / doing this / doing so / doing a / doing the / doing some / doing both / doing all
    dealing with it / dealing with that / dealing with this
    drawing up / drawing the / drawing a
    finding out / finding the
    following up / following the / following this / following that
    focusing on fixing / focusing on the / focusing on it
    getting started / getting on / getting the / getting your / getting that / getting it / getting this / getting back / getting to / getting you / getting both
    giving it / giving that / giving this / giving you access / giving them
    going to look / going over / going through / going back / going ahead / going straight / going deeper / going with / going for / going in
    having a look / having another look / having a go / having another go / having someone / having the team
    hitting the / holding the
    keeping an eye / keeping track / keeping watch
    looking at / looking into / looking up / looking for / looking through / looking it / looking that / looking over / looking in / looking now / looking again / looking around / looking closer / looking this
    operating on it
    pointing the / pointing it
    replying to / requesting a / requesting the / requesting your / requesting access / requesting new
    running a / running the / running it / running this / running that / running these / running those / running them / running some / running your / running all / running both / running every / running each / running another / running now / running one / running two / running more / running through / running tests / running my / running its / running our / running lint / running checks / running diagnostics
    sharing the file / sharing the document / sharing access / sharing the link
    showing the file
    treating the patient
    using grep / using ripgrep / using the search / using the tool
    working on / working through / working it / working out / working around / working to / working now / working backwards / working that / working this
    writing a / writing the / writing it / writing up / writing that / writing this / writing tests / writing some / writing out / writing them / writing these / writing two / writing unit / writing your / writing both / writing new / writing down / writing one / writing all / writing code / writing and / writing now
    """
)

SMALL = Phrases(
    """
    now / next / first / also / then / just / quickly / simply / immediately / please / again / already / still /
    actually / currently / certainly / definitely / surely / gladly / happily / personally / briefly / carefully /
    directly / kindly / manually / instead / today / tomorrow / tonight / shortly / soon / really / finally /
    additionally / further / once more / right now / right away / at once / at least / of course / in turn /
    at this point / at the moment / as we speak / start off / both / only / even / ever / promptly / separately /
    real quick / real / super / in parallel / for now / meanwhile / in the meantime / afterwards / double /
    automatically / temporarily / then also / systematically / programmatically / silently / here / busy / actively /
    presently / rn
    """
)
CARRIERS = Phrases(
    """
    try and / go ahead and / go and / come and / make sure to / be sure to / proceed to / try to / attempt to /
    continue to / start to / begin to / get to / help to / move to / gonna / have to / need to / go on to /
    set out to / get around to
    """
)
"""Verbs that pass a commitment on to the verb that follows. `SMALL` are adverbs and the like that stand before one."""

TO_BEGIN = frozenset("start begin kick finish continue proceed lead open close end help assist".split())

MANNERS = Phrases(
    """
    be brief / be honest / be right / get an error / get a chance / get used / get into detail / get into the details /
    do my best / do what i can / do my utmost / do whatever / do anything / do everything / do so if / do well / do fine /
    try my best / try my hardest / try to help / try to be / try to answer / try to explain / try to keep / try to clarify /
    try to summarize / try to assist / try to describe /
    make it clear / make it short / make it brief / make it simple / make a note / make an assumption / make the assumption / make do / make myself /
    make sense / make one thing / make sure you know / make sure you understand / make sure we're / make sure i understand / make sure i'm / make myself clear / make a suggestion / make a few points /
    make a recommendation / make no / make a point / make an exception /
    take it that / take that as / take this as / take it as / take your word / take note / take that into / take this into / take it from / take it to mean /
    take that to mean / take you through / take a moment to explain / take this opportunity / take my leave / take into account /
    give you an example / give you a / give you an / give you some / give you the steps / give you more / give you my / give an example / give a brief / give a short /
    give a quick overview / give some context / give some background / give a concrete example / give a few / give you all / give you examples / give you details / give you step /
    give an overview / give a summary / give examples / give my / give a rough / give a simple / give you two / give you three / give up /
    provide you / provide an example / provide a summary / provide an overview / provide an explanation / provide some / provide more /
    provide a brief / provide a short / provide a detailed / provide step / provide the steps / provide a step / provide details /
    provide further / provide context / provide an answer / provide the answer / provide a clear / provide examples / provide a concise / provide a simple / provide a few /
    provide the following / provide guidance / provide an update / provide accurate / provide information / provide a general / provide you with /
    use the word / use the term / use the words / use the terms / use the notation / use the name / use the following example / use the following notation /
    use an example / use an analogy / use a simple example / use metaphors / use a metaphor / use a simple analogy / use the example / use plain language / use simple /
    use this example / use metric / use english / use it as an example / use a concrete example / use the letter / use a different word /
    call it / call this / call that / call these / call those / call him / call her / call you /
    go into detail / go into more / go into the / go into / go over the basics / go over the main / go over the key / go over the steps / go over each / go over these / go over those / go over what /
    go through the steps / go through each / go through the basics / go through these / go through what / go first / go now / go on record / go away /
    put it / put this another / put this in / put that another / put that in / put things / put it this way / put another way /
    add that / add only / add just / add one thing / add one more thing / add two things / add a word / add a note that / add my /
    break this down / break it down / break that down / break down / break the / break these / walk you / walk us / walk through / walk everyone /
    see you / talk to you / speak with you / refer you / refer to it / refer to this / refer to them / refer to that / refer to the /
    start by saying / find it hard / find that hard / find this / follow your / follow these instructions / follow those / follow that advice / follow the rules / follow the guidelines / follow your lead /
    ask you / ask a question / ask a few / ask one / ask some / ask that you / ask for your / ask for more / ask again / ask first / ask before / ask whether you / ask if you /
    set the stage / set the scene / set expectations / set aside / draw your attention / cut to the / get straight to / get to the point / get right to /
    support you / question whether / repeat myself / repeat that / repeat it / repeat what / repeat the question / repeat this / correct myself / correct that / correct my earlier / correct one / correct you /
    name a few / name them / list them / list the main / list the key / list the options / list some / list a few / list what / list below / list my / list possible / list all the options / list the steps / list the reasons / list the pros /
    define what / define the term / define a few / define some / cover the / cover each / cover both / cover these / stop here / stop there / stop now / stop at this / stop at that / stop talking / stop asking / stop and /
    step back / step aside / leave it / return to this / return to that / return to your question / come back to that / come back to this / begin with the / begin by / summarize / summarise / outline /
    hand over to you / hand it over to you / hand back to you / turn it over to you / turn to you / confirm: / confirm that i / confirm i understand / confirm my understanding / confirm what you / confirm we're / confirm that we / confirm that you /
    base my / base this on / bring up / bring to your / bring you up / point out / close by / close with / finish by / finish with / count on / count this / count it as / check in with you / need you / look forward / report that / work under / work within / work with you / work with what
    """
)
"""Verbs that act, in company in which they do not."""

RESCUES = Phrases(
    """
    keep digging / keep looking / keep going / keep trying / keep an / keep watching / keep checking / keep searching / keep working / keep monitoring / keep reading / keep testing /
    keep track / keep polling / keep debugging / keep investigating / keep exploring / keep at it / keep at /
    leave a comment / leave a note / leave it running / leave a review /
    let the team know / let them know / let the customer / let him know / let her know / let it run / let the build / let the job / let the script /
    pass it to / pass it on / pass this on / pass that on / pass this to / pass your / pass that to / pass them / pass along / pass the / pass a /
    remind you at / remind you tomorrow / remind you in / remind you on / remind you every / remind you when / remind them / remind the /
    respond to the / respond to their / respond to his / respond to her / share the file / share the document / share the link / share the results with the / share access /
    share it with the / share the report with / share it in / share it on / show the file / show the contents /
    skip to / skip ahead / skip straight / hold the slot / hold the room / hold the item / hold your / hold a /
    introduce a / introduce an / introduce the following change / understand the / understand how / understand why / understand what / decide on / decide which / choose the / point the / point it / point dns / point them /
    treat this as a priority / talk to the / talk to our / talk to my / talk to them / speak to the / speak to my / speak to our / speak with the / speak with our / speak with my /
    represent the data / quote the job / act on / act now / represent it as / invite the / invite them / invite your / decide / describe the table / describe the pod / present the findings to the /
    explain it in the docstring / explain this in the / note it in the / note that in the / note this in the / note it down / note that down / note down / own this / own it / see / listen to the / listen on / listen for /
    answer the email / answer the ticket / answer them / welcome them / trust but verify / guess and check / expect and
    """
)
"""Verbs that do not act, in company in which they do. `understand`, `see` and `decide` act after `let me` and `need to`."""

ARTIFACTS = frozenset(
    """
    file files directory directories folder folders table tables column columns content contents log logs process processes
    commit commits branch branches package packages port ports container containers pod pods ticket tickets repo
    repository database databases record records bucket buckets user users job jobs queue queues volume volumes
    schema schemas dependency dependencies entries history output config configuration environment order orders
    """.split()
)

FINITE = frozenset(
    """
    is are was were isn't aren't wasn't weren't will would won't wouldn't can can't cannot could couldn't should shouldn't
    may might must has hasn't had hadn't does doesn't did didn't isnt has
    requires takes makes gives produces causes reveals revealed confirmed confirms showed gave made took failed worked
    helped broke led printed returned avoids avoided prevents prevented allows allowed lets helps keeps kept leaves left
    means meant seems seemed becomes became leads yields yielded ensures ensured involves involved depends deletes deleted
    removes removed fixed solves solved resolves resolved caused creates created reduces reduced improves improved
    increases increased gets got goes went comes came happens happened proves proved tends tended sounds feels appears
    appeared introduces introduced eliminates eliminated triggers triggered results resulted speeds slows takes brings
    brought adds added turns turned throws threw raises raised forces forced needs consumes consumed
    """.split()
)
AMBIGUOUS_FINITE = frozenset(
    "shows works fails breaks prints returns reports tests logs changes updates fixes costs locks saves matches checks "
    "uses cut put set hit let runs starts stops loads sets blocks lists outputs results adds triggers needs turns".split()
)
AFTER_FINITE = frozenset(
    "the a an this that these those it them you us me my your its our their no nothing none not fine well too one two "
    "three four five ten twice again only exactly about up down out because more less all every some any".split()
)
DETERMINERS = frozenset(
    "the a an this that these those my your his her its our their all any some no each every both of for in on at with "
    "more other new old two three four five ten several many few".split()
)
EMBEDDING = frozenset(
    "that which who whom whose where when while how what why if whether because since so until unless before after as "
    "then and but for from by than though although whatever whichever".split()
)
PRONOUNS = frozenset("i you he she it we they there one this that these those everything everyone nobody nothing".split())

INTERJECTIONS = frozenset(
    """
    ok okay k sure yes yep yeah yup alright right great perfect good got it understood done thanks thank you no problem of
    course absolutely certainly sounds cool fine hmm hm well so now one sec second moment a minute just wait hold on hang
    worries noted will do thing catch point idea makes sense fair enough sorry apologies hi hello hey agreed exactly
    excellent awesome gotcha roger copy that nice first next then finally meanwhile also please oops ah oh aha again
    indeed definitely in the meantime for your patience too all clear far not yet still instead therefore today tonight
    ok, beleza certo pronto
    """.split()
)

HOLDING = Phrases(
    """
    one moment / one sec / one second / one minute / just a moment / just a sec / just a second / just a minute / just one moment / just a bit /
    just one sec / just one second / just one minute / just a few / a moment please / a moment / moment please / hang on / hang tight / hold on / hold tight / bear with me / sit tight / stand by /
    give me a moment / give me a sec / give me a second / give me a minute / give me a few / give me one / give me just / give me two / give me some time / give me five / give me a bit /
    please hold / please wait a / please wait while i / please wait one / please wait just / please stand by / please bear with me / wait a moment / wait a sec / wait a second / wait a minute / wait one / please allow me a moment / allow me a moment / allow me a minute / please give me / be right back / brb / back in a / back in a sec / back shortly / stay tuned
    """
)
READY = Phrases("on it / right on it / on it now / already on it / will do / will do that / consider it done / right away / leave it to me / leave it with me / leave that to me / leave that with me")

NEXT_HEADS = Phrases(
    """
    next / next step / next up / next action / next task / next move / my next step / my next move / my next action / the next step / now / then / first step / the first step /
    current step / now doing / doing now / in progress / immediate next step / first up / todo next / up next / step one / first thing
    """
)
PLAN_HEADS = Phrases(
    """
    plan / my plan / the plan / here's my plan / here's the plan / here is my plan / here is the plan / here's a plan / here is a plan / our plan / action plan / plan of action / plan of attack /
    my approach / here's my approach / here is my approach / here's how i'll / here is how i'll / steps i'll / steps i will / the steps i'll / what i'll / what i will / what i'm going / here's what i'll / here is what i'll / here is what i will /
    here's what i will / here's what i'm going / here is what i'm going / things i'll / i'll do the following / i will do the following / my next steps / my plan is as follows / the plan is as follows / the plan is / my plan is / my steps / next i'll / i plan to / execution plan / implementation plan / work plan / game plan / i have a plan
    """
)
NOT_OWN_PLAN = frozenset(
    """
    proposed suggested recommended previous old past earlier original completed complete done finished possible sample example
    optional alternative your you their his her was were could would might may should if used did had usually usual general
    typical always potential tentative draft they he she customer's user's client's team's diet meal lesson trip
    """.split()
)

HABITS = Phrases(
    """
    usually / always / typically / normally / generally / by default / whenever / every time / each time / as a rule / in general / ordinarily / routinely / as usual i /
    my usual / my general / my typical / my approach / my method / my process / my workflow / my default / my habit / my standard / how i work / the way i work / i tend / when unsure / when in doubt / when uncertain /
    each night / each day / each morning / each week / every night / every day / every morning / every week / on a typical day / when i'm unsure / when i'm not sure / when i am not sure / when i'm in doubt / from now on / going forward / in the future / in future
    """
)
SUPPOSING = Phrases(
    """
    suppose / supposing / imagine / assume / assuming / hypothetically / let's say / let's assume / let's suppose / let's imagine / let's pretend / let us assume / let us suppose / let us imagine / let us say / say i'll / say i'm / say i / say you / say we / say , / say that / pretend /
    picture this / what if / for the sake of argument / perhaps / maybe / possibly / in theory / conceivably / in a hypothetical / let me assume / let me suppose / let me imagine
    """
)
"""Openings of a sentence that is not meant as said."""

SAYING = frozenset(
    """
    say says said saying tell tells told ask asks asked write writes wrote written read reads claim claims claimed mention
    mentions mentioned mean means meant reply replies replied state states stated announce announces announced promise promises
    promised think thinks thought assume assumes assumed believe believes believed hope hopes hoped wonder wonders wondered
    imply implies implied suggest suggests suggested expect expects expected worry worried complain complained insists
    insisted translates translated answer answers answered text texted texting quote quotes quoted titled called named
    """.split()
)
QUOTING_HEADS = frozenset(
    """
    translation translated subject title quote example e.g error output message comment reply response caption text
    transcript note: log line text: lyrics headline tagline slogan motto rule instruction prompt persona docstring
    """.split()
)

USER = frozenset("you you'd you'll you're you've your yours user customer client user's customer's y'all u ur".split())
OWN = frozenset("i i'm i've i'll i'd my we we've we're our me".split())
CONSENT = frozenset(
    "permission approval consent confirmation ok okay go-ahead blessing authorization authorisation agreement say-so "
    "sign-off answer reply response feedback decision input choice call green help".split()
)
CHECKING = frozenset(
    """
    check checking see seeing verify verifying confirm confirming test testing determine determining ask asking know find
    out figure look looking investigate investigating decide deciding tell telling learn evaluate assess assessing
    evaluating validate validating wonder explore clarify examine inspect reviewing review double-check double-checking
    checks checked recheck rechecking understand understanding identify detect detecting measure probe discover wondering
    """.split()
)
WANTING = Phrases(
    """
    you want / you'd like / you would like / you wish / you prefer / you need / you like / you approve / you agree / you insist / you'd rather / you'd prefer / you say so / you ask / you tell / you let / you confirm / you're ok /
    you're okay / you're happy / you don't mind / you think / you give / you decide / you still want / you do want / you're interested / you are interested / you are happy / you really want / that's ok / that's okay / that works / that's fine
    """
)
MISTAKEN = Phrases(
    "i'm not mistaken / i am not mistaken / i'm reading / i recall / i remember / i understand / i'm right / i'm correct / memory serves / possible / anything / i'm mistaken / i am mistaken / i'm wrong / i read / i'm guessing / nothing else / not more"
)
REQUESTS = Phrases(
    """
    let me know which / let me know what / let me know how / let me know whether / let me know when / let me know where / let me know who / let me know your / let me know the /
    let me know if you'd / let me know if you want / let me know if you prefer / let me know if that works / let me know if this works / let me know if i should / let me know if it's ok /
    please confirm / please provide / please share / please send / please tell / please specify / please clarify / please choose / please let me know / please advise / please paste / please upload / please approve / please select /
    could you / can you / would you / tell me / send me / i need you / i need your / i need to know / i need more / i need a bit more / i'll need your / i'll need you / i'll need the / awaiting your / waiting for your
    """
)
INVITING = Phrases("let me know / tell me / just let / just tell / just say / just ask / feel free / i'm here / don't hesitate / i'm happy / contact me / reach out / reply / ping me / give me / shout")
TAGS = Phrases("ok / okay / k / alright / yeah / yes / cool / deal")
ASKING_TAGS = Phrases("right / correct / is that ok / is that okay / is that alright / is that fine / is that right / does that work / sound good / sounds good / good / fair / agreed / shall i / should i / are you / do you / would that / will that / can i / may i")
READING_ONLY = frozenset("check look see verify fetch find search review inspect read pull confirm get".split())
