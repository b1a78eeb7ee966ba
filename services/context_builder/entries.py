"""The units of a task's history: a turn with its calls and results, whole or shrunk, and what was said between."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from arreio_contracts import events

from shared.canonical import canonical_json, sha256_hex
from shared.prompt import Message

from .tokenizers import Tokenizer
from .weights import weight

STUB_OVER: Final = 600
STUB_KEEPS: Final = 320
"""Bytes of an output longer than `STUB_OVER` bytes that its stub shows, half of them from each end."""
SAID_OVER: Final = 2_000
"""Bytes of what the model itself said above which that shrinks as an output does."""
_SAID: Final = ""
"""Stands for what the model said where its outputs are named by their calls; no call has such an id."""
SHORT: Final = ":short"
"""How the id of a unit ends that was shrunk; where not all of its outputs were, their number follows."""
_NAME: Final = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class Entry:
    """One unit of history: whole, and (where that is shorter) with its tool outputs shrunk to stubs."""

    id: str
    whole: str
    short: str | None = None
    turn: bool = False
    stubbed: tuple[str, ...] = ()
    """The outputs that the short form names by their hash alone."""
    source: "Turn | None" = field(default=None, compare=False, repr=False)
    """The turn that it tells, where it is one with outputs that can shrink."""
    shrinks: int = 0
    """How many of these its short form shrinks."""
    _forms: "dict[int, Entry]" = field(default_factory=dict, compare=False, repr=False)
    _costs: dict[tuple[str, bool], int] = field(default_factory=dict, compare=False, repr=False)

    def text(self, short: bool) -> str:
        """Its canonical JSON: a list of messages."""
        return self.short if short and self.short is not None else self.whole

    def unit_id(self, short: bool) -> str:
        """Its id in a manifest, which tells whether it was shrunk."""
        if not short or self.short is None:
            return self.id
        return f"{self.id}{SHORT}" if self.shrinks == len(self.outputs) else f"{self.id}{SHORT}{self.shrinks}"

    @property
    def levels(self) -> int:
        """In how many steps it shrinks, an output at a time."""
        return 0 if self.short is None else max(1, len(self.outputs))

    def form(self, level: int) -> "Entry":
        """The same with a short form in which so many of its outputs are stubs, the largest."""
        if level >= self.levels or self.source is None:
            return self
        if level not in self._forms:
            largest = sorted(self.outputs, key=lambda call: -self.outputs[call])
            self._forms[level] = self.keeping(dict.fromkeys(largest[:level], STUB_KEEPS))
        return self._forms[level]

    @property
    def outputs(self) -> dict[str, int]:
        """The bytes of each output that can shrink, by the id of its call."""
        return self.source.sizes(STUB_OVER) if self.source is not None else {}

    @property
    def every_output(self) -> dict[str, int]:
        """The bytes of each output, by the id of its call."""
        return self.source.sizes() if self.source is not None else {}

    def keeping(self, kept: Mapping[str, int]) -> "Entry":
        """The same with a short form in which only these outputs are shrunk, each to so many bytes."""
        return self.source.entry(kept) if self.source is not None else self

    def cost(self, tokenizer: Tokenizer, short: bool) -> int:
        """Its weight with the separator behind it; weighed once for each tokenizer."""
        key = (tokenizer.name, short)
        if key not in self._costs:
            self._costs[key] = weight(self.text(short), tokenizer)
        return self._costs[key]


@dataclass(frozen=True, slots=True)
class Summary:
    """History that was summed up, for the next prompt to take or leave; `covered` are the tokens that it stands for."""

    entry: Entry
    covered: int


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a call; `blob` holds all of an output of which the text is a part."""

    text: str
    blob: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A reply of the model whose calls are not all answered."""

    event_id: str
    content: str
    calls: tuple[events.ToolCall, ...]
    results: Mapping[str, Result] = field(default_factory=dict)

    def open_calls(self) -> list[str]:
        """The ids of the calls that have no result yet."""
        return [call.id for call in self.calls if call.id not in self.results]

    def answered(self, call_id: str, result: Result) -> "Turn":
        """The same with one more result."""
        return replace(self, results={**self.results, call_id: result})

    def sizes(self, over: int = 0) -> dict[str, int]:
        """The bytes of each result that is larger than `over`, by the id of its call; and of a long text of its own."""
        texts = [(name, result.text, over) for name, result in self.results.items()]
        texts.append((_SAID, self.content, max(over, SAID_OVER)))
        sizes = ((name, len(text.encode()), least) for name, text, least in texts)
        return {name: size for name, size, least in sizes if size > least}

    def entry(self, kept: Mapping[str, int] | None = None) -> Entry:
        """The unit of this turn; `kept`: the bytes that outputs keep in its short form (None: all are stubs)."""
        whole = canonical_json(self._messages({}))
        name = f"turn:{self.event_id}"
        kept = dict.fromkeys(self.sizes(STUB_OVER), STUB_KEEPS) if kept is None else kept
        short = canonical_json(self._messages(kept)) if kept else whole
        if len(short.encode()) >= len(whole.encode()):
            return Entry(name, whole, turn=True, source=self)
        stubbed = (self.results[call_id] for call_id in kept if call_id != _SAID)
        kept_whole = tuple(one.text for one in stubbed if one.blob is None)
        return Entry(name, whole, short, True, kept_whole, self, len(kept))

    def _messages(self, kept: Mapping[str, int]) -> list[Message]:
        content = _said_short(self.content, kept[_SAID]) if _SAID in kept else self.content
        said: Message = {"role": "assistant", "content": content}
        if self.calls:
            said["tool_calls"] = [_call(call) for call in self.calls]
        found = [said] if self.calls or self.content.strip() else []
        for call in self.calls:
            result = self.results.get(call.id, Result("[harness] No result of this call was recorded."))
            text = _stub(result, kept[call.id]) if call.id in kept else result.text
            found.append({"role": "tool", "tool_call_id": call.id, "content": text})
        return found


def _stub(result: Result, kept: int) -> str:
    """Both ends of a result and where all of it is, or the result itself where that is no longer."""
    blob = result.blob or sha256_hex(result.text)
    return _ends(result.text, kept, f"\n[harness] {{}} characters left out (blob {blob})\n")


def _said_short(text: str, kept: int) -> str:
    """Both ends of what the model said; nothing in it may read like words of the harness that it said itself."""
    return _ends(text, kept, "\n[… {} characters …]\n")


def _ends(text: str, kept: int, notice: str) -> str:
    """So many bytes of a text, half of them from each end, or the text itself where that is no longer."""
    raw = text.encode()
    head = raw[: kept - kept // 2].decode("utf-8", "ignore")
    tail = raw[len(raw) - kept // 2 :].decode("utf-8", "ignore")
    stub = f"{head}{notice.format(len(text) - len(head) - len(tail))}{tail}"
    return stub if len(stub.encode()) < len(raw) else text


def _call(call: events.ToolCall) -> dict[str, Any]:
    name = _NAME.sub("_", call.name)[:64] or "unknown"
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": name, "arguments": canonical_json(call.arguments or {})},
    }
