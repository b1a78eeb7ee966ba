"""The English vocabulary of the reconciler: verbs that act, verbs that do not, and the company that turns them."""

from .phrases import Phrases, vocabulary

ACTIONS = vocabulary(
    """
    abort access activate add address adjust adopt alert align allocate amend analyse analyze annotate append apply
    archive arrange ask assemble assess assign attach attempt audit authenticate automate back backfill backport
    backtrack backup balance batch begin benchmark bind bisect block book boot bootstrap branch break bring broaden
    browse build bump bundle cache calculate call cancel capture cast change charge chart chase check clean clear
    click clone close cluster code collect comb combine comment commit compare compile complete compose compress
    compute concatenate configure confirm connect consolidate construct consult contact continue convert cook
    coordinate copy correct count cover crack craft crawl create crop cross-check cut cycle debug decode decompress
    decouple decrypt dedupe deduplicate define delegate delete deliver deploy deregister derive design detach
    determine diagnose dial diff dig direct disable disconnect discover dispatch dive divide dockerise dockerize
    document double-check downgrade download draft drain draw drill drop dry-run dump duplicate edit email embed
    enable encode encrypt enqueue enroll enter enumerate erase escalate estimate evaluate examine execute expand
    expedite experiment explore export expose extend extract fact-check fetch figure file fill filter finalise
    finalize find finish fire fix flag flash flatten flip flush follow fork format forward free freeze gather
    generate get give go grab grant graph grep group hack halt handle hash head help hide highlight hit hook host
    hunt identify implement import improve include incorporate index inform initialise initialize inject inline
    inspect install instrument integrate intercept interpolate introduce invalidate inventory invert investigate
    invoke isolate issue iterate join jot jump kick kill label launch lay leave lengthen lift link lint list load
    localise localize locate lock log look loop lower mail maintain make manage map mark match measure merge message
    migrate mirror mock model modernise modernize modify monitor mount move name narrow navigate negotiate normalise
    normalize notify obtain open optimise optimize order organise organize outline overhaul override overwrite pack
    package page parallelise parallelize parametrize parse partition paste patch pause peek perform persist phone
    pick pin ping pinpoint pipe place plot plug poke polish poll pop populate port post power prepare preprocess
    press print prioritise prioritize probe proceed process produce profile program promote proofread propagate
    protect prove provide provision prune publish pull purge push put query question queue raise rate re-check
    re-run reach read readjust realign rearrange reassign rebase rebook reboot rebuild recalculate recheck recompile
    recompute reconcile reconfigure reconnect reconstruct record recover recreate redeploy redesign redirect redo
    reduce reenable reencode refactor refer refetch refill refine reformat refresh refund regenerate register
    reimplement reimport reindex reinstall reissue relaunch relink reload relocate remap remove rename render reopen
    reorder reorganise reorganize repair reparse repeat replace replay replicate reply report repost reprocess
    reproduce repush request reread reroute rerun rescan reschedule research resend reserve reset reshape resize
    resolve restart restore restructure resubmit resume retag retest retrain retrieve retry return reupload reuse
    reverse revert review revise revisit revoke rewire rework rewrite roll rotate round route run sample sand
    sanitise sanitize save scaffold scale scan schedule scrape scroll search secure seed segment select send
    separate serialise serialize set settle shift ship shorten shrink shut sift sign simplify simulate sketch skim
    slice smoke-test snapshot solve sort source spawn specify spin split spot squash stage standardise standardize
    start stash stop store stream streamline strengthen strip structure stub study submit subscribe substitute
    summarise summarize supply support swap sweep switch sync synchronise synchronize tabulate tackle tag tail take
    tally tar target template terminate test text throttle tidy tighten time toggle trace track train transcribe
    transfer transform translate transpose trawl triage trigger trim troubleshoot try tune turn tweak type unblock
    undo unify uninstall unlock unmount unpack unpin unwrap unzip update upgrade upload use validate vectorise
    vectorize vendor verify view visit visualise visualize vote wait walk warm watch whip whitelist widen wipe wire
    work wrap write xor zero zip zoom
    """
)
"""Base forms of what an assistant does with tools, or does for a customer."""
DOUBTFUL_OPENERS = vocabulary(
    """
    ask back balance break call comment cover cut define direct drop figure file finish fire follow format free get
    give go group head help highlight hit host include inform introduce issue join kick label lay leave lift list
    lock log look maintain make manage mark mirror model move name order outline page phone pick place power press
    process program prove provide question raise rate reach read refer reply report return round run scale set ship
    sign source spin spot stage stop support take test text time train try turn type use view wait walk watch wire
    work
    """
)
"""Actions whose base form opens an instruction or a heading as often as a plan."""
NOT_ACTING = vocabulary(
    """
    a abide about accept acknowledge act adhere admit advise agree aim am an and answer apologise apologize appear
    appreciate are argue as assert assume assure at avoid be because been believe bet but by can caution cease cite
    claim clarify cling complain comply concede conclude confess congratulate consider contend could counter decide
    decline defer deny describe did disagree disclose discuss does doubt elaborate emphasise emphasize end endeavor
    endeavour enjoy enlighten err exemplify expect explain express fail favor favour fear feel for forget forgive
    frame from gain gladly guess guide had happily has hate he hear her here hesitate highlight hint his hold honor
    honour hope i if ignore illustrate imagine imply in insist interpret into introduce invite is it its keep know
    lack leave let like listen live lose love may mean mention might mind mislead miss must my need never no not
    note notice obey object observe of offer omit on only opine or ought our outline over overlook owe own
    paraphrase pass pause plead point pose posit possibly postpone praise preface prefer present presume pretend
    probably proclaim promise propose prove quote reassure recall recap recapitulate receive recite recognise
    recognize recommend refrain refuse regard regret reiterate rejoice rely remain remark remember remind rephrase
    reply represent require respect respond restate retell say seem share she should show sincerely skip so soon
    sound speak speculate spell stand state stay stick stress strive suggest suppose surrender suspect swear
    sympathise sympathize talk tell than thank that the their there these they think this those to treat trust under
    understand urge venture volunteer wait want warn warrant was we welcome were what which who win wish with
    withhold wonder worry would yield you your
    """
)
"""What follows `I'll` or `let me` without being an act: speech, thought, feeling, manners, words that are no verb."""
STATES = vocabulary(
    """
    able afraid agreeing aiming anything appearing appreciating asking assuming attaching aware basing becoming
    begging being believing betting bothering calling citing claiming coming concerned confident considering
    convinced counting curious currently dealing deciding declining dependent depending describing desperate
    detecting doing drawing dreaming during encountering enjoying ensuring envisioning evening everything excited
    expecting experiencing explaining facing failing feeling finding fine focusing following forgetting getting
    giving glad going guessing hallucinating happy having hearing hesitating hitting holding hoping imagining
    implying inclined inferring interested interpreting intrigued joking keeping kidding king lacking leaning
    learning leaving limited listening living looking losing lying meaning mentioning missing morning nothing
    noticing observing offering operating picturing pleased pointing posing presuming proposing quoting ready
    receiving recommending referring relying remaining remembering replying representing requesting responding ring
    running saying seeing sensing sharing showing sitting skipping sleeping something sorry speaking speculating
    spring standing stating staying stressing string struggling stuck suffering suggesting supposing sure suspecting
    talking telling thanking thing thinking treating trusting undergoing understanding unsure using viewing waiting
    wanting warning wearing willing wondering working worrying writing
    """
)
"""After `I'm`: no act, or one only in the company of certain words."""
ACTING_STATES = Phrases(
    """
    attaching the / attaching it / calling the / calling them / calling your / calling a / doing that / doing it /
    doing this / doing so / doing a / doing the / doing some / doing both / doing all / dealing with it /
    dealing with that / dealing with this / drawing up / drawing the / drawing a / finding out / finding the /
    following up / following the / following this / following that / focusing on fixing / focusing on the /
    focusing on it / getting started / getting on / getting the / getting your / getting that / getting it /
    getting this / getting back / getting to / getting you / getting both / giving it / giving that / giving this /
    giving you access / giving them / going to look / going over / going through / going back / going ahead /
    going straight / going deeper / going with / going for / going in / having a look / having another look /
    having a go / having another go / having someone / having the team / hitting the / holding the /
    keeping an eye / keeping track / keeping watch / looking at / looking into / looking up / looking for /
    looking through / looking it / looking that / looking over / looking in / looking now / looking again /
    looking around / looking closer / looking this / operating on it / pointing the / pointing it / replying to /
    requesting a / requesting the / requesting your / requesting access / requesting new / running a / running the /
    running it / running this / running that / running these / running those / running them / running some /
    running your / running all / running both / running every / running each / running another / running now /
    running one / running two / running more / running through / running tests / running my / running its /
    running our / running lint / running checks / running diagnostics / sharing the file / sharing the document /
    sharing access / sharing the link / showing the file / treating the patient / using grep / using ripgrep /
    using the search / using the tool / working on / working through / working it / working out / working around /
    working to / working now / working backwards / working that / working this / writing a / writing the /
    writing it / writing up / writing that / writing this / writing tests / writing some / writing out /
    writing them / writing these / writing two / writing unit / writing your / writing both / writing new /
    writing down / writing one / writing all / writing code / writing and / writing now
    """
)

