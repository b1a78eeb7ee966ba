"""Marks what a text holds that came from a tool's output or a web page, and not from a person or the harness. Pure.

Three words in a row that a tool printed, and that nobody had said before, are taken from there. What a model writes
after it has read a web page may follow the page in other words too, so all of it is marked.
"""

import re
from collections.abc import Iterator
from typing import Final

from arreio_contracts.events import GateJudged, Taint, ToolFinished, ToolStarted

from .seen import Seen, TaskSeen, one_line

_WORD: Final = re.compile(r"\w+")
_WEB: Final = re.compile(r"\bhttps?://|\b(?:curl|wget|lynx|w3m)\b", re.IGNORECASE)
_IN_A_ROW: Final = 3
_MOST: Final = 5
"""Marks of one text; more say nothing new."""


def tainted(text: str, task: TaskSeen, *, before: int | None = None) -> tuple[Taint, ...]:
    """What of `text` came with events before the seq `before` (None: with any)."""
    foreign = _runs(text).keys() - _runs(task.said).keys()
    found: list[Taint] = []
    started: dict[str, str] = {}
    remote = {one.name for one in task.profiled.remote_tools} if task.profiled is not None else set()
    for event in task.events:
        if (before is not None and event.seq >= before) or len(found) == _MOST:
            break
        match event.data:
            case ToolStarted():
                started[event.data.call_id] = event.data.summary
            case ToolFinished() if event.data.tool in remote or _WEB.search(started.get(event.data.call_id, "")):
                found.append(Taint(source="web", event_id=event.event_id, excerpt=one_line(event.data.text, 200)))
            case ToolFinished():
                found.extend(_quoted(text, foreign, event, event.data.text))
            case GateJudged():
                seen = "\n".join(result.seen for result in event.data.results)
                found.extend(_quoted(text, foreign, event, seen))
    return tuple(found)


def _quoted(text: str, foreign: set[tuple[str, ...]], event: Seen, output: str) -> Iterator[Taint]:
    """The mark of an output of which the text repeats some words."""
    common = foreign & _runs(output).keys()
    if common:
        places = _runs(text)
        first = min(places[run][0] for run in common)
        last = max(places[run][1] for run in common)
        yield Taint(source="tool_output", event_id=event.event_id, excerpt=one_line(text[first:last], 200))


def _runs(text: str) -> dict[tuple[str, ...], tuple[int, int]]:
    """Every three words in a row, with the characters from and to which they stand."""
    words = [(match[0].casefold(), match.start(), match.end()) for match in _WORD.finditer(text)]
    rows = zip(*(words[at:] for at in range(_IN_A_ROW)), strict=False)
    return {tuple(word for word, _, _ in row): (row[0][1], row[-1][2]) for row in rows}
