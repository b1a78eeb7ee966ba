"""What follows from recorded verdicts on packages, names and claims."""

from collections.abc import Callable, Iterator

import pytest
from arreio_contracts.events import (
    ClaimChecked,
    EventData,
    InputReceived,
    ModelReplied,
    PackagesChecked,
    TaskBlocked,
    TaskNeedsInput,
    ToolFinished,
    ToolRefused,
)
from arreio_contracts.grounding import FileNames, NameVerdict, Package, PackageVerdict
from arreio_contracts.task import AnswerCriterion, TaskState

from services.tool_loop.fold import evolve
from services.tool_loop.grounding.deciding import open_question
from services.tool_loop.replay import stamped, verify
from services.tool_loop.rules.grounding.install_commands import installs
from services.tool_loop.state import LoopState
from services.tool_loop.steps import AskModel, AwaitJudgement, CheckPackages, Probe, RunTool, Step
from tests.unit.simulated_task import SimulatedTask, call, finished, judged, probed, profiled, replied

MISSING = FileNames(
    rule="test",
    path="a.py",
    missing=(NameVerdict(name="json.loadz", verdict="MISSING", why="json has no loadz", candidates=("loads",)),),
)


class World:
    """Replies in order; every package and claim stands as the test says."""

    def __init__(self, *replies: ModelReplied) -> None:
        self._replies: Iterator[ModelReplied] = iter(replies)
        self._last = replies[-1]
        self.packages: Callable[[Package], PackageVerdict] = lambda one: PackageVerdict(
            package=one, verdict="EXISTS", why="test"
        )
        self.answers_yes = True
        self.verdict = "PASS"

    def __call__(self, step: Step, state: LoopState) -> list[EventData]:
        match step:
            case AskModel():
                return [next(self._replies, self._last)]
            case RunTool():
                return [finished(step, changed=step.started.tool == "write_file")]
            case AwaitJudgement(claim):
                return [judged(claim.claim_id, self.verdict)]  # type: ignore[arg-type]
            case CheckPackages(asked):
                assert asked.installs is not None
                about = open_question(state)
                found = tuple(self.packages(one) for one in asked.installs.packages)
                allowed, declined = (about, ()) if self.answers_yes else ((), about)
                return [
                    PackagesChecked(call_id=asked.id, packages=found, allowed=allowed, declined=declined, rule="test")
                ]
            case _:
                raise AssertionError(step)


def install(number: int, command: str) -> ModelReplied:
    made = call(number, "run_command", command=command)
    return replied(made.model_copy(update={"installs": installs(command)}))


def claim(number: int) -> ModelReplied:
    return replied(call(number, "task_complete", summary="done"))


def refusals(task: SimulatedTask) -> list[ToolRefused]:
    return [event.data for event in task.log if isinstance(event.data, ToolRefused)]


def test_an_install_of_what_no_registry_has_is_refused_with_candidates_and_never_run() -> None:
    world = World(install(1, "pip install flask-restx-auth-helper requests"), claim(2))
    world.packages = lambda one: PackageVerdict(
        package=one,
        verdict="MISSING" if one.name.startswith("flask") else "EXISTS",
        why="test",
        candidates=("flask-restx",) if one.name.startswith("flask") else (),
    )
    task = SimulatedTask(world)
    assert task.run().state is TaskState.COMPLETE
    assert "tool.started" not in task.types()
    refused = refusals(task)[0]
    assert refused.code == "unknown_package"
    assert "flask-restx-auth-helper" in refused.text and "flask-restx" in refused.text
    assert "- requests" not in refused.text


def test_an_unreachable_registry_blocks_no_install() -> None:
    world = World(install(1, "pip install something"), claim(2))
    world.packages = lambda one: PackageVerdict(package=one, verdict="UNKNOWN", why="unreachable")
    task = SimulatedTask(world)
    assert task.run().state is TaskState.COMPLETE
    assert task.types().count("tool.finished") == 1


@pytest.mark.parametrize(("yes", "ran"), [(True, 1), (False, 0)])
def test_a_doubtful_package_waits_for_a_person_and_the_answer_holds(yes: bool, ran: int) -> None:
    world = World(install(1, "pip install reqests"), install(2, "pip install reqests"), claim(3))
    world.packages = lambda one: PackageVerdict(package=one, verdict="EXISTS", why="near", doubt="near_miss")
    world.answers_yes = yes
    task = SimulatedTask(world)
    assert task.run().state is TaskState.NEEDS_INPUT
    asked = task.log[-1].data
    assert isinstance(asked, TaskNeedsInput) and [one.name for one in asked.packages] == ["reqests"]
    task.foreign(InputReceived(text="yes", message_id="m2"))
    assert task.run().state is TaskState.COMPLETE
    assert task.types().count("tool.finished") == ran
    assert task.types().count("task.needs_input") == 1
    assert [one.code for one in refusals(task)].count("unknown_package") == 1 - ran


