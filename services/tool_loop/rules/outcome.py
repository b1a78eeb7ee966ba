"""What a result tells of its call where its status does not: that it failed, found nothing or is not done yet."""

import re
from typing import Final

_MOST_CHARS: Final = 400
_REJECTED = re.compile(
    r"\A\W*(?:(?:\w+[_ ])?error|erro|fatal|exception|\w*Error)\b(?: [A-Z]?\d{1,6})?(?: \([^)\n]{1,20}\))?\s*[:!>]"
    r"|\A\W*(?:execution|command|request|operation|tool call) (?:has )?failed\b"
    r"|\A\W*traceback \(most recent call last\)|\A-{9,}\s*\w*(?:error|exception|interrupt)\s+traceback \("
    r"|\A\W*(?:please )?(?:try again|wrong answer|incorrect)\b[^\n]{0,60}\Z"
    r"|\A\W*(?:invalid|cannot|can't|could not|couldn't|unable to|failed to|falha ao|não foi possível)\b"
    r"|\A\W*(?:sorry,? )?i (?:could not|couldn't|cannot|can't|was (?:unable|not able) to|failed to)\b"
    r"|\bmade no changes\b|\bno changes were made\b|\bno replacement was performed\b"
    r"|\bintroduced new syntax error|\byour proposed edit has\b.*\berror"
    r"|\b(?:old_str\w*|text|string) (?:was )?not found\b|\bfile already exists\b",
    re.IGNORECASE,
)
_FATAL = re.compile(r"^(?:ERROR|FATAL|E): ", re.MULTILINE)
_NOT_THERE = re.compile(
    r"\A[^\n]*: (?:no such file or directory|permission denied|command not found|not a directory|is a directory)\W*\Z",
    re.IGNORECASE,
)
_NOT_OK = re.compile(
    r"\A\{\s*\"errors\"\s*:\s*\[\s*\{"
    r"|\A\{[^{}]*\"(?:(?:ok|success)\"\s*:\s*false|is_?error\"\s*:\s*true)\b|\A\{\s*\"error\"\s*:\s*+(?!null|false|\"\")",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\A\W*(?:(?:error|http(?:/[\d.]+)?|status|code)[\s:=]*){0,3}(?:40[137]|429)\b"
    r"|\A\W*(?:access (?:is |was )?denied|forbidden|unauthori[sz]ed|acesso negado|just a moment)\b"
    r"|\b(?:please|must|need to) (?:log|sign) in\b"
    r"|\b(?:session|token) (?:has )?expired\b|\bverify (?:that )?you are human\b",
    re.IGNORECASE,
)
_NOT_RUN = re.compile(
    r"\bcommand\b[^\n]{0,99}\bis not executed\b|\bhas not returned in \d[^\n]*\brestarted\b"
    r"|\b(?:shell|terminal|session|bash)\b[^\n]{0,60}"
    r"\b(?:must be restarted|has (?:ended|died|exited)|is (?:busy|dead))\b",
    re.IGNORECASE,
)
_NO_PROGRAM = re.compile(
    r"(?:: |\A)[\w.+/-]+: (?:(?:command )?not found|comando não encontrado|inaccessible or not found)\W*$"
    r"|(?:command|program) not found: \S+$|\bexecutable file not found in \$PATH"
    r"|is not recognized as (?:an internal or external command|the name of a cmdlet)",
    re.IGNORECASE | re.MULTILINE,
)
_NO_TOOL = re.compile(
    r"\btool\b[^\n]{0,80}\b(?:not found|does not exist|doesn't exist|is not (?:available|defined|registered"
    r"|a valid|recogni[sz]ed)|unknown)\b|\b(?:no such|unknown|invalid|unrecogni[sz]ed|nonexistent) tool\b",
    re.IGNORECASE,
)
_UNREACHED = re.compile(
    r"\A\W*(?>exit code:? \d+\W*|output\W*|wall time[^\n]*\n)*+"
    r"(?:curl: \((?:5|6|7|28|35|52|56)\) |wget: (?:can't|unable|failed)"
    r"|(?:000|50[0234])\W*\Z|failed to connect to\b|could not resolve host\b|connection refused\b)",
    re.IGNORECASE,
)
_NOTHING_DONE = re.compile(
    r"\A\W*(?:nothing (?:happens|happened|changed|to do here)|no (?:change|effect)\b|you can(?:'|no)t\b"
    r"|no more (?:pages?|results?|items?|entries|messages?)\b"
    r"|(?:you are )?already at the (?:end|top|bottom|last|first)\b|i don't understand\b|that's not a verb"
    r"|(?:clicked|pressed|tapped|submitted)?[.!,; ]*(?:the )?page (?:is |was "
    r"|remains )?unchanged\b[^\n]{0,60}(?::[^\n]{0,80})?"
    r"|(?:your |the )?\w+ (?:did not change|(?:had|has) no effect|does nothing|did nothing)\b)[^\n:]{0,80}\Z",
    re.IGNORECASE,
)
_STATUS = re.compile(
    r"<returncode>\s*[1-9]\d*\s*</returncode>|<exit_code>\s*[1-9]|\"(?:exit_?code|returncode)\":\s*[1-9]"
    r"|^\[?(?:the )?(?:command )?(?:finished|completed|exited)? ?(?:with )?exit code:? [1-9]"
    r"|\bcommand\b[^\n]{0,99}\bis not executed\b|\bhas not returned in \d",
    re.IGNORECASE | re.MULTILINE,
)
_NOTHING = re.compile(
    r"\A\W*(?><returncode>\s*[01]\s*</returncode>|<output>\s*</output>"
    r"|\(?(?:no|without) (?:output|results?|matches|files?|matching|hits?|lines?|entries)\b[^\n]{0,160}"
    r"|(?:found )?0 (?:matches|results|files)\b[^\n]{0,80}|nothing (?:was )?found\b[^\n]{0,80}"
    r"|your command ran successfully and did not produce any output|nenhum\w*\b[^\n]{0,80}|none|\[\]|\{\}"
    r"|\[?[^\n]{0,40}exit code:? [01]\b[^\n]{0,20}|exit status:? [01]\b|could not find\b[^\n]{0,99}"
    r"|wall time:? [^\n]{0,40}|output:|\s)*+\W*\Z",
    re.IGNORECASE,
)
_NONE_FOUND = re.compile(
    r"\bdid(?: not|n't) match any\b|\bno (?:\w+ ){0,3}(?:(?:were|was) )?found\b|"
    r"\b(?:returned|found) no (?:results?|matches)\b|\bno (?:results?|matches|hits)\b[^\n]{0,40}\Z"
    r"|\bnenhum(?:a)? \w+ (?:foi )?encontrad[oa]\b"
    r"|\b(?:your search|sua busca)\b[^\n]{0,80}\b(?:no results|sem resultados)\b",
    re.IGNORECASE,
)
_NO_ROWS = re.compile(
    r"\A[^\n]*(?:\n[-+| ]+)?\n?\(?0 rows?(?: in set\b[^\n]*| returned| affected)?\)?\W*\Z|\Aempty set\b"
    r"|\A(?:UPDATE|DELETE) 0\W*\Z"
    r"|\A\W*(?:no rows|(?:query )?returned no (?:rows|results))\b[^\n]{0,40}\Z",
    re.IGNORECASE,
)
_BROKEN = re.compile(
    r"\b(?:CrashLoopBackOff|ImagePullBackOff|ErrImagePull|OOMKilled|Evicted|CreateContainerConfigError"
    r"|Restarting \(\d+\)|start-limit-hit|RunContainerError)"
)
_COUNTS = re.compile(r"\d+[smhd]?")
_LOCAL = re.compile(
    r"\bcannot find (?:chrome|firefox|browser|chromium)\b|\bnetwork is (?:unreachable|down)\b|\bENETUNREACH\b"
    r"|\b(?:chrome|chromium|firefox|browser|chromedriver|webdriver|playwright)\b[^\n]{0,60}"
    r"\b(?:not (?:found|installed|available)|doesn't exist|does not exist|failed to (?:launch|start)|is missing"
    r"|has been closed)\b"
    r"|\bno (?:internet|network)(?: connection| access)?\b|\bproxy\b[^\n]{0,40}\b(?:refused|error|required)\b"
    r"|\bno space left on device\b|\b(?:egress|outbound)\b[^\n]{0,40}\b(?:blocked|denied|disabled)\b",
    re.IGNORECASE,
)
_NOT_WRITABLE = re.compile(
    r"(?:\A|[\s'\"`:(])([~.]{0,2}/[\w./@+-]*\w|[\w-]+\.\w+)['\"`]?: (?:permission denied|read-only file system"
    r"|operation not permitted"
    r"|permissão negada)|(?:permission denied|read-only file system"
    r"|operation not permitted)[^\n]{0,10}: ['\"`]?([\w./~@+-]+\w)",
    re.IGNORECASE,
)
_EMPTY_OBJECT = re.compile(
    r"\A\{(?=[^\n]*\[\s*\])(?:\s*\"\w{1,40}\"\s*:\s*"
    r"(?:\[\s*\]|\{\s*\}|0|null|true|false|\"[^\"]{0,80}\")\s*(?:,|(?=\})))+\}\Z"
)
_MASKED = re.compile(r"<(?:time|span|nonce|rate)>|\b(?:real|user|sys)\b")
_SUCCEEDED = re.compile(
    r"\A\W*(?:exit (?:status|code):? 0\b\.?|<returncode>\s*0\s*</returncode>)|</?output>", re.IGNORECASE
)
_SAYS = re.compile(r"\w")
_PENDING = re.compile(
    r"(?<![A-Za-z])(?:in[_ -](?:progress|transit|review)|under[_ -](?:way|review)|awaiting[_ -]\w+"
    r"|(?:state|status|phase|conclusion)[\"']?\s*[=:]\s*[\"']?(?:running|active|started)"
    r"|no new (?:messages?|e-?mails?|mails?|events?|notifications?|data|output)"
    r"|(?<!\d )pending|creating|updating|deploying|modifying|backing-up|restoring|scaling|resizing|rebooting"
    r"|migrating|validating"
    r"|activating|attaching|detaching|deleting|stopping|terminating|scheduling|allocating|InProgress|runnable|submitted"
    r"|scheduled|not-?ready|pending[_-]\w+|\w+[_-]in[_-]progress|starting|initiali[sz]ing"
    r"|compiling|linking|queued|building|provisioning|waiting|not (?:yet )?ready|still running|processing"
    r"|not (?:yet )?(?:done|finished|available)|em andamento|pendente|aguardando)(?![A-Za-z])",
    re.IGNORECASE,
)
_STOPPED = re.compile(r"\bCONFLICT \(|\bcould not apply\b|\bpatch failed\b|\bmerge conflict\b", re.IGNORECASE)
_NO_DEED = r"(?!(?:noth|warn|miss|fail|str|th|some|exist|runn|br|k|r|s|match|pass)ing\b)"
_BEING_DONE = re.compile(
    rf"\A\W*(?:[\w.\"' ]{{0,24}}[:=]\W*)?{_NO_DEED}[a-z][a-z_-]{{1,24}}ing\W*\Z"
    rf"|(?:state|status|phase|health|stage)[\"']?\s*[=:]\s*[\"']?{_NO_DEED}[a-z_-]{{2,24}}ing\b",
    re.IGNORECASE,
)


