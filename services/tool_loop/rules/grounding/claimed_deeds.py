"""What a final text says was done outside the workspace, or changed in it, while no call could have done it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ..claimed_acts import claimed
from .shown_outcomes import Ran, acts
from .statements import statements

_I: Final = (
    r"(?:\b(?:i|we)(?: have|['’]ve| also| then| just| already| finally| successfully)* |^\W*(?:also |then )?|\band )"
)
_WAS: Final = r"\b(?:was|were|has been|have been|is now|are now)(?: also| just| successfully| already)* "
_ANYTHING: Final = r"[^.;:?!]{0,60}?"
_OPAQUE: Final = (
    r"\b(?:python3?|node|deno|bun|ruby|perl|php|java|go run|cargo run|make|just|task|npm (?:run|start)"
    r"|pnpm|yarn|npx|bunx|uvx"
    r"|uv run|bash|sh|curl|wget|http|https|ssh|nc)\b|(?:^|[\s;&|])\.{0,2}/?[\w./-]+\.(?:sh|py|js|rb|pl)\b"
    r"|(?:^|[\s;&|])\./"
)
"""Commands that may do anything."""


class _Deed(NamedTuple):
    """A kind of act: how it is told, and what the command that does it holds."""

    told: re.Pattern[str]
    done_by: re.Pattern[str]


def _deed(told: str, done_by: str, *, opaque: bool = True) -> _Deed:
    by = f"{done_by}|{_OPAQUE}" if opaque else done_by
    return _Deed(re.compile(told, re.IGNORECASE), re.compile(by, re.IGNORECASE))


_PLACE: Final = r"(?:staging|prod(?:uction)?|produção|homologação|the server|the cluster|heroku|vercel|aws|kubernetes)"
_TOLD: Final = r"(?:e-?mails?|mails?|messages?|notifications?|slack|mensage(?:m|ns)|notificaç(?:ão|ões)|avisos?)"
_PEOPLE: Final = r"(?:team|everyone|everybody|maintainers?|channel|customers?|users?|equipe|time|todos|clientes?|canal)"
_PR: Final = r"(?:pull request|PR|merge request|MR|issue|ticket|chamado)\b"
_DEEDS: Final = (
    _deed(
        rf"{_I}(?:re-?)?(?:deployed|released|rolled out|shipped)\b|{_WAS}(?:re-?)?(?:deployed|released|rolled out)\b"
        rf"|\b(?:is|are) (?:now )?live (?:on|in|at) {_PLACE}"
        r"|\b(?:fiz|fizemos|realizei|executei) (?:o |um )?(?:re)?deploy\b|\bimplantei\b"
        rf"|\bpubliquei {_ANYTHING}{_PLACE}"
        rf"|\bsubi {_ANYTHING}{_PLACE}|\bfoi (?:implantad|publicad)[oa] {_ANYTHING}{_PLACE}",
        r"deploy|release|publish|kubectl|helm|terraform|ansible|scp|rsync|docker|podman|fly|vercel|netlify"
        r"|heroku|gcloud|\baws\b"
        r"|\baz\b|serverless|pulumi|git push|systemctl|\bcp\b",
    ),
    _deed(
        rf"{_I}(?:sent|e-?mailed|mailed|posted) {_ANYTHING}(?:{_TOLD}|{_PEOPLE})\b"
        rf"|{_I}(?:notified|informed|messaged|pinged|alerted) (?:the |all |our )?{_PEOPLE}\b"
        rf"|\b{_TOLD} {_WAS[2:]}(?:sent|posted)\b|\b{_PEOPLE} {_WAS[2:]}(?:notified|informed|e-?mailed)\b"
        rf"|\b{_PEOPLE} (?:foi|foram) (?:notificad|avisad|informad)[oa]s?\b"
        rf"|\b(?:enviei|mandei|enviamos|mandamos) {_ANYTHING}(?:{_TOLD}|{_PEOPLE})\b"
        rf"|\b(?:notifiquei|avisei|informei) (?:a |o |os |as |toda |todo )*{_PEOPLE}\b|\b{_TOLD} foi enviad[oa]\b",
        r"mail|mutt|smtp|slack|notify|telegram|twilio|sendgrid|message|post",
    ),
    _deed(
        rf"{_I}committed (?!to\b)|{_I}pushed (?:it|the|this|my|all|everything|a|to)\b|{_WAS}(?:committed|pushed)\b"
        r"|\b(?:co?mmitei|fiz (?:o |um )?(?:commit|push)|dei (?:um )?(?:commit|push))\b"
        r"|\b(?:foi|foram) (?:commitad|comitad)[oa]s?\b|\bmerged (?:it |this |the (?:branch|change"
        r"|pr) )?into (?:main|master)",
        r"\bgit\b.*\b(?:commit|push|merge|am|cherry-pick|rebase)\b|\b(?:gh|hub|glab|jj|hg|svn)\b"
        r"|(?:^|[\s;&|])\.{0,2}/?[\w./-]+\.sh\b|\bmake\b",
        opaque=False,
    ),
    _deed(
        rf"{_I}(?:opened|created|submitted|raised|filed|made) (?:a |an |the |new |draft )*{_PR}"
        rf"|\b{_PR} {_ANYTHING}{_WAS[2:]}(?:opened|created|submitted|filed|merged)"
        rf"|\b(?:abri|criei|enviei) (?:um |uma |o |a |novo )*{_PR}|\b{_PR} {_ANYTHING}foi (?:abert|criad)[oa]\b",
        r"\b(?:gh|hub|glab|az|tea|jira)\b|git push|request-pull|send-email",
    ),
    _deed(
        rf"{_I}(?:restarted|rebooted|provisioned) |\b(?:reiniciei|provisionei)\b",
        r"restart|reboot|systemctl|service|docker|kubectl|kill|pm2|supervisor|terraform",
    ),
    _deed(
        r"\b(?:health ?checks?|the (?:ci|pipeline|workflow)|ci|github actions?|a pipeline|o ci)"
        r"(?: (?:run|build|is|are|now|also|está|agora)){0,3} (?:green|healthy|ok|pass(?:es|ed|ing)?|verde"
        r"|passou|passa)\b",
        r"health|\b(?:gh|glab|act)\b|kubectl|docker|deploy|status|wget|ping",
    ),
)
_HASH: Final = re.compile(
    r"\b(?:committed|commit\w*|pushed|hash|sha)\b[^.;\n]{0,40}?\b(?P<hash>(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40})\b",
    re.IGNORECASE,
)
_OPENING: Final = re.compile(
    r"^\W*(?:\d+\. )?(?:created|added|updated|fixed|wrote|rewrote|moved|renamed|removed|deleted|implemented|refactored"
    r"|documented|changed|edited|corrected|replaced|extended|mended|patched)"
    r" (?:`|the |an? |all |both |[\w./-]*\w\.\w|\w+\(\))",
    re.IGNORECASE,
)
_HAS_BEEN: Final = re.compile(
    r"\b(?:has|have) (?:now |just |also )*been (?:now )?(?:fixed|corrected|updated|changed|edited|added"
    r"|created|removed|deleted"
    r"|renamed|refactored|implemented|rewritten|solved)\b|\b(?:is|are) now (?:fixed|corrected|updated|solved)\b"
    r"|\b(?:was|were) (?:solved|fixed|corrected) by (?:editing|changing|rewriting|patching|updating|replacing)\b"
    r"|\b(?:i|we)(?: have|['’]ve)? (?:made|applied) (?:the|a|an|some|these|this) (?:\w+ )?"
    r"(?:change|fix|edit|correction|update)s?\b"
    r"|\b(?:fiz|fizemos|realizei|efetuei|apliquei) (?:as?|os?|uma?) "
    r"(?:correç|alteraç|mudança|ajuste|modificaç|refatoraç)"
    r"|\b(?:foi|foram) (?:agora )?(?:corrigid|resolvid|consertad|ajustad)[oa]s?\b",
    re.IGNORECASE,
)

_NOW: Final = re.compile(
    r"^\W*(?:`[^`\n]+`|[\w./-]*\w\.\w{1,5}|\w+\(\)) (?:now|agora) (?!has to|needs?\b|is (?:at|in|on)\b|precisa)\w+",
    re.IGNORECASE,
)


def undone(text: str, ran: Sequence[Ran], *, changed: bool) -> Iterator[str]:
    """What a text says was done and nothing that was run can have done, in its words.

    `changed`: something had an effect on the workspace. Tools that are not the harness's own may have done anything.
    """
    if any(each.foreign for each in ran):
        return
    able = [done for each in ran if (done := acts(each.command))]
    said: list[str] = []
    for each in statements(text):
        for deed in _DEEDS:
            found = deed.told.search(each.bare)
            if found and not any(deed.done_by.search(command) for command in able):
                said.append(found[0].strip(" ,;:-"))
        said += (
            found["hash"] for found in _HASH.finditer(each.text.replace("`", "")) if not _printed(found["hash"], ran)
        )
    if not changed and not able:
        said += _changes(text)
    yield from dict.fromkeys(said)


def _printed(word: str, ran: Sequence[Ran]) -> bool:
    return any(word[:7].lower() in each.printed.lower() for each in ran)


def _changes(text: str) -> Iterator[str]:
    """The statements of a text that something was changed. A block of code may be what was asked for."""
    for each in statements(text):
        if done := claimed(each.text).done:
            yield done
        elif "```" not in text and (
            _OPENING.search(each.text) or _NOW.search(each.text) or _HAS_BEEN.search(each.bare)
        ):
            yield " ".join(each.text.split())[:200]
