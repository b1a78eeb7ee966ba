"""How written runs are written: steps with what a result tells of the number of the round it is in."""

from collections.abc import Callable, Iterable

from services.tool_loop.rules.loops.trajectory import RecordedStep

Steps = list[RecordedStep]
Good = Callable[[], Steps]
Stuck = Callable[[], tuple[Steps, Steps]]
"""A beginning that gets on, and the part that does not."""


def call(tool: str, result: str, failed: bool = False, /, **arguments: object) -> RecordedStep:
    """One step, which does not say what it changed."""
    return RecordedStep(tool, arguments, result, failed)


def rounds(count: int, made: Callable[[int], Iterable[RecordedStep]]) -> Steps:
    """So many rounds of the steps that are made for a round's number."""
    return [step for number in range(count) for step in made(number)]


def listing(first: int, last: int, of: str = "value") -> str:
    """Lines of a file as viewers print them, numbered."""
    return "\n".join(f"{line:6}\t{of}_{line} = {line * 7 % 101}" for line in range(first, last + 1))
