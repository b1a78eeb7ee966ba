"""The English vocabulary of the reconciler: verbs that act, verbs that do not, and the company that turns them."""

from .phrases import Phrases, vocabulary

ACTIONS = vocabulary(
    """
    abort access activate add address adjust adopt alert align allocate amend analyse analyze annotate anonymize
    append apply approve archive arrange ask assemble assess assign attach attempt audit authenticate automate back
    backfill backport backtrack backup balance batch beef begin benchmark bind bisect blend block book boost boot
    bootstrap brainstorm branch break brighten bring broaden browse budget build bump bundle burn cache calculate
    calibrate call cancel capture carve cast categorize change channel charge chart chase check chop chunk clamp
    clean clear click clone close cluster coalesce code collapse collate collect comb combine commence comment
    commission commit compact compare compile complete compose compress compute concatenate condense conduct
    configure confirm connect consolidate construct consult contact continue contrast convene convert cook
    coordinate copy correct correlate count cover crack craft crawl create crop cross-check cross-reference curate
    customize cut cycle debug decode decommission decompress decouple decrypt dedupe deduplicate deepen define
    defragment delegate delete deliver demote deploy deprecate deregister derive design detach detangle determine
    diagnose dial diff dig digest direct disable discard disconnect discover dismiss dispatch dissect distribute
    dive divide dockerise dockerize document double double-check downgrade download downsize draft drain draw drill
    drop dry-run dump duplicate dust ease edit eject elevate eliminate email embed enable encapsulate encode encrypt
    enforce engage enhance enqueue enrich enroll enter enumerate equip erase escalate establish estimate evaluate
    evict examine exclude execute exercise expand expedite experiment explore export expose extend extract
    fact-check factor feed fetch field figure file fill filter finalise finalize find fine-tune finish fire fix flag
    flash flatten flesh flip flush fold follow fork format forward free freeze fuse fuzz gather generate get give
    glue go grab grant graph grep groom group hack halt halve hammer handle harden harmonize harvest hash head heat
    help hide highlight hit hone hook host hunt hydrate identify implement import improve impute include incorporate
    index inflate inform ingest initialise initialize initiate inject inline inspect install instrument integrate
    intercept interpolate interview introduce invalidate inventory invert investigate invoke iron isolate issue
    itemize iterate join jot jump kick kill knock label launch lay leave lengthen leverage lift line link lint
    liquidate list load localise localize locate lock log look loop loosen lower mail maintain make manage map mark
    massage match materialize measure mend merge message migrate mint mirror mitigate mock model modernise modernize
    modify monitor mount move mute nail name narrow navigate negotiate nest normalise normalize notify nudge obtain
    offload onboard open optimise optimize orchestrate order organise organize outline overhaul overlay override
    oversee overwrite pack package pad page paint parallelise parallelize parametrize park parse partition paste
    patch pause peek peel perform permute persist phone pick pin ping pinpoint pipe pivot place plot plug poke
    polish poll pool pop populate port post postprocess power prefetch prefix preload prepare preprocess press
    preview prime print prioritise prioritize probe proceed process procure prod produce profile program promote
    proofread propagate protect prototype prove provide provision prune publish pull purge push put quantify
    quarantine query question queue raise ramp randomize rate re-check re-run reach read readjust realign rearrange
    reassign rebalance rebase rebook reboot rebuild recalculate recalibrate recheck reclaim recode recommit
    recompile recompute reconcile reconfigure reconnect reconstruct record recover recreate recycle redact redeploy
    redesign redirect redo reduce reenable reencode refactor refer refetch refill refine refit reformat reformulate
    refresh refund regenerate register regroup rehash rehydrate reimburse reimplement reimport reindex reinitialize
    reinstall reinstate reissue relaunch relay relink reload relocate remap remediate remodel remove rename render
    renew renumber reopen reorder reorganise reorganize repack repackage repaint repair reparse repartition repeat
    repin replace replay replenish replicate reply repopulate report repost reprint reprioritize reprocess reproduce
    republish repush request reread reroute rerun resample rescale rescan reschedule research reseed resend reserve
    reset reshape reshuffle resize resolve respawn restack restart restock restore restructure resubmit resubscribe
    resume retag retest retool retrace retrain retransmit retrieve retry retune return reupload reuse reverify
    reverse revert review revise revisit revive revoke rewind rewire rework rewrite rinse rip roll rotate round
    route run salvage sample sand sanitise sanitize sanity-check save scaffold scale scan schedule scour scrape
    screen scroll scrub scrutinize search secure seed segment select send separate sequence serialise serialize set
    settle shard sharpen shave shield shift ship shorten shrink shuffle shut sideload sift sign simplify simulate
    sketch skim slice slim slot smoke-test smooth snapshot sniff snip snooze soak solve sort source spawn specify
    spin splice split spot spruce squash stabilise stabilize stack stage stagger standardise standardize start stash
    stitch stop store straighten stream streamline strengthen stress-test stretch strip structure stub study
    subclass submit subscribe subset substitute subtract summarise summarize supply support suppress surface survey
    suspend swap sweep switch symlink sync synchronise synchronize tabulate tackle tag tail take tally tap tar
    target template terminate test text thaw thin throttle tidy tie tighten time toggle toss touch trace track train
    transcribe transfer transform translate transpose trawl triage trickle trigger trim troubleshoot truncate try
    tuck tune turn tweak type typeset unarchive unassign unbind unblock uncomment undo unfreeze unify uninstall
    unlock unmask unmount unmute unpack unpin unregister unroll unsubscribe untangle untar unwind unwrap unzip
    update upgrade upload use vacate validate vectorise vectorize vendor verify vet view visit visualise visualize
    void vote wait walk warm watch weave weed whip whitelist whittle widen wipe wire work wrangle wrap write xor
    yank zero zip zoom
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
    a abide about abstain accept acknowledge acquaint acquiesce act adhere admit adore advise affirm agree aim
    allude am an and answer apologise apologize appear applaud appreciate are argue as aspire assert assume assure
    at attest avoid await be because been beg behave believe bet bless boast but by can care caution cease chime
    cite claim clarify cling commend complain compliment comply concede conclude confess confide congratulate
    consent consider contend could counter curse dare decide decline defer deliberate demonstrate denote deny describe
    deviate did digress disagree disclose discuss dissent does doubt dream dwell educate elaborate emphasise
    emphasize end endeavor endeavour enjoy enlighten equate err exaggerate excuse exemplify expect explain expound
    express extrapolate fail familiarize favor favour fear feel flatter for forget forgive forgo frame from gain
    generalize gladly greet guess guide had happily has hate hazard he hear her here hesitate highlight hint his
    hold honor honour hope hypothesize i if ignore illustrate imagine imply in infer insist interject interpret
    interrupt into introduce invite is it its joke judge justify keep know lack laugh let level lie like linger
    listen live lose love marvel may mean mention might mind mislead miss muse must my need never nitpick no nod not
    note notice obey object oblige observe of offer omit on only opine oppose or ought our outline over overlook owe
    own paraphrase pardon pass pause permit persist picture plead point ponder pose posit possibly postpone praise
    pray preach preface prefer present presume presuppose pretend probably proclaim promise propose prove quibble
    quote rant reason reassure recall recap recapitulate receive recite recognise recognize recollect recommend
    reflect refrain refuse refute regard regret reiterate rejoice relate rely remain remark remember remind
    reminisce repent rephrase reply represent require resign respect respond rest restate retell retract reveal
    revel ruminate salute say seem share she should show sincerely sing sit skip sleep smile so soon sound speak
    speculate spell stand state stay stick stipulate stress strive suggest suppose surmise surrender survive suspect
    swear sympathise sympathize talk teach tell testify than thank that the their theorize there these they think
    this those to toast treat trust under underline underscore understand urge venture volunteer vouch vow wait
    waive wander want warn warrant was we welcome were what which who win wish with withhold wonder worry would
    yield you your
    """
)
"""What follows `I'll` or `let me` without being an act: speech, thought, feeling, manners, words that are no verb."""
STATES = vocabulary(
    """
    able afraid agreeing aiming anything appearing appreciating asking assuming aware basing becoming
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
    likely / automatically / temporarily / then also / systematically / programmatically / silently / here / busy /
    actively / presently / rn
    """
)

