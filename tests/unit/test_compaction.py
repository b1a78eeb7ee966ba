"""What follows when the model's window is smaller than the prompt: strictly smaller prompts, or an end."""

from itertools import count

from arreio_contracts.events import ContextBuilt, EventData, ModelFailed
from arreio_contracts.messages import ContextManifest, LayerManifest
from arreio_contracts.task import TaskState
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.replay import verify
from services.tool_loop.state import LoopState
from services.tool_loop.steps import AskModel, AwaitJudgement, BuildContext, Step, next_step
from tests.unit.simulated_task import SimulatedTask, call, judged, replied

OVERFLOW = ModelFailed(kind="context_overflow", message="maximum context length is exceeded")
CLAIM = replied(call(1, "task_complete", summary="done"))


def prompt(tokens: int, other: int = 100) -> ContextBuilt:
    layers = tuple(
        LayerManifest(name=name, strategy="drop_whole_units", budget=9_999, tokens=size, estimated=True)
        for name, size in (("identity", other), ("task_state", tokens - other))
    )
    return ContextBuilt(manifest=ContextManifest(prompt_sha256="0" * 64, layers=layers, tokens=tokens))


class Windowed(SimulatedTask):
    """A task whose model holds `window` tokens, and whose history cannot shrink below `least`."""

    window = 500
    whole = 1_000
    least = 150

    def __post_init__(self) -> None:
        self.prompts: list[int] = []
        super().__post_init__()

    def happens(self, step: Step, state: LoopState) -> list[EventData]:
        match step:
            case AskModel():
                return [CLAIM if self.prompts[-1] <= self.window else OVERFLOW]
            case AwaitJudgement(claim):
                return [judged(claim.claim_id, "PASS")]
            case _:
                raise AssertionError(step)

    def step(self) -> Step:
        if isinstance(next_step(self.state), BuildContext):
            room = self.state.history_room
            history = self.whole if room is None else max(self.least, min(self.whole, room))
            self.prompts.append(history + 100)
            self.now_ms += 1000
            self.record(prompt(history + 100))
            return BuildContext()
        return super().step()


def windowed(window: int, whole: int, least: int) -> Windowed:
    task = Windowed(lambda step, state: task.happens(step, state))
    task.window, task.whole, task.least = window, whole, least
    return task


def test_a_prompt_that_the_window_does_not_hold_is_built_smaller_until_it_does() -> None:
    task = windowed(500, 1_000, 150)
    assert task.run().state is TaskState.COMPLETE
    assert task.prompts == [1_100, 800, 590, 443]
    assert task.types().count("model.requested") == 4
    assert verify("s", task.log) is None


def test_a_prompt_that_cannot_shrink_ends_the_task_with_the_provider_s_words() -> None:
    task = windowed(200, 1_000, 150)
    ended = task.run()
    assert ended.state is TaskState.FAILED and ended.ending is not None
    reason = task.log[-1].data.model_dump()["reason"]
    assert reason["code"] == "context_unfittable" and "maximum context length" in reason["text"]
    assert [event.data.type for event in task.log if event.event_id == reason["evidence"][0]] == ["model.failed"]
    assert task.prompts[-2:] == [250, 250]
    assert verify("s", task.log) is None


@given(st.integers(0, 3_000), st.integers(0, 3_000), st.integers(0, 3_000))
def test_every_request_after_a_refusal_is_strictly_smaller(window: int, whole: int, least: int) -> None:
    task = windowed(window, whole, least)
    ended = task.run()
    asked = task.types().count("model.requested")
    sizes = task.prompts[:asked]
    assert sizes == sorted(set(sizes), reverse=True)
    assert (ended.state is TaskState.COMPLETE) == (sizes[-1] <= window)
    assert asked <= 40 and verify("s", task.log) is None


def test_the_history_keeps_its_smaller_room_for_the_rest_of_the_task() -> None:
    task = windowed(500, 1_000, 150)
    numbers = count()
    happens = task.happens

    def twice(step: Step, state: LoopState) -> list[EventData]:
        made = happens(step, state)
        return [replied()] if made == [CLAIM] and next(numbers) == 0 else made

    task.world = twice
    assert task.run().state is TaskState.COMPLETE
    assert task.prompts[-2:] == [443, 443]


def test_a_rate_limit_after_a_refusal_still_waits() -> None:
    task = windowed(500, 1_000, 150)
    failures = iter([ModelFailed(kind="rate_limit", message="slow down", retry_after=30)])
    happens = task.happens

    def limited(step: Step, state: LoopState) -> list[EventData]:
        made = happens(step, state)
        return [next(failures, CLAIM)] if made == [CLAIM] else made

    task.world = limited
    before = task.now_ms
    assert task.run().state is TaskState.COMPLETE
    assert task.now_ms - before > 30_000
    assert verify("s", task.log) is None