def failed(normal: str, *, shows: bool) -> bool:
    """Whether the text says that the call came to nothing, whatever its status says.

    `shows`: the text is what the call was to show, which may well be of errors.
    """
    begun = normal[:_MOST_CHARS]
    if _UNREACHED.match(begun):
        return True
    if _STATUS.search(begun) or _STATUS.search(normal[-_MOST_CHARS:]) or _NOT_THERE.match(begun):
        return True
    return not shows and bool(
        _REJECTED.search(begun) or _FATAL.search(begun) or denied(normal) or nothing_done(normal) or no_tool(normal)
    )


def refused(normal: str) -> bool:
    """Whether an object says that what was asked for was not done."""
    return bool(_NOT_OK.match(normal[:_MOST_CHARS]))


def denied(normal: str) -> bool:
    """Whether a brief text says that whoever asks is not let in."""
    return len(normal) <= _MOST_CHARS and bool(_DENIED.search(normal))


def not_run(normal: str) -> bool:
    """Whether a shell says that it runs nothing, whatever the command: it is busy, or has to be started anew."""
    return bool(_NOT_RUN.search(normal[:_MOST_CHARS]))


def no_tool(normal: str) -> bool:
    """Whether a brief text says that there is no tool of the name that was called."""
    return len(normal) <= _MOST_CHARS and bool(_NO_TOOL.search(normal))


