"""The registry of handlers: a value, built and run per invocation. Pure but for what its handlers do."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Generic, TypeVar

from arreio_contracts.task import HookPhase

Invocation = TypeVar("Invocation")


@dataclass(frozen=True, slots=True)
class Halt:
    """What a handler returns to end the chain: those behind it are not called."""

    reason: str


Handler = Callable[[Invocation], Awaitable[Halt | None]]


@dataclass(frozen=True)
class Hooks(Generic[Invocation]):
    """The handlers of each phase in the order in which they were registered. Nothing is shared, nothing changes."""

    handlers: Mapping[HookPhase, tuple[Handler[Invocation], ...]] = field(default_factory=lambda: MappingProxyType({}))

    def on(self, phase: HookPhase, *handlers: Handler[Invocation]) -> "Hooks[Invocation]":
        """Another registry, which has these handlers behind those that the phase has."""
        registered = (*self.handlers.get(phase, ()), *handlers)
        return Hooks(MappingProxyType({**self.handlers, phase: registered}))

    async def run(self, phase: HookPhase, invocation: Invocation) -> Halt | None:
        """Call the phase's handlers in order. The first `Halt` ends the chain and is returned."""
        for handler in self.handlers.get(phase, ()):
            halted = await handler(invocation)
            if halted is not None:
                return halted
        return None
