"""An adapter ends when it is told to, whatever its tasks hear at that moment."""

import asyncio

from services.gateway.adapters.running import ended


async def deaf(lost: int) -> None:
    """Goes on for ever, and loses so many cancels as `wait_for` does where its answer is there already."""
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            lost -= 1
            if lost < 0:
                raise


async def test_a_task_that_lost_a_cancel_is_cancelled_again() -> None:
    tasks = [asyncio.create_task(deaf(lost)) for lost in (0, 1, 3)]
    await asyncio.sleep(0)
    async with asyncio.timeout(30):
        await ended(*tasks, again=0.01)
    assert all(task.cancelled() for task in tasks)


async def test_what_went_wrong_in_a_task_is_nobodys_when_it_is_ended() -> None:
    async def breaks() -> None:
        raise RuntimeError("broken")

    tasks = [asyncio.create_task(breaks()), asyncio.create_task(deaf(0))]
    await asyncio.sleep(0)
    await ended(*tasks, again=0.01)
    assert tasks[0].done() and tasks[1].cancelled()
