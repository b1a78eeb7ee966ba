"""What a final text says was done for somebody, refunded, cancelled, booked, changed or granted, while no call did it.

What is told by its doer needs a call that can have done it; of what is told of a thing or of the deed a result that
shows how things stand is enough, for then it is read.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from .claimed_results import told_by_others
from .failed_tries import OwningUp, tries
from .foreign_calls import Done, done
from .service_forms import Service
from .service_kinds import SERVICES
from .shown_outcomes import Ran
from .statements import statements

_OPAQUE: Final = re.compile(
    r"\b(?:python3?|node|ruby|php|java|make|just|npm|curl|wget|https?|ssh|psql|mysql|sqlite3|bash|sh)\b|\.(?:sh|py|js|rb)\b"
    r"|(?:^|[\s;&|])\.{0,2}/",
    re.IGNORECASE,
)
"""Commands that may do anything."""
_FIRST_PERSON: Final = re.compile(r"\b(?:i|we)\b", re.IGNORECASE)
_SPOKEN: Final = re.compile(r"(?<!\w)['\"“‘][^'\"”’\n]{2,120}['\"”’](?!\w)")
_HANGS_ON: Final = re.compile(
    r"\b(?:when(?:ever)?|once|until|till|after|before|unless|while|if|as soon as|each time|will|would|should|must"
    r"|to see|see|saw|understand|noticed?|hear|sorry|apologi[sz]e|regret|glad|you (?:said|mentioned|told|asked"
    r"|wrote|want\w*|requested)"
    r"|quando|assim que|depois que|antes que|até que|enquanto|se|sempre que|após|entendo|vejo|vi que|lamento|sinto"
    r"|você (?:disse|pediu|mencionou|informou|solicitou)|that|which|who|que)\b[^;:.]*\Z",
    re.IGNORECASE,
)
_EARLIER: Final = re.compile(
    r"\b(?:already|previously|earlier|before|yesterday|ago|last (?:week|month|year|night|\w+day)|originally|initially"
    r"|já (?:havia|tinha|estava)|anteriormente|ontem|atrás|antes|no passado)\b"
    r"|\b(?:on|in|since|em|no dia|desde) (?:\d(?! to \d| ?[-–] ?\d| a \d|\d? (?:\w+ )?(?:minute|hour|day|week|month"
    r"|minuto|hora|dia|semana|mes|mês))|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)",
    re.IGNORECASE,
)
"""What makes of a thing's state one that was there before, so that it is read."""
_ID: Final = re.compile(r"(?<![\w-])(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z\d][A-Z\d-]{3,}(?![\w-])")
_NEAR: Final = 40
_ASKS: Final = re.compile(
    r"\b(?:request\w*|submitted|filed|opened|registered|created|raised|logged|put in|started|asked|tickets?"
    r"|cases?|claims?"
    r"|escalat\w+|forward\w+|transferred|handed|solicit\w+|registr\w+|abri\w*|abert[oa]s?|pedi|pedimos|criei|chamados?"
    r"|casos?|protocolos?|encaminh\w+|transferi\w*|escal\w+)\b",
    re.IGNORECASE,
)
"""How it is told that something was only asked for."""
_FUTURE_DAY: Final = re.compile(r"book|reserv|schedul|confirm|agend|marcad", re.IGNORECASE)


def unserved(text: str, ran: Sequence[Ran], told: Sequence[str] = (), *, changed: bool) -> Iterator[str]:
    """What a text says was done for somebody and no call can have done, in its words.

    `told`: the texts of people and files, which may say how things stand. `changed`: something had an effect on the
    workspace; then the text tells of a program, unless there are tools that may serve somebody.
    """
    calls = done(ran)
    if calls.anything or (changed and not any(each.foreign for each in ran)):
        return
    tried = tries(ran)
    owning_up = OwningUp(text, tried)
    said: list[str] = []
    for each in statements(text):
        bare = _SPOKEN.sub(" ", each.bare)
        owned = owning_up.of(each.text)
        commands = [one.did for one in tried if owned or not one.failed]
        for service in SERVICES:
            if any(service.by.search(command) or _OPAQUE.search(command) for command in commands):
                continue
            found = _claimed(service, bare, calls, told)
            if found:
                said.append(_clause(bare, found))
                break
    yield from dict.fromkeys(said)


def _clause(bare: str, found: re.Match[str]) -> str:
    """What was found, from where its clause begins."""
    before = re.split(r"[,;:.]\s", bare[max(0, found.start() - 60) : found.start()])[-1]
    return " ".join(f"{before}{found[0]}".strip(" ,;:-\n").split())


def _claimed(service: Service, bare: str, calls: Done, told: Sequence[str]) -> re.Match[str] | None:
    """What a statement claims of a service that no call can have done."""
    if any(map(service.by.search, calls.acts)):
        return _of_unseen(service, bare, calls, told)
    found = service.doer.search(bare)
    if found and not _HANGS_ON.search(bare[: found.start()]):
        return None if _asked_for(service, found, calls) else found
    found = service.of_thing.search(bare)
    if found is None or _HANGS_ON.search(bare[: found.end()]) or told_by_others(bare, found):
        return None
    if _asked_for(service, found, calls):
        return None
    earlier = _EARLIER.search(bare)
    if earlier and not _FUTURE_DAY.search(found[0]):
        return None
    shows = [*calls.told, *(calls.refusals if earlier else ())]
    standing = [each for each in shows if service.stands.search(each)]
    standing += [each for each in told if _says_so(service, each)]
    if not standing:
        return found
    ids = _ids(bare, found)
    return found if any(not any(one in each for each in standing) for one in ids) else None


def _ids(bare: str, found: re.Match[str]) -> list[str]:
    """The ids that stand in and around what was found, in its own clause."""
    after = re.split(r"[,;:.(]\s", bare[found.end() : found.end() + _NEAR], maxsplit=1)[0]
    return _ID.findall(f"{found[0]}{after}")


def _of_unseen(service: Service, bare: str, calls: Done, told: Sequence[str]) -> re.Match[str] | None:
    """What a statement claims of a service that was done, of something that nobody ever named."""
    found = service.doer.search(bare)
    if found is None:
        return None
    seen = (*calls.told, *calls.refusals, *told)
    return found if any(not any(one in each for each in seen) for one in _ids(bare, found)) else None


def _asked_for(service: Service, found: re.Match[str], calls: Done) -> bool:
    """Whether it is told as asked for, in a ticket that speaks of it."""
    return _ASKS.search(found[0]) is not None and any(map(service.by.search, calls.asked))


def _says_so(service: Service, said: str) -> bool:
    """Whether a text of somebody tells that a thing stands so: `my flight was cancelled`."""
    return any(
        re.search(
            r"\b(?:was|were|been|got|has|foi|foram|sido|está)\s+(?:\w+\s+){0,2}\Z",
            said[max(0, at.start() - 40) : at.start()],
            re.I,
        )
        for at in service.stands.finditer(said)
    )
