"""A forced skill: it stands in the prompt whole, and nothing is complete before it did."""

from pathlib import Path
from typing import Any

import pytest
from arreio_contracts.events import (
    EventData,
    OfferedTool,
    RoutedSkill,
    SkillLoaded,
    SkillRouting,
    TaskCompleted,
    ToolCall,
    ToolFinished,
    ToolRefused,
)

from services.context_builder.handlers import ContextBuilder
from services.context_builder.skills import SHARE, skill_units
from services.context_builder.tokenizers import Approximate
from services.tool_loop.state import LoopState
from services.tool_loop.steps import AskModel, AwaitJudgement, RunTool, Step
from shared.canonical import sha256_hex
from tests.support.context_memory import Memory, ask, begun
from tests.unit.simulated_task import TOOLS, SimulatedTask, call, finished, judged, profiled, replied

BODY = "---\nname: deploy\ndescription: Deploys.\n---\nAlways tag first."


def routed(name: str, **fields: Any) -> RoutedSkill:
    found = {"description": f"Does {name}.", "source": "workspace", "path": f"skills/{name}/SKILL.md", **fields}
    return RoutedSkill(name=name, **found)


FORCED = routed("deploy", forced=True, blob=sha256_hex(BODY))
ROUTING = SkillRouting(rule="test 1", skills=(FORCED, routed("docs", relevant=True), routed("other")))


def test_a_claim_is_refused_until_the_log_proves_that_the_skill_was_loaded() -> None:
    replies = iter(
        [
            replied(call(1, "task_complete", reply="done")),
            replied(ToolCall(id="call-2", name="load_skill", arguments={"name": "deploy"})),
            replied(call(3, "task_complete", reply="done")),
        ]
    )

    def world(step: Step, state: LoopState) -> list[EventData]:
        match step:
            case AskModel():
                return [next(replies)]
            case RunTool():
                loaded = SkillLoaded(name="deploy", source="workspace", text_hash="0" * 64)
                return [finished(step).model_copy(update={"skill": loaded})]
            case AwaitJudgement(claim):
                return [judged(claim.claim_id, "PASS")]
            case _:
                raise AssertionError(step)

    tools = (OfferedTool(name="load_skill", effect="read"), *TOOLS)
    task = SimulatedTask(world, profile=profiled(tools=tools), skills=ROUTING)
    state = task.run()
    assert isinstance(state.ending, TaskCompleted)
    [refused] = [event.data for event in task.log if isinstance(event.data, ToolRefused)]
    assert refused.code == "skill_not_loaded" and "deploy" in refused.text
    loaded_at = next(one.seq for one in task.log if isinstance(one.data, ToolFinished))
    claimed_at = next(one.seq for one in task.log if one.data.type == "completion.claimed")
    assert loaded_at < claimed_at


def test_a_model_that_never_loads_it_never_completes() -> None:
    def world(step: Step, state: LoopState) -> list[EventData]:
        assert isinstance(step, AskModel), step
        return [replied(call(state.steps, "task_complete", reply="done"))]

    state = SimulatedTask(world, skills=ROUTING).run()
    assert state.ending is not None and not isinstance(state.ending, TaskCompleted)


def with_skills(**created: Any) -> Memory:
    memory = Memory()
    memory.blobs[sha256_hex(BODY)] = BODY.encode()
    memory.add("task.created", goal="Ship it.", skills=ROUTING.model_dump(mode="json"), **created)
    for event in begun().events[1:]:
        memory.add(event.type, **event.data)
    return memory


def test_a_forced_skill_stands_in_the_prompt_whole_and_the_others_by_name_and_description() -> None:
    manifest, messages = ask(with_skills())
    units = [unit.id for layer in manifest.layers if layer.name == "task_state" for unit in layer.units]
    assert units[:3] == ["goal", "skill:deploy", "skills"]
    assert BODY in messages[2]["content"] and messages[2]["name"] == "harness"
    listed = messages[3]["content"]
    assert "- docs: Does docs." in listed and listed.index("docs") < listed.index("other") and "deploy" not in listed


def test_a_forced_skill_that_does_not_fit_is_no_prompt_and_says_what_to_do() -> None:
    manifest, _ = ask_unfitting()
    assert manifest.unfittable is not None and "task_state" in manifest.unfittable


def ask_unfitting() -> tuple[Any, Any]:
    memory = with_skills()
    memory.blobs[sha256_hex(BODY)] = b"x" * 50_000
    return ask(memory, budgets={"task_state": 2_000})


@pytest.mark.parametrize("budget", [100, 500, 2_000, 24_000])
def test_the_list_of_skills_never_takes_more_than_its_share_and_drops_the_least_relevant(budget: int) -> None:
    many = tuple(routed(f"skill-{number}", description="x" * 200, relevant=number < 2) for number in range(40))
    units = skill_units(SkillRouting(rule="test 1", skills=many, unlisted=3), {}, "pt", budget, Approximate())
    shown = [name for name in (one.name for one in many) if any(f"- {name}:" in unit.text for unit in units)]
    assert shown == [one.name for one in many][: len(shown)]
    assert all(Approximate().count(unit.text).tokens <= budget * SHARE + 40 for unit in units)
    assert not units or f"e mais {43 - len(shown)}" in units[0].text


def taste(place: Path) -> Path:
    (place / "taste").mkdir()
    (place / "taste" / "default.yaml").write_text(
        "rules:\n  - {name: Contrast, check: contrast, why: People must read it., good: '#000 on #fff'}\n"
    )
    return place


@pytest.mark.parametrize(
    ("created", "touched", "told"),
    [
        ({"ui": "its contract says so"}, "notes.txt", True),
        ({}, "notes.txt", False),
        ({}, "site/page.html", True),
        ({"contract": {"ui": False}}, "site/page.html", False),
        ({"contract": {"ui": True}}, "notes.txt", True),
        ({"ui": "x", "contract": {"taste": {"rules": "none-such"}}}, "page.html", False),
    ],
)
def test_taste_is_told_by_contract_or_by_what_the_task_touches(
    tmp_path: Path, created: dict[str, Any], touched: str, told: bool
) -> None:
    memory = with_skills(**created)
    memory.add("model.replied", content="", calls=[{"id": "c1", "name": "read_file", "arguments": {"path": touched}}])
    memory.add("tool.finished", call_id="c1", tool="read_file", status="ok", text="…", seen={touched: "0" * 64})
    manifest, messages = ask(memory, ContextBuilder(memory, memory, data_dir=taste(tmp_path)))
    units = [unit.id for layer in manifest.layers if layer.name == "business_rules" for unit in layer.units]
    assert ("taste:Contrast" in units) == told == ("People must read it." in str(messages[0]["content"]))


def test_a_file_of_taste_that_cannot_be_read_costs_no_prompt(tmp_path: Path) -> None:
    place = taste(tmp_path)
    for broken in ("rules: [", "- a", "rules: {a: b}", "rules: [1, {why: x}]", "\x00"):
        (place / "taste" / "default.yaml").write_text(broken)
        memory = with_skills(ui="its contract says so")
        manifest, _ = ask(memory, ContextBuilder(memory, memory, data_dir=place))
        assert manifest.unfittable is None