def test_a_yes_to_one_package_is_no_yes_to_another() -> None:
    world = World(install(1, "pip install reqests"), install(2, "pip install nunpy"), claim(3))
    world.packages = lambda one: PackageVerdict(package=one, verdict="EXISTS", why="near", doubt="near_miss")
    task = SimulatedTask(world)
    task.run()
    task.foreign(InputReceived(text="yes", message_id="m2"))
    assert task.run().state is TaskState.NEEDS_INPUT
    assert task.types().count("tool.started") == 0


def test_a_claim_with_names_that_are_missing_is_refused_with_the_list_until_they_are_mended() -> None:
    write = replied(call(1, "write_file", path="a.py", content="x"))
    mend = replied(call(3, "write_file", path="a.py", content="y"))
    world = World(write, claim(2), mend, claim(4))
    task = SimulatedTask(
        world, claim_checks=iter([ClaimChecked(missing=(MISSING,), rule="test"), ClaimChecked(rule="test")])
    )
    assert task.run().state is TaskState.COMPLETE
    assert [(one.code, "json.loadz" in one.text) for one in refusals(task)] == [("ungrounded", True)]


def test_a_claim_that_keeps_its_missing_names_ends_in_a_bounded_number_of_steps() -> None:
    world = World(claim(1))
    task = SimulatedTask(world, claim_checks=iter([ClaimChecked(missing=(MISSING,), rule="test")] * 100))
    state = task.run()
    assert state.state is TaskState.BLOCKED
    assert "completion.claimed" not in task.types()


def test_a_text_that_names_the_unseen_goes_back_twice_and_then_the_gates_judge_it() -> None:
    world = World(claim(1), claim(2), claim(3))
    task = SimulatedTask(world, claim_checks=iter([ClaimChecked(ungrounded=("ghost.py",), rule="test")] * 3))
    assert task.run().state is TaskState.COMPLETE
    assert [one.code for one in refusals(task)] == ["ungrounded", "ungrounded"]
    assert all("ghost.py" in one.text for one in refusals(task))


def test_where_the_text_is_all_that_is_judged_it_goes_back_until_it_is_grounded_or_the_ladder_ends() -> None:
    checks = [ClaimChecked(ungrounded=("ghost.py",), rule="test")]
    answers = profiled(criteria=(AnswerCriterion(),))
    mended = SimulatedTask(World(claim(1)), answers, claim_checks=iter(checks * 2))
    assert mended.run().state is TaskState.COMPLETE
    stubborn = SimulatedTask(World(claim(1)), answers, claim_checks=iter(checks * 100))
    assert stubborn.run().state is TaskState.BLOCKED
    assert "completion.claimed" not in stubborn.types()


def test_the_harness_claims_nothing_while_a_file_of_the_task_names_something_in_vain() -> None:
    profile = profiled()
    profile = profile.model_copy(update={"capability": {**profile.capability, "complete_on_criteria": True}})
    writes = [replied(call(number, "write_file", path="a.py", content=str(number))) for number in (1, 2)]

    class Probed(World):
        def __call__(self, step: Step, state: LoopState) -> list[EventData]:
            if isinstance(step, Probe):
                return [probed("PASS")]
            happened = super().__call__(step, state)
            return [
                one.model_copy(update={"names": MISSING}) if isinstance(one, ToolFinished) else one for one in happened
            ]

    vain = ClaimChecked(missing=(MISSING,), rule="test")
    task = SimulatedTask(Probed(*writes), profile, claim_checks=iter([vain]))
    assert task.run().state is TaskState.COMPLETE
    assert task.state.steps == 2
    assert verify("s", task.log) is None


def test_each_decision_on_names_and_packages_is_made_again_by_replay() -> None:
    world = World(install(1, "pip install reqests"), install(2, "pip install reqests"), claim(3), claim(4))
    world.packages = lambda one: PackageVerdict(package=one, verdict="EXISTS", why="near", doubt="near_miss")
    task = SimulatedTask(world, claim_checks=iter([ClaimChecked(ungrounded=("ghost.py",), rule="test")]))
    task.run()
    task.foreign(InputReceived(text="yes", message_id="m2"))
    task.run()
    assert task.state.state is TaskState.COMPLETE
    assert verify("s", task.log) is None


