"""What a person's decision on a proposal makes of it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arreio_contracts.errors import InvalidBody
from arreio_contracts.events import (
    EventData,
    Learnt,
    LearntKind,
    LearntRolledBack,
    Preconditions,
    ProposalApproved,
    ProposalRejected,
)
from arreio_contracts.messages import DecideProposal

DAY_MS: Final = 86_400_000


@dataclass(frozen=True)
class Proposal:
    """A proposal as it stands. `workspace` is where it was learnt; `version` what its approval made."""

    proposal_id: str
    kind: LearntKind
    state: str
    name: str
    text: str
    preconditions: Preconditions
    expires_days: int
    tainted: bool
    workspace: str | None
    version: int | None


@dataclass(frozen=True)
class Version:
    """One version of what is called so; `ended`: its time is over."""

    version: int
    standing: str
    active: bool
    ended: bool = False


def decide(wanted: DecideProposal, proposal: Proposal, versions: Sequence[Version], now_ms: int) -> EventData:
    """The event that records a decision; `versions` are all of the proposal's name.

    Raises:
        InvalidBody: the decision does not fit how the proposal stands; the text says what does.
    """
    match wanted.act:
        case "approve":
            return _approved(wanted, proposal, versions, now_ms)
        case "reject":
            if proposal.state == "approved":
                raise _refusal(f"{proposal.proposal_id} is in force", "roll it back instead")
            return ProposalRejected(proposal_id=proposal.proposal_id, by=wanted.by, why=wanted.why)
        case "rollback":
            if proposal.state != "approved" or proposal.version is None:
                raise _refusal(
                    f"{proposal.proposal_id} is {proposal.state}", "only what is in force can be rolled back"
                )
            return LearntRolledBack(
                proposal_id=proposal.proposal_id,
                learnt=Learnt(kind=proposal.kind, name=proposal.name, version=proposal.version),
                to_version=version_before(versions, proposal.version),
                by=wanted.by,
                why=wanted.why,
            )


def _approved(wanted: DecideProposal, proposal: Proposal, versions: Sequence[Version], now_ms: int) -> ProposalApproved:
    if proposal.state == "approved":
        raise _refusal(
            f"{proposal.proposal_id} is approved already, as {proposal.name}@{proposal.version}", "nothing to do"
        )
    if proposal.tainted and not wanted.tainted:
        raise _refusal(
            f"{proposal.proposal_id} holds text that came from a tool or a web page, or had a secret in it",
            f"read it (arreio proposals show {proposal.proposal_id}), then approve it with --tainted",
        )
    preconditions, lasts = proposal.preconditions, proposal.kind in ("persona", "taste")
    if wanted.here_only:
        if lasts:
            raise _refusal(f"a change of {proposal.kind} holds in every workspace", "approve it without --here-only")
        if proposal.workspace is None:
            raise _refusal(f"{proposal.proposal_id} was learnt in no workspace", "approve it without --here-only")
        preconditions = preconditions.model_copy(update={"workspace": proposal.workspace})
    return ProposalApproved(
        proposal_id=proposal.proposal_id,
        by=wanted.by,
        learnt=Learnt(
            kind=proposal.kind,
            name=proposal.name,
            version=max((one.version for one in versions), default=0) + 1,
        ),
        text=proposal.text,
        preconditions=preconditions,
        expires_ms=None if lasts else now_ms + proposal.expires_days * DAY_MS,
        diff=wanted.diff,
        tainted=proposal.tainted,
    )


def version_before(versions: Sequence[Version], version: int) -> int | None:
    """The version that is in force again once `version` goes: the latest before it that was only superseded."""
    return max(
        (one.version for one in versions if one.version < version and one.standing == "superseded" and not one.ended),
        default=None,
    )


def _refusal(problem: str, way_out: str) -> InvalidBody:
    return InvalidBody("proposal", f"{problem}; {way_out}")
