"""Cutting 200 units (100 KB) to a budget: against langchain-core's `trim_messages`, and against encoding the text.

Run: `python -m benchmarks assembly`. Units and messages are made before the clock starts; what making them costs is
printed too. The text is this project's own code, about 500 characters a unit.
"""

import importlib
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.timing import milliseconds
from services.context_builder.assembler import assemble
from services.context_builder.layers import Layer, LayerName, Unit
from services.context_builder.tokenizers import Approximate, Tiktoken

UNITS = 200
SIZE = 490
HALF = 12_500
"""Tokens of about half the text."""
SOURCES = Path(__file__).parent.parent / "services"
ENCODING = "cl100k_base"
ROUNDS = 60


def main() -> None:
    """Print the figures of both comparisons."""
    texts = _texts()
    units = tuple(Unit(f"u{number}", text, number) for number, text in enumerate(texts))
    counter = Approximate()
    candidates: dict[str, Any] = {
        "cut": lambda: assemble([Layer(LayerName.BUSINESS_RULES, units, HALF)], counter),
        "whole": lambda: assemble([Layer(LayerName.BUSINESS_RULES, units, 4 * HALF)], counter),
        "making units": lambda: [Unit(f"u{number}", text, number) for number, text in enumerate(texts)],
        **_langchain(texts),
    }
    found = milliseconds(candidates, rounds=300, clock=time.process_time)
    _say(f"{UNITS} units, {sum(map(len, texts)) // 1000} KB, estimated by bytes/4; medians of 300, processor time")
    for what in ("cut", "whole"):
        line = f"  {what}: {found[what]:.3f} ms"
        if f"langchain {what}" in found:
            theirs = found[f"langchain {what}"]
            line += f"; trim_messages {theirs:.3f} ms, {theirs / found[what]:.1f} times as long"
        _say(f"{line}{' (goal: 10)' if what == 'cut' else ''}")
    _say(f"  making the units, once: {found['making units']:.3f} ms")
    if "langchain cut" not in found:
        _say("  langchain-core is not installed; there is nothing to compare with")
    _tiktoken(units)


def _tiktoken(units: tuple[Unit, ...]) -> None:
    text = assemble([Layer(LayerName.BUSINESS_RULES, units, 10**9)], Approximate()).prompt
    encoding = Tiktoken(ENCODING)._encoding
    for budget, what in ((10**9, "whole"), (HALF, "cut to half")):
        layer = Layer(LayerName.BUSINESS_RULES, units, budget)
        counters = [Tiktoken(ENCODING) for _ in range(ROUNDS)]  # each has counted nothing yet

        def first(layer: Layer = layer, fresh: list[Tiktoken] = counters) -> None:
            assemble([layer], fresh[-1])

        def second(layer: Layer = layer, fresh: list[Tiktoken] = counters) -> None:
            assemble([layer], fresh.pop())

        candidates = {"encode": lambda: encoding.encode_ordinary(text), "first": first, "second": second}
        found = milliseconds(candidates, rounds=ROUNDS, clock=time.process_time)
        alone, once, again = (found[name] for name in candidates)
        _say(
            f"tiktoken {ENCODING}, {what}: encoding alone {alone:.2f} ms; first assembly {once:.2f} ms, "
            f"{once / alone:.2f} times (goal: 1.1); second {again:.3f} ms, {again / alone:.3f} times (goal: 0.1)"
        )


def _langchain(texts: list[str]) -> dict[str, Any]:
    try:
        theirs = importlib.import_module("langchain_core.messages")
    except ImportError:
        return {}
    counter = theirs.utils.count_tokens_approximately
    messages = [theirs.HumanMessage(text) for text in texts]

    def trim(budget: int) -> object:
        return theirs.trim_messages(messages, max_tokens=budget, token_counter=counter, strategy="last")

    return {"langchain cut": lambda: trim(HALF), "langchain whole": lambda: trim(4 * HALF)}


def _texts() -> list[str]:
    """Units of whole lines, of about `SIZE` characters each."""
    lines = (line for file in sorted(SOURCES.rglob("*.py")) for line in file.read_text("utf-8").splitlines())
    found = [""]
    for line in lines:
        if len(found[-1]) >= SIZE:
            found.append("")
        found[-1] += f"{line}\n" if found[-1] or line.strip() else ""
        if len(found) > UNITS:
            break
    return [text.rstrip() for text in found[:UNITS]]


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
