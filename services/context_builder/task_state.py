"""The layer task_state: a task's history cut to its budget, older tool outputs first, then whole units."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from shared.canonical import canonical_json

from .attachments import attachments_text, excerpt_text
from .entries import Entry, Summary
from .history import LEFT_OUT, TaskHistory, criteria_text, harness_message, left_out_text
from .layers import Dropped, Unit
from .plan import plan_text
from .tokenizers import Tokenizer
from .unread import shrunk
from .weights import room, tokens, weight

AIM: Final = 0.75
"""Once over the budget, older history shrinks to this part of its room: the head of the prompt then stays the same for
some turns."""
UNREAD: Final = 0.5
"""The part of the room that results which were not read yet have before older turns do, where they must shrink."""

_BESIDE = "an excerpt that does not fit beside the history in the budget of {}"
_OVER = "older history, over the budget of {}"


@dataclass(frozen=True, slots=True)
class TaskState:
    """The units of the layer, and what was left out of them before the assembler saw them."""

    units: tuple[Unit, ...]
    dropped: tuple[Dropped, ...] = ()
    texts: tuple[str, ...] = ()
    """The text of each unit that was left out, its older outputs shrunk."""
    stubbed: tuple[str, ...] = ()
    """Outputs that a unit names by their hash: they must be kept as blobs."""


@dataclass(frozen=True, slots=True)
class _Cut:
    """Which entries are shown: those from `first` on, the past tasks and the summary or not.

    `short` are the outputs that are stubs, counted from the oldest entry on, in each the largest first.
    """

    past: bool
    first: int
    short: int
    summary: bool = True


def task_state(task: TaskHistory, past: Sequence[Entry], budget: int, tokenizer: Tokenizer) -> TaskState:
    """The task's history as units that fit, if anything can: older tool outputs shrink before whole units go.

    The goal, the criteria while one is unmet, and the last turn are pinned: its results are not read yet. They shrink
    only where they are too large with nothing older beside them, and then no more than they must.
    """
    entries = task.all_entries()
    shown_past = () if task.past_retired else tuple(past)
    costs = _Costs(task, shown_past, entries, tokenizer)
    if task.offered is not None:
        costs.take(task.offered, room(budget, tokenizer))
    cut = _choose(costs, room(budget, tokenizer))
    if cut is None:
        cut = _choose_beside_shrunk(costs, room(budget, tokenizer))
        left = room(budget, tokenizer) - costs.total(cut) + costs.unread(cut.short)
        entries = [*entries[: costs.last], *shrunk(entries[costs.last :], left, tokenizer)]
    beside = room(budget, tokenizer) - costs.total(cut) if cut == costs.uncut else 0
    excerpts, without = _excerpts(task, beside, tokenizer)
    gone = [*(() if cut.past else shown_past), *entries[: cut.first]]
    if costs.summary is not None and not cut.summary:
        gone.insert(0, costs.summary)
    return TaskState(
        (*excerpts, *_units(task, shown_past, entries, cut, costs)),
        tuple(
            Dropped(unit.id, tokens(weight(unit.text, tokenizer), tokenizer), _BESIDE.format(budget))
            for unit in without
        )
        + tuple(
            Dropped(entry.id, tokens(entry.cost(tokenizer, short=True), tokenizer), _OVER.format(budget))
            for entry in gone
        ),
        tuple(unit.text for unit in without) + tuple(entry.text(short=True) for entry in gone),
        tuple(text for entry, short in _forms(entries, cut, costs) if short for text in entry.stubbed),
    )


class _Costs:
    """The weight of every way to cut; sums are made once."""

    def __init__(
        self, task: TaskHistory, past: Sequence[Entry], entries: Sequence[Entry], tokenizer: Tokenizer
    ) -> None:
        self._tokenizer = tokenizer
        self.summary = task.summary
        self.last = _last_turn(entries)
        self.count = len(entries)
        self.left_out = task.left_out
        self.entries = entries
        self.levels = _sums([entry.levels for entry in entries])
        """The outputs that can shrink before each entry."""
        self.older = self.levels[self.last]
        self.shrunk = max(
            (
                self.levels[number]
                + min(entry.levels, entry.levels if (known := task.shrunk[entry.id]) is None else known)
                for number, entry in enumerate(entries[: self.last])
                if entry.id in task.shrunk
            ),
            default=0,
        )
        self.past = sum(entry.cost(tokenizer, short=False) for entry in past)
        self.has_past = bool(past)
        self.fixed = sum(weight(unit.text, tokenizer) for unit in _fixed(task))
        self.notice = weight(_notice(task).text, tokenizer)
        self.whole = _sums([entry.cost(tokenizer, short=False) for entry in entries])
        self.short = _sums([entry.cost(tokenizer, short=True) for entry in entries])

    def take(self, offered: Summary, room: int) -> None:
        """Show a new summary, if that makes the prompt smaller than what it stands for and nothing more has to go."""
        before = self.summary
        more = offered.entry.cost(self._tokenizer, short=False)
        more -= before.cost(self._tokenizer, short=False) if before else 0
        self.summary = offered.entry
        if tokens(more, self._tokenizer) >= offered.covered or self.total(self.uncut) > room:
            self.summary = before

    @property
    def uncut(self) -> _Cut:
        return _Cut(self.has_past, 0, self.shrunk)

    def total(self, cut: _Cut) -> int:
        short = max(cut.short, self.levels[cut.first])
        border = bisect_right(self.levels, short) - 1
        shown = self.short[border] - self.short[cut.first] + self.whole[self.count] - self.whole[border]
        if (level := short - self.levels[border]) > 0:
            form = self.entries[border].form(level)
            shown += form.cost(self._tokenizer, short=True) - form.cost(self._tokenizer, short=False)
        return self.fixed + self._in_place(cut) + (self.past if cut.past else 0) + shown

    def unread(self, short: int) -> int:
        """The tokens of what the model has not read yet, shrunk or (where `short` does not reach it) whole."""
        sums = self.short if short > self.older else self.whole
        return sums[self.count] - sums[self.last]

    def _in_place(self, cut: _Cut) -> int:
        """What stands in the place of what was left out."""
        if self.summary is not None and cut.summary:
            return self.summary.cost(self._tokenizer, short=False)
        return self.notice if self.leaves_out(cut) else 0

    def leaves_out(self, cut: _Cut) -> bool:
        return self.left_out or cut.first > 0 or (self.has_past and not cut.past)


def _choose(costs: _Costs, room: int) -> _Cut | None:
    """The cut that leaves most of what is older, with what is not read yet whole; None where that does not fit."""
    cut = costs.uncut
    if costs.total(cut) <= room:
        return cut
    pinned = costs.total(_Cut(False, costs.last, costs.older))
    for limit, summary in ((pinned + int((room - pinned) * AIM), True), (room, True), (room, False)):
        shrinking = [_Cut(costs.has_past, 0, short, summary) for short in range(costs.shrunk + 1, costs.older + 1)]
        enough = bisect_left(shrinking, True, key=lambda cut: costs.total(cut) <= limit)
        for cut in (*shrinking[enough:], *_from_the_head(costs, costs.older, summary)):
            if costs.total(cut) <= limit:
                return cut
    return None


def _choose_beside_shrunk(costs: _Costs, room: int) -> _Cut:
    """What is older as stubs, as far as it fits beside what is not read yet, which has its part of the room before."""
    every = costs.levels[costs.count]
    stubs = costs.unread(every)
    for summary in (True, False):
        for cut in (_Cut(costs.has_past, 0, every, summary), *_from_the_head(costs, every, summary)):
            alone = costs.total(replace(cut, past=False, first=costs.last)) - stubs
            if costs.total(cut) - stubs + max(stubs, int((room - alone) * UNREAD)) <= room:
                return cut
    return _Cut(False, costs.last, every, False)


def _from_the_head(costs: _Costs, short: int, summary: bool) -> list[_Cut]:
    return [_Cut(False, first, short, summary) for first in range(costs.last + 1)]


def _forms(entries: Sequence[Entry], cut: _Cut, costs: _Costs) -> Iterator[tuple[Entry, bool]]:
    """The entries that are shown, each as it shrinks, and whether it does; one that was not weighed was made to fit."""
    for number in range(cut.first, len(entries)):
        entry, level = entries[number], cut.short - costs.levels[number]
        to_fit = entry is not costs.entries[number]
        yield entry.form(level) if level > 0 and not to_fit else entry, level > 0 or to_fit


def _units(task: TaskHistory, past: Sequence[Entry], entries: Sequence[Entry], cut: _Cut, costs: _Costs) -> list[Unit]:
    units = _fixed(task)
    if cut.past:
        units.extend(Unit(entry.id, entry.whole, order=(0, number)) for number, entry in enumerate(past))
    if costs.summary is not None and cut.summary:
        units.append(Unit(costs.summary.id, costs.summary.whole, order=(1, 3)))
    elif costs.leaves_out(cut):
        units.append(_notice(task))
    for number, (entry, short) in enumerate(_forms(entries, cut, costs), start=cut.first):
        pinned = number >= costs.last
        units.append(Unit(entry.unit_id(short), entry.text(short), order=(2, number), pinned=pinned))
    return units


def _fixed(task: TaskHistory) -> list[Unit]:
    units = [Unit("goal", canonical_json([{"role": "user", "content": task.goal}]), order=(1, 0), pinned=True)]
    if task.attachments:
        told = attachments_text(task.attachments, task.language)
        units.append(Unit("attachments", _said(told), order=(1, 0, 0), pinned=True))
    units.extend(task.skill_units)
    if task.plan is not None:
        units.append(Unit("plan", _said(plan_text(task.plan, task.language)), order=(1, 1), pinned=True))
    criteria = criteria_text(task.criteria, task.language, inferred=task.inferred)
    if criteria is not None:
        units.append(Unit("criteria", _said(criteria), order=(1, 2), pinned=bool(task.unmet)))
    return units


def _excerpts(task: TaskHistory, left: int, tokenizer: Tokenizer) -> tuple[list[Unit], list[Unit]]:
    """The beginnings of attached texts that fit beside the whole history, and those that do not."""
    shown: list[Unit] = []
    without: list[Unit] = []
    for number, one in enumerate(task.attachments):
        if one.excerpt is None:
            continue
        text = excerpt_text(one, task.language)
        unit = Unit(f"attachment:{one.name}", _said(text), order=(1, 0, 1, number))
        cost = weight(unit.text, tokenizer)
        if cost <= left:
            left -= cost
            shown.append(unit)
        else:
            without.append(unit)
    return shown, without


def _notice(task: TaskHistory) -> Unit:
    return Unit(LEFT_OUT, _said(left_out_text(task.language)), order=(1, 3), pinned=True)


def _said(text: str) -> str:
    return canonical_json([harness_message(text)])


def _last_turn(entries: Sequence[Entry]) -> int:
    """Where the last turn begins: it and what follows it the model has not read yet."""
    turns = [number for number, entry in enumerate(entries) if entry.turn]
    return turns[-1] if turns else 0


def _sums(values: Sequence[int]) -> list[int]:
    sums = [0]
    for value in values:
        sums.append(sums[-1] + value)
    return sums
