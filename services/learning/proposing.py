"""Candidates as proposals: new ones, newer wordings of what there is, and support for it. Pure."""

import hashlib
from collections.abc import Sequence

from arreio_contracts.events import EventData, ProposalCreated, ProposalSupported

from shared.canonical import clean
from shared.skills.skill import called

from .candidates import Candidate
from .credentials import without_credentials
from .merging import RULE, Fresh, Known, Support, compare
from .seen import one_line


def propose(
    candidates: Sequence[Candidate], session_id: str, task_id: str, known: Sequence[Known]
) -> tuple[EventData, ...]:
    """The events that a task's candidates become. Nothing of them is in force before a person approves it."""
    seen = list(known)
    found: list[EventData] = []
    for number, candidate in enumerate(candidates):
        match compare(candidate, task_id, seen):
            case Fresh() as fresh:
                created = _created(candidate, fresh, f"{task_id}/{number}", session_id, task_id, seen)
                found.append(created)
                seen.insert(0, _known(created))
            case Support() as support:
                found.append(_supported(candidate, support, session_id, task_id))
            case None:
                continue
    return tuple(found)


def _created(
    candidate: Candidate, fresh: Fresh, key: str, session_id: str, task_id: str, known: Sequence[Known]
) -> ProposalCreated:
    proposal_id = "p_" + hashlib.sha256(key.encode()).hexdigest()[:20]
    name = fresh.updates.name if fresh.updates is not None else _name(candidate, proposal_id, known)
    text = _told(candidate.text)
    if candidate.kind == "skill":
        text = _renamed(text, name)
    return ProposalCreated(
        proposal_id=proposal_id,
        kind=candidate.kind,
        title=_told(candidate.title),
        text=text,
        source_session=session_id,
        source_task=task_id,
        provenance=tuple(one.event_id for one in candidate.evidence),
        name=name,
        target=candidate.target,
        gist=_told(candidate.gist),
        evidence=candidate.evidence,
        preconditions=candidate.preconditions,
        taint=tuple(one.model_copy(update={"excerpt": _told(one.excerpt)}) for one in candidate.taint),
        updates=fresh.updates.proposal_id if fresh.updates is not None else "",
        similarity=fresh.similarity,
        rule=f"{candidate.rule} {RULE}",
    )


def _supported(candidate: Candidate, support: Support, session_id: str, task_id: str) -> ProposalSupported:
    return ProposalSupported(
        proposal_id=support.known.proposal_id,
        source_session=session_id,
        source_task=task_id,
        evidence=candidate.evidence,
        similarity=support.similarity,
        rule=f"{candidate.rule} {RULE}",
    )


def _name(candidate: Candidate, proposal_id: str, known: Sequence[Known]) -> str:
    """What it will be called: a skill after its goal, where that name is free; all else with a part of the id."""
    slug = called(one_line(candidate.gist, 48))
    taken = {one.name for one in known if one.kind == candidate.kind}
    if candidate.kind == "skill" and slug and slug not in taken:
        return slug
    return f"{slug or candidate.kind}-{proposal_id[2:8]}"


def _told(text: str) -> str:
    """A text as it may be kept and told to others: without secrets, and fit for every encoder."""
    return without_credentials(clean(text))


def _renamed(text: str, name: str) -> str:
    """A SKILL.md under another name."""
    fence, _, rest = text.partition("\n")
    return f"{fence}\nname: {name}\n{rest.partition(chr(10))[2]}"


def _known(created: ProposalCreated) -> Known:
    return Known(
        proposal_id=created.proposal_id,
        kind=created.kind,
        target=created.target,
        name=created.name,
        state="proposed",
        gist=created.gist,
        text=created.text,
        tasks=frozenset({created.source_task}),
    )
