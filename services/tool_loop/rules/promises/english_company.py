"""The company in which English verbs act or do not act, and the small words that stand before them."""

from .phrases import Phrases

ACTING_STATES = Phrases(
    """
    attaching the / attaching it / calling the / calling them / calling your / calling a / doing that / doing it /
    doing this / doing so / doing a / doing the / doing some / doing both / doing all / dealing with it /
    dealing with that / dealing with this / drawing up / drawing the / drawing a / finding out / finding the /
    following up / following the / following this / following that / focusing on fixing / focusing on the /
    focusing on it / getting a new / getting a fresh / getting another / doing now / getting started / getting on /
    getting the / getting your / getting that / getting it / getting this / getting back / getting to / getting you /
    getting both / giving it / giving that / giving this / giving you access / giving them / going to look /
    going over / going through / going back / going ahead / going straight / going deeper / going with / going for /
    going in / having a look / having another look / having a go / having another go / having someone /
    having the team / hitting the / holding the / keeping an eye / keeping track / keeping watch / looking at /
    looking into / looking up / looking for / looking through / looking it / looking that / looking over /
    looking in / looking now / looking again / looking around / looking closer / looking this / operating on it /
    pointing the / pointing it / replying to / requesting a / requesting the / requesting your / requesting access /
    requesting new / running a / running the / running it / running this / running that / running these /
    running those / running them / running some / running your / running all / running both / running every /
    running each / running another / running now / running one / running two / running more / running through /
    running tests / running my / running its / running our / running lint / running checks / running diagnostics /
    sharing the file / sharing the document / sharing access / sharing the link / showing the file /
    treating the patient / using grep / using ripgrep / using the search / using the tool / working on /
    working through / working it / working out / working around / working to / working now / working backwards /
    working that / working this / writing a / writing the / writing it / writing up / writing that / writing this /
    writing tests / writing some / writing out / writing them / writing these / writing two / writing unit /
    writing your / writing both / writing new / writing down / writing one / writing all / writing code /
    writing and / writing now
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