SMALL = Phrases(
    """
    now / next / first / also / then / just / quickly / simply / immediately / please / again / already / still /
    actually / currently / certainly / definitely / surely / gladly / happily / personally / briefly / carefully /
    directly / kindly / manually / instead / today / tomorrow / tonight / shortly / soon / really / finally /
    additionally / further / once more / right now / right away / at once / at least / of course / in turn /
    at this point / at the moment / as we speak / start off / both / only / even / ever / promptly / separately /
    real quick / real / super / in parallel / for now / meanwhile / in the meantime / afterwards / probably /
    likely / double / automatically / temporarily / then also / systematically / programmatically / silently /
    here / busy / actively / presently / rn
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
TO_BEGIN = vocabulary("assist begin close continue end finish help kick lead open proceed start")

MANNERS = Phrases(
    """
    see if i understood / see if i understand / see if i have this / see if i got / see if i have it / sum up /
    sum it up / give you that / reply in / reply point / be brief / be honest / be right / get an error /
    get a chance / get used / get into detail / get into the details / do my best / do what i can / do my utmost /
    do whatever / do anything / do everything / do so if / do well / do fine / try my best / try my hardest /
    try to help / try to be / try to answer / try to explain / try to keep / try to clarify / try to summarize /
    try to assist / try to describe / make it clear / make it short / make it brief / make it simple / make a note /
    make an assumption / make the assumption / make do / make myself / make sense / make one thing /
    make sure you know / make sure you understand / make sure we're / make sure i understand / make sure i'm /
    make myself clear / make a suggestion / make a few points / make a recommendation / make no / make a point /
    make an exception / take it that / take that as / take this as / take it as / take your word / take note /
    take that into / take this into / take it to mean / take that to mean / take you through /
    take a moment to explain / take a simple / take an example / take a concrete / take this opportunity /
    take my leave / take into account / give you an example / give you a / give you an / give you some /
    give you the steps / give you more / give you my / give an example / give a brief / give a short /
    give a quick overview / give some context / give some background / give a concrete example / give a few /
    give you all / give you examples / give you details / give you step / give an overview / give a summary /
    give examples / give my / give a rough / give a simple / give you two / give it to you / give you credit /
    give you three / give up / provide you / provide an example / provide a summary / provide an overview /
    provide an explanation / provide some / provide more / provide a brief / provide a short / provide a detailed /
    provide step / provide the steps / provide a step / provide details / provide further / provide context /
    provide an answer / provide the answer / provide a clear / provide examples / provide a concise /
    provide a simple / provide a few / provide the following / provide guidance / provide an update /
    provide accurate / provide information / provide a general / provide you with / use the word / use the term /
    use the words / use the terms / use the notation / use the name / use the following example /
    use the following notation / use an example / use an analogy / use a simple example / use metaphors /
    use a metaphor / use a simple analogy / use the example / use plain language / use simple / use this example /
    use metric / use english / use it as an example / use a concrete example / use the letter /
    use a different word / call it / call this / call that / call these / call those / call him / call her /
    call you / go into detail / go into more / go into the / go into / go over the basics / go over the main /
    go over the key / go over the steps / go over each / go over these / go over those / go over what /
    go through the steps / go through each / go through the basics / go through these / go through what / go first /
    go now / go on record / go away / put it / put this another / put this in / put that another / put that in /
    put things / put it this way / put another way / add that / add only / add just / add one thing /
    add one more thing / add two things / add a word / add a note that / add my / break this down / break it down /
    break that down / break down / break the / break these / walk you / walk us / walk through / walk everyone /
    see you / talk to you / speak with you / refer you / refer to it / refer to this / refer to them /
    refer to that / refer to the / start by saying / start with the good / start with the bad /
    start with the basics / start with a quick / start with an example / start with an overview /
    start with a brief / start from the beginning / spare you / grant you that / grant that / address your /
    address the elephant / address this point / stop you / stop right / find it hard / find that hard / find this /
    follow your / follow these instructions / follow those / follow that advice / follow the rules /
    follow the guidelines / follow your lead / ask you / ask a question / ask a few / ask one / ask some /
    ask that you / ask for your / ask for more / ask again / ask first / ask before / ask whether you / ask if you /
    set the stage / set the scene / set expectations / set aside / draw your attention / cut to the /
    get straight to / get to the point / get right to / support you / question whether / repeat myself /
    repeat that / repeat it / repeat what / repeat the question / repeat this / correct myself / correct that /
    correct my earlier / correct my previous / correct my last / correct my answer / correct one / correct you /
    inform you / notify you that / gather some information / gather some details / gather more information /
    gather a few / gather some more / collect some information / collect a few / collect some details /
    gather the following / collect the following / verify your / confirm the details / confirm a few /
    confirm some / confirm the following / confirm your / confirm whether you / confirm if you / clarify a few /
    second that / second your / take two / focus on the main / focus on the key / focus on what / limit my /
    limit myself / lay out / define the terms / define some / guide you / name a few / name them / list them /
    list the main / list the key / list the options / list some / list a few / list what / list below / list my /
    list possible / list all the options / list the steps / list the reasons / list the pros / define what /
    define the term / define a few / cover the / cover each / cover both / cover these / stop here / stop there /
    stop now / stop at this / stop at that / stop talking / stop asking / stop and / step back / step aside /
    leave it / return to this / return to that / return to your question / come back to that / come back to this /
    begin with the good / begin with the basics / begin with the end / begin by / summarize / summarise / outline /
    hand over to you / hand it over to you / hand back to you / turn it over to you / turn to you / confirm: /
    confirm that i / confirm i understand / confirm my understanding / confirm what you / confirm we're /
    confirm that we / confirm that you / base my / base this on / bring up / bring to your / bring you up /
    point out / close by / close with / finish by / finish with / count on / count this / count it as /
    check in with you / need you / look forward / report that / work under / work within / work with you /
    work with what
    """
)
"""Verbs that act, in company in which they do not."""
RESCUES = Phrases(
    """
    reply to the / reply to them / reply to their / reply to his / reply to her / reply on the /
    reply with the tracking / keep a backup / keep a copy / keep a record / keep a log / keep the / keep both /
    keep digging / keep looking / keep going / keep trying / keep an / keep watching / keep checking /
    keep searching / keep working / keep monitoring / keep reading / keep testing / keep track / keep polling /
    keep debugging / keep investigating / keep exploring / keep at it / keep at / leave a comment / leave a note /
    leave it running / leave a review / let the team know / let them know / let the customer / let him know /
    let her know / let it run / let the build / let the job / let the script / pass it to / pass it on /
    pass this on / pass that on / pass this to / pass your / pass that to / pass them / pass along / pass the /
    pass a / remind you at / remind you tomorrow / remind you in / remind you on / remind you every /
    remind you when / remind them / remind the / respond to the / respond to their / respond to his /
    respond to her / share the file / share the document / share the link / share the results with the /
    share access / share it with the / share the report with / share it in / share it on / show the file /
    show the contents / skip to / skip ahead / skip straight / hold the slot / hold the room / hold the item /
    hold your / hold a / introduce a / introduce an / introduce the following change / understand the /
    understand how / understand why / understand what / decide on / decide which / choose the / point the /
    point it / point dns / point them / treat this as a priority / talk to the / talk to our / talk to my /
    talk to them / speak to the / speak to my / speak to our / speak with the / speak with our / speak with my /
    represent the data / quote the job / act on / act now / represent it as / invite the / invite them /
    invite your / decide / describe the table / describe the pod / present the findings to the /
    explain it in the docstring / explain this in the / note it in the / note that in the / note this in the /
    note it down / note that down / note down / own this / own it / see / listen to the / listen on / listen for /
    answer the email / answer the ticket / answer them / welcome them / trust but verify / guess and check /
    expect and
    """
)
"""Verbs that do not act, in company in which they do."""
ARTIFACTS = vocabulary(
    """
    branch branches bucket buckets column columns commit commits config configuration container containers content
    contents database databases dependencies dependency directories directory entries environment file files folder
    folders history job jobs log logs order orders output package packages pod pods port ports process processes
    queue queues record records repo repository schema schemas table tables ticket tickets user users volume volumes
    """
)

FINITE = vocabulary(
    """
    added adds allowed allows appeared appears are aren't avoided avoids became becomes belongs brings broke brought
    came can can't cannot caused causes comes confirmed confirms consumed consumes could couldn't created creates
    deleted deletes depends did didn't does doesn't eliminated eliminates ended ends ensured ensures failed feels
    fixed forced forces gave gets gives goes got had hadn't happened happens has hasn't helped helps improved
    improves increased increases introduced introduces involved involves is isn't isnt keeps kept leads leaves led
    left lets made makes matter matters may means meant might must needs prevented prevents printed produces proved
    proves raised raises reduced reduces remains removed removes requires resolved resolves resulted results
    returned revealed reveals seemed seems should shouldn't showed slowed slows solved solves sounds speeds takes
    tended tends threw throws took triggered triggers turned turns was wasn't went were weren't will won't worked
    would wouldn't yielded yields
    """
)

AMBIGUOUS_FINITE = vocabulary(
    """
    adds blocks breaks changes checks costs cut fails fixes found hit let lists loads locks logs matches needs
    outputs prints put reports results returns runs saves set sets shows starts stops tests triggers turns updates
    uses works
    """
)

AFTER_FINITE = vocabulary(
    """
    a about again all an any because down every everything exactly fine five four it its less me more much my no
    none not nothing one only our out some ten that the their them these this those three too twice two up us well
    you your
    """
)

DETERMINERS = vocabulary(
    """
    a all an any at both each every few five for four her his in its many more my new no of old on other our several
    some ten that the their these this those three two with your
    """
)

EMBEDDING = vocabulary(
    """
    after although and as because before but by for from how if since so than that then though unless until what
    whatever when where whether which whichever while who whom whose why
    """
)

PRONOUNS = vocabulary("everyone everything he i it nobody nothing one she that there these they this those we you")