def nothing_done(normal: str) -> bool:
    """Whether a brief text says that what was tried led to nothing."""
    return bool(_NOTHING_DONE.match(normal[:_MOST_CHARS]))


def broken(normal: str) -> bool:
    """Whether a table of what runs tells that something does not, and is started over and over."""
    return bool(_BROKEN.search(normal[:_MOST_CHARS]))


def without_counts(normal: str) -> str:
    """Without figures: how often it was started, and how long ago."""
    return _COUNTS.sub("#", normal)


def local_fault(normal: str) -> bool:
    """Whether what failed is on this machine, whatever host was asked: there is no browser, or no network."""
    return bool(_LOCAL.search(normal[:_MOST_CHARS]))


def not_let(normal: str) -> str:
    """The file that may not be read or written; empty: none is told of."""
    found = _NOT_WRITABLE.search(normal[:_MOST_CHARS])
    return (found[1] or found[2]) if found else ""


def no_program(normal: str) -> bool:
    """Whether what failed is that there is no program of the name."""
    return bool(_NO_PROGRAM.search(normal[:_MOST_CHARS]))


def no_rows(normal: str) -> bool:
    """Whether a brief table of a database holds nothing, or nothing was changed by a statement."""
    return len(normal) <= _MOST_CHARS and bool(_NO_ROWS.search(normal))


def found_nothing(normal: str) -> bool:
    """Whether a search ends with nothing, or without a word."""
    return len(normal) <= _MOST_CHARS and bool(_NOTHING.match(normal) or _EMPTY_OBJECT.match(normal))


def none_found(normal: str) -> bool:
    """Whether a brief text says in words that a search found nothing; what a search shows may hold such words."""
    return len(normal) <= _MOST_CHARS and bool(_NONE_FOUND.search(normal))


def may_change(normal: str) -> bool:
    """Whether to ask again may bring something else: a brief text tells of what goes on by itself, or it holds nothing
    but what differs each time, which then is what was asked for.
    """
    if not normal:
        return False
    told = _SUCCEEDED.sub("", normal)
    if _MASKED.search(told) and not _SAYS.search(_MASKED.sub("", told)):
        return True
    return goes_on(normal)


def stopped_on_the_way(normal: str) -> bool:
    """Whether what goes step by step came to a step at which something has to be done by hand."""
    return bool(_STOPPED.search(normal))


def goes_on(normal: str) -> bool:
    """Whether a brief text tells of what goes on by itself; a word that says what is being done is one."""
    return len(normal) <= _MOST_CHARS and bool(_PENDING.search(normal) or _BEING_DONE.search(normal))
