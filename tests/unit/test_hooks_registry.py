"""The registry of hooks is a value: handlers run in their order, a halt ends the chain, and nothing is shared."""

from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.hooks.registry import Halt, Handler, Hooks

Calls = list[int]


def handler(number: int, *, halts: bool = False) -> Handler[Calls]:
    async def handle(calls: Calls) -> Halt | None:
        calls.append(number)
        return Halt(f"by {number}") if halts else None

    return handle


@given(st.lists(st.booleans(), max_size=12))
async def test_handlers_run_in_the_order_of_registration_up_to_the_first_that_halts(halting: list[bool]) -> None:
    hooks = Hooks[Calls]()
    for number, halts in enumerate(halting):
        hooks = hooks.on("pre_tool_use", handler(number, halts=halts))
    calls: Calls = []
    halted = await hooks.run("pre_tool_use", calls)
    last = halting.index(True) if True in halting else None
    assert calls == list(range(len(halting) if last is None else last + 1))
    assert halted == (None if last is None else Halt(f"by {last}"))


async def test_registering_makes_another_value_and_leaves_the_first_as_it_was() -> None:
    one = Hooks[Calls]().on("pre_tool_use", handler(1))
    two = one.on("pre_tool_use", handler(2)).on("post_tool_use", handler(3))
    calls: Calls = []
    await one.run("pre_tool_use", calls)
    assert calls == [1]
    await two.run("pre_tool_use", calls)
    assert calls == [1, 1, 2]


async def test_a_phase_without_handlers_halts_nothing() -> None:
    calls: Calls = []
    assert await Hooks[Calls]().on("pre_tool_use", handler(1)).run("session_end", calls) is None
    assert calls == []
