"""What a task may teach, before anybody compared it with what is known. Pure."""

from dataclasses import dataclass
from typing import Final

from arreio_contracts.events import Evidence, LearntKind, Preconditions, Taint

_ANY: Final = Preconditions()


@dataclass(frozen=True)
class Candidate:
    """Something that may be worth proposing.

    `text` is a rule, a SKILL.md, or what is added to the agent's instructions or the rules of taste that `target`
    names. `gist` are the words that tell it from others, without what all of its kind say. `rule` is the name and
    version of what found it.
    """

    kind: LearntKind
    title: str
    text: str
    gist: str
    evidence: tuple[Evidence, ...]
    rule: str
    target: str = ""
    preconditions: Preconditions = _ANY
    taint: tuple[Taint, ...] = ()
    exact: bool = False
    """Its text is a person's own, in which every word counts."""
