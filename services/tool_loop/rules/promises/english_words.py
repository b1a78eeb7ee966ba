"""The English vocabulary of the reconciler: verbs that act, verbs that do not, and the company that turns them."""

from .phrases import vocabulary

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

TO_BEGIN = vocabulary("assist begin close continue end finish help kick lead open proceed start")

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

PAST = vocabulary(
    """
    ate bought broke brought built came caught chose did drew drove fed fell felt fled flew forgot found froze gave
    got grew had held hid kept knew laid led left lost made meant met overrode paid ran redid reran rewrote rode rose
    said sang sat saw sent shot sold spent spoke stole stood struck stuck swept taught threw told took understood
    undid went wired woke won wore wound wrote
    """
)
"""Irregular pasts."""