CARRIERS = Phrases(
    """
    do my best to / do what i can to /
        try and / go ahead and / go and / come and / make sure to / be sure to / proceed to / try to / attempt to /
    continue to / start to / begin to / get to / help to / move to / gonna / have to / need to / go on to /
    set out to / get around to
    """
)
"""Verbs that pass a commitment on to the verb that follows. `SMALL` are adverbs and the like that stand before one."""
TO_BEGIN = vocabulary("assist begin close continue end finish help kick lead open proceed start")

MANNERS = Phrases(
    """
    put numbers / put some numbers / put a number / put figures / leave it / leave that / leave you / leave the rest /
    leave the decision / leave the choice / leave this / leave things / leave for / leave now / leave to you /
    leave room / leave my / leave those to you / delve into the details / delve into the topic /
    dive into the details / dive into the topic / dive deeper / dig into the details / get into the details /
    unpack this / unpack that / touch on / touch upon / shed light / shed some / expand on / go deeper / go further /
    go back to your / go over your / take the liberty / take a step back / take stock of what / break it to you /
    hand it to you / play devil's / circle back to your question / tackle your question / tackle your questions /
    tackle each question / field your questions / field any / surface my / close on / close out by /
    get this straight / get that straight / get it straight / get one thing straight / get real / get serious /
    see if i understood / see if i understand / see if i have this / see if i got / see if i have it / sum up /
    sum it up / give you that / reply in / reply point / be brief / be honest / be right / get an error /
    get a chance / get used / get into detail / do my best / do what i can / do my utmost / do whatever /
    do anything / do everything / do so if / do well / do fine / try my best / try my hardest / try to help /
    try to be / try to answer / try to explain / try to keep / try to clarify / try to summarize / try to assist /
    try to describe / make it clear / make it short / make it brief / make it simple / make a note /
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
    use metric / use english / use it as an example / use a concrete example / use the letter / use a different word /
    call it / call this / call that / call these / call those / call him / call her / call you / go into detail /
    go into more / go into the / go into / go over the basics / go over the main / go over the key /
    go over the steps / go over each / go over these / go over those / go over what / go through the steps /
    go through each / go through the basics / go through these / go through what / go first / go now / go on record /
    go away / put it / put this another / put this in / put that another / put that in / put things /
    put it this way / put another way / add that / add only / add just / add one thing / add one more thing /
    add two things / add a word / add a note that / add my / break this down / break it down / break that down /
    break down / break the news / break the ice / break the problem / break the question / break the topic /
    break the concept / walk you / walk us / walk through / walk everyone / see you / talk to you / speak with you /
    refer you / refer to it / refer to this / refer to them / refer to that / refer to the / start by saying /
    start with the good / start with the bad / start with the basics / start with a quick / start with an example /
    start with an overview / start with a brief / start from the beginning / spare you / grant you that / grant that /
    address your / address the elephant / address this point / stop you / stop right / find it hard / find that hard /
    find this / follow your / follow these instructions / follow those / follow that advice / follow the rules /
    follow the guidelines / follow your lead / ask you / ask a question / ask a few / ask one / ask some /
    ask that you / ask for your / ask for more / ask again / ask first / ask before / ask whether you / ask if you /
    set the stage / set the scene / set expectations / set aside / draw your attention / cut to the /
    get straight to / get to the point / get right to / support you / question whether / repeat myself / repeat that /
    repeat it / repeat what / repeat the question / repeat this / correct myself / correct that / correct my earlier /
    correct my previous / correct my last / correct my answer / correct one / correct you / inform you /
    notify you that / gather some information / gather some details / gather more information / gather a few /
    gather some more / collect some information / collect a few / collect some details / gather the following /
    collect the following / verify your / confirm the details / confirm a few / confirm some / confirm the following /
    confirm your / confirm whether you / confirm if you / clarify a few / second that / second your / take two /
    focus on the main / focus on the key / focus on what / limit my / limit myself / lay out / define the terms /
    define some / guide you / name a few / name them / list them / list the main / list the key / list the options /
    list some / list a few / list what / list below / list my / list possible / list all the options /
    list the steps / list the reasons / list the pros / define what / define the term / define a few / cover the /
    cover each / cover both / cover these / stop here / stop there / stop now / stop at this / stop at that /
    stop talking / stop asking / stop and / step back / step aside / return to this / return to that /
    return to your question / come back to that / come back to this / begin with the good / begin with the basics /
    begin with the end / begin by / summarize / summarise / outline / hand over to you / hand it over to you /
    hand back to you / turn it over to you / turn to you / confirm: / confirm that i / confirm i understand /
    confirm my understanding / confirm what you / confirm we're / confirm that we / confirm that you / base my /
    base this on / bring up / bring to your / bring you up / point out / close by / close with / finish by /
    finish with / count on / count this / count it as / check in with you / need you / look forward / report that /
    work under / work within / work with you / work with what
    """
)
"""Verbs that act, in company in which they do not."""
RESCUES = Phrases(
    """
    correct that right / correct that now / correct this right / add that to / add that in / add that into /
    leave a comment / leave a note / relate the two tables / level the / rest the / greet the / reveal the hidden /
    reply to the / reply to them / reply to their / reply to his / reply to her / reply on the /
    reply with the tracking / keep a backup / keep a copy / keep a record / keep a log / keep the / keep both /
    keep digging / keep looking / keep going / keep trying / keep an / keep watching / keep checking /
    keep searching / keep working / keep monitoring / keep reading / keep testing / keep track / keep polling /
    keep debugging / keep investigating / keep exploring / keep at it / keep at / leave it running / leave a review /
    let the team know / let them know / let the customer / let him know / let her know / let it run / let the build /
    let the job / let the script / pass it to / pass it on / pass this on / pass that on / pass this to / pass your /
    pass that to / pass them / pass along / pass the / pass a / remind you at / remind you tomorrow / remind you in /
    remind you on / remind you every / remind you when / remind them / remind the / respond to the /
    respond to their / respond to his / respond to her / share the file / share the document / share the link /
    share the results with the / share access / share it with the / share the report with / share it in /
    share it on / show the file / show the contents / skip to / skip ahead / skip straight / hold the slot /
    hold the room / hold the item / hold your / hold a / introduce a / introduce an / introduce the following change /
    understand the / understand how / understand why / understand what / decide on / decide which / choose the /
    point the / point it / point dns / point them / treat this as a priority / talk to the / talk to our /
    talk to my / talk to them / speak to the / speak to my / speak to our / speak with the / speak with our /
    speak with my / represent the data / quote the job / act on / act now / represent it as / invite the /
    invite them / invite your / decide / describe the table / describe the pod / present the findings to the /
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
    added adds allowed allows appeared appears are aren't avoided avoids became becomes begins belongs brings broke
    brought came can can't cannot caused causes closes comes confirmed confirms consumed consumes continues could
    couldn't created creates deleted deletes depends did didn't does doesn't eliminated eliminates ended ends
    ensured ensures exists expires failed fails feels fixed forced forces gave gets gives goes got had hadn't
    happened happens has hasn't helped helps improved improves increased increases introduced introduces involved
    involves is isn't isnt keeps kept leads leaves led left lets made makes matter matters may means meant might
    must needs opens prevented prevents printed produces proved proves raised raises reduced reduces remains removed
    removes requires resolved resolves resulted results returned revealed reveals seemed seems should shouldn't
    showed sits slowed slows solved solves sounds speeds stays stops succeeds takes tended tends threw throws took
    triggered triggers turned turns was wasn't went were weren't will won't worked works would wouldn't yielded
    yields
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


PRONOUNS = vocabulary("everyone everything he i it nobody nothing one she that there these they this those we you")
