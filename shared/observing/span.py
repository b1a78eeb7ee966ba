"""What a piece of work can be told of itself, whether it is noted or not."""

from typing import Literal

Attribute = str | int | float | bool | tuple[str, ...]
Kind = Literal["internal", "server", "client", "consumer", "producer"]


class Span:
    """A piece of work; nothing is noted of it while tracing is off. No prompt, argument, result or secret goes in."""

    traceparent: str = ""
    """The trace context for what is done inside of it, elsewhere too; empty while tracing is off."""

    def note(self, **attributes: Attribute) -> None:
        """Say more of it; `__` in a name stands for a dot."""

    def failed(self, kind: str) -> None:
        """Say that it did not come to a good end, and of what class the error is."""

    def end(self) -> None:
        """It is over."""
