"""The layers of a prompt and what they hold: units before the cut, and what became of them after it. Data only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter
from typing import Any, Final, NamedTuple

from shared.prompt import SEPARATOR


class Strategy(StrEnum):
    """What happens to a layer that is larger than its budget."""

    KEEP_OR_DROP = "keep_or_drop"
    DROP_WHOLE_UNITS = "drop_whole_units"
    TRUNCATE_TAIL = "truncate_tail"


class LayerName(StrEnum):
    """The layers, in the order of the prompt: what is stable comes first, so that providers' prompt caches hit."""

    IDENTITY = "identity"
    INSTRUCTION_FILES = "instruction_files"
    PROJECT_CONTEXT = "project_context"
    BUSINESS_RULES = "business_rules"
    TASK_STATE = "task_state"


PROJECT: Final = "project"
"""The id of the one unit of `project_context`."""

STRATEGIES: Final[dict[LayerName, Strategy]] = {
    LayerName.IDENTITY: Strategy.KEEP_OR_DROP,
    LayerName.INSTRUCTION_FILES: Strategy.DROP_WHOLE_UNITS,
    LayerName.PROJECT_CONTEXT: Strategy.TRUNCATE_TAIL,
    LayerName.BUSINESS_RULES: Strategy.DROP_WHOLE_UNITS,
    LayerName.TASK_STATE: Strategy.DROP_WHOLE_UNITS,
}
OrderKey = int | float | str | Sequence["OrderKey"] | None


_SMALLER: Final = {
    "goal": "shorten the goal",
    "criteria": "give fewer or shorter criteria",
    "plan": "give a goal that takes fewer steps",
    "skill": "force fewer or shorter skills",
    "turn": "take a model that makes fewer and smaller calls in a turn",
}
"""What makes a pinned unit smaller, by the kind of its id."""


class ContextUnfittable(Exception):
    """What may not be left out of a layer is larger than the layer's budget."""

    code = "context_unfittable"

    def __init__(self, layer: str, budget: int, tokens: int, largest: str = "") -> None:
        kind = largest.partition(":")[0]
        super().__init__(
            f"what {layer} must hold takes {tokens} tokens and its budget is {budget}; raise layer_budgets.{layer} "
            f"in the model's capability profile, or {_SMALLER.get(kind, 'have less pinned')}"
        )
        self.layer = layer
        self.budget = budget
        self.tokens = tokens


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a layer that is kept or dropped whole.

    `order` gives its place: units with a smaller key come first in the prompt and are dropped first. `label`, if any,
    is printed on the line before the text. A pinned unit is never dropped. Lone surrogates, which have no UTF-8 form,
    become U+FFFD. A unit knows what it costs to place it, so that a unit of the last turn costs nothing anew.
    """

    id: str
    text: str
    order: OrderKey = 0
    pinned: bool = False
    label: str = ""
    piece: str = field(init=False, repr=False, compare=False)
    """Label and text as they stand in the prompt."""
    octets: int = field(init=False, repr=False, compare=False)
    """UTF-8 bytes of the piece with the separator behind it."""
    place: tuple[Any, ...] = field(init=False, repr=False, compare=False)
    """The order key in a form that always compares; what has the same key, by id and text."""

    def __post_init__(self) -> None:
        """Derive what only depends on the unit itself."""
        put = object.__setattr__
        for name in ("id", "text", "label"):
            if not _has_utf8(getattr(self, name)):
                put(self, name, getattr(self, name).encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
        piece = f"{self.label}\n{self.text}" if self.label else self.text
        put(self, "piece", piece)
        put(self, "octets", (len(piece) if piece.isascii() else len(piece.encode())) + len(SEPARATOR))
        put(self, "place", (*_total_order(self.order), self.id, self.text, self.label, self.pinned))


def _has_utf8(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _total_order(key: OrderKey) -> tuple[int, Any]:
    """Nothing before numbers before texts before sequences, so that keys of different kinds compare too."""
    if key is None or key != key:
        return (0, key is not None)
    if isinstance(key, int | float):
        return (1, key)
    if isinstance(key, str):
        return (2, key)
    return (3, tuple(_total_order(part) for part in key))


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer before the cut: its units in any order, and its budget in tokens. A blob is a layer of one unit."""

    name: LayerName
    units: tuple[Unit, ...]
    budget: int
    heading: str = ""

    @property
    def strategy(self) -> Strategy:
        """The cut is a property of the layer, never of a call."""
        return STRATEGIES[self.name]


class Dropped(NamedTuple):
    """A unit that was left out, with its label and separators counted."""

    id: str
    tokens: int
    why: str


class LeftOut(NamedTuple):
    """The units that were left out, oldest first, the tokens of each, and why."""

    units: Sequence[Unit] = ()
    tokens: Sequence[int] = ()
    why: str = ""


NOTHING_LEFT_OUT: Final = LeftOut()


@dataclass(frozen=True, slots=True)
class LayerReport:
    """What became of one layer. `tokens` counts the layer's text as it stands in the prompt."""

    name: LayerName
    strategy: Strategy
    budget: int
    tokens: int
    estimated: bool
    shown: Sequence[Unit] = ()
    left_out: LeftOut = NOTHING_LEFT_OUT
    truncated: bool = False

    @property
    def kept(self) -> tuple[str, ...]:
        """The ids of what is shown, in order."""
        return tuple(unit.id for unit in self.shown)

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """What was left out, in order: id, tokens and why."""
        units, tokens, why = self.left_out
        return tuple(Dropped(unit.id, size, why) for unit, size in zip(units, tokens, strict=True))


@dataclass(frozen=True, slots=True)
class AssembledLayer:
    """A layer after the cut: its report, its text in the prompt, and the units that this is made of, heading first."""

    report: LayerReport
    text: str
    units: tuple[Unit, ...]

    @property
    def pieces(self) -> tuple[tuple[str, str], ...]:
        """Id and text of each unit as it stands in the prompt."""
        return tuple((unit.id, unit.piece) for unit in self.units)


_PLACE: Final = attrgetter("place")


def ordered_units(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """The units by their order key; what has the same key, by id and text."""
    return tuple(sorted(units, key=_PLACE))