def test_a_restart_after_any_event_knows_the_same() -> None:
    world = World(install(1, "pip install reqests"), install(2, "pip install reqests"), claim(3))
    world.packages = lambda one: PackageVerdict(package=one, verdict="EXISTS", why="near", doubt="near_miss")
    task = SimulatedTask(world)
    task.run()
    task.foreign(InputReceived(text="yes", message_id="m2"))
    task.run()
    again = LoopState("t_1")
    for event in task.log:
        again = evolve(again, stamped(event))
    assert again.grounding == task.state.grounding
    assert [one.name for one in again.grounding.allowed] == ["reqests"]


ANSWERS = (AnswerCriterion(),)


@pytest.mark.parametrize(
    ("check", "code", "told"),
    [
        (ClaimChecked(answers=False, rule="test"), "no_answer", "says nothing"),
        (ClaimChecked(promised="I will check the logs", rule="test"), "promise", "promises"),
        (ClaimChecked(done="Agendei a consulta", rule="test"), "claim_without_action", "no call"),
        (ClaimChecked(settled="Está confirmado", rule="test"), "claim_without_action", "no call"),
    ],
)
def test_words_that_are_no_answer_are_no_claim_and_kept_up_they_climb_the_ladder(
    check: ClaimChecked, code: str, told: str
) -> None:
    mended = SimulatedTask(World(claim(1)), profiled(criteria=ANSWERS), claim_checks=iter([check]))
    assert mended.run().state is TaskState.COMPLETE
    assert [one.code for one in refusals(mended)] == [code]
    assert verify("s", mended.log) is None
    stubborn = SimulatedTask(World(claim(1)), profiled(criteria=ANSWERS), claim_checks=iter([check] * 100))
    ending = stubborn.run().ending
    assert isinstance(ending, TaskBlocked) and told in ending.reason.text
    assert "completion.claimed" not in stubborn.types()


@pytest.mark.parametrize("tool", ["write_file", "run_command"])
def test_a_report_of_what_a_call_of_the_task_did_is_an_answer(tool: str) -> None:
    check = ClaimChecked(done="I deleted old.txt", settled="Your room is booked", rule="test")
    acts = replied(call(1, tool, path="a.txt", command="rm old.txt", content="x"))
    task = SimulatedTask(World(acts, claim(2)), profiled(criteria=ANSWERS), claim_checks=iter([check]))
    assert task.run().state is TaskState.COMPLETE
    assert not refusals(task)


def test_what_was_read_bears_out_what_is_settled_and_no_act_of_the_models_own() -> None:
    looks = replied(call(1, "read_file", path="a.txt"))
    settled = ClaimChecked(settled="Your room is booked", rule="test")
    task = SimulatedTask(World(looks, claim(2)), profiled(criteria=ANSWERS), claim_checks=iter([settled]))
    assert task.run().state is TaskState.COMPLETE and not refusals(task)
    done = ClaimChecked(done="I booked your room", rule="test")
    task = SimulatedTask(World(looks, claim(2)), profiled(criteria=ANSWERS), claim_checks=iter([done]))
    assert task.run().state is TaskState.COMPLETE
    assert [one.code for one in refusals(task)] == ["claim_without_action"]


def test_not_knowing_is_no_act() -> None:
    knows_not = replied(call(1, "abstain", what="the date", how_to_check="ask"))
    check = ClaimChecked(settled="Your room is booked", rule="test")
    task = SimulatedTask(World(knows_not, claim(2)), profiled(criteria=ANSWERS), claim_checks=iter([check]))
    task.run()
    assert [one.code for one in refusals(task)] == ["claim_without_action"]


def test_where_gates_look_at_more_than_words_the_words_are_theirs_to_judge() -> None:
    check = ClaimChecked(answers=False, promised="I will", done="I did", rule="test")
    task = SimulatedTask(World(claim(1)), claim_checks=iter([check]))
    assert task.run().state is TaskState.COMPLETE and not refusals(task)


def test_criteria_that_were_only_inferred_leave_an_unchanged_workspace_to_the_words() -> None:
    promised = ClaimChecked(promised="I will", rule="test")
    task = SimulatedTask(World(claim(1)), profiled(inferred=True), claim_checks=iter([promised]))
    assert task.run().state is TaskState.COMPLETE
    assert [one.code for one in refusals(task)] == ["promise"]
    writes = replied(call(1, "write_file", path="a.txt", content="x"))
    task = SimulatedTask(World(writes, claim(2)), profiled(inferred=True), claim_checks=iter([promised]))
    assert task.run().state is TaskState.COMPLETE and not refusals(task)


def test_a_task_without_a_workspace_has_its_words_looked_at_too() -> None:
    profile = profiled(criteria=ANSWERS, workspace=None)
    task = SimulatedTask(World(claim(1)), profile, claim_checks=iter([ClaimChecked(answers=False, rule="test")]))
    assert task.run().state is TaskState.COMPLETE
    assert [one.code for one in refusals(task)] == ["no_answer"]
