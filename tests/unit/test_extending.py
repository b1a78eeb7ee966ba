"""The examples of docs/extending.md, as they stand there."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Any

from arreio_contracts import task as tasks
from arreio_contracts.task import TaskContract, parse_criterion

from services.gate_runner.criteria import JUDGES
from services.gate_runner.criteria.base import Bench
from services.tool_loop.models.capability import check_profiles, resolve
from services.tool_loop.tools import Tool, ToolContext, offered_tools, registry

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "extending.md"


def example(section: str, language: str) -> str:
    """The first example of a language in a section of the guide."""
    text = GUIDE.read_text(encoding="utf-8").partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    found = re.search(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def module(section: str, place: Path) -> ModuleType:
    """The example of a section, imported."""
    found = ModuleType("example")
    exec(compile(example(section, "python"), str(place / "example.py"), "exec", dont_inherit=True), found.__dict__)
    return found


async def test_the_tool_is_offered_and_answers(tmp_path: Path) -> None:
    tool: Any = module("A tool", tmp_path).StockOf()
    assert isinstance(tool, Tool)
    assert "stock_of" in [one.name for one in offered_tools(TaskContract(workspace=str(tmp_path)), (tool,))]
    assert registry((tool,))["stock_of"].parameters["required"] == ["article"]
    there, none = [await tool.run({"article": name}, ToolContext(tmp_path)) for name in ("tea", "milk")]
    assert (there.status, there.text) == ("ok", "tea: 12")
    assert (none.status, none.error_class) == ("error", "unknown_article")


def test_the_criterion_that_needs_no_code_is_one() -> None:
    assert parse_criterion(example("A gate", "").strip()).kind == "command"


async def test_the_judge_judges(tmp_path: Path) -> None:
    guide = module("A gate", tmp_path)
    judge, bench = guide.JsonValidJudge(), Bench(tmp_path, commands=None)  # type: ignore[arg-type]
    criterion = guide.JsonValidCriterion(path="report.json")
    verdicts = []
    for content in (None, "{", "{}"):
        if content is not None:
            (tmp_path / "report.json").write_text(content)
        verdicts.append(await judge.judge(criterion, bench))
    assert [one.verdict for one in verdicts] == ["FAIL", "FAIL", "PASS"]
    assert all(one.expected == "report.json is JSON" and one.seen for one in verdicts[:2])
    assert (await judge.judge(guide.JsonValidCriterion(path="../x"), bench)).verdict == "FAIL"
    assert isinstance(judge.cheap, bool) and all(hasattr(other, "cheap") for other in JUDGES.values())


def test_the_places_to_change_that_the_guide_names_are_there() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    for name in ("CRITERION_KINDS", "CRITERION_FORMS", "_of_kind", "criterion_text"):
        assert f"`{name}`" in text and hasattr(tasks, name)
    for path in re.findall(r"`((?:services|contracts|tests)/[\w/.]+)`", text):
        assert (GUIDE.parents[1] / path).exists(), path


def test_the_capability_profile_is_taken_for_its_family(tmp_path: Path) -> None:
    place = tmp_path / "capabilities.yaml"
    place.write_text(example("A capability profile", "yaml"))
    check_profiles(place)
    found = resolve("openai/our-model-7b", overrides=place)
    assert (found.name, found.tool_call_mode, found.context_tokens) == ("house", "json_schema", 12_000)
    assert found.budgets.max_steps == 60
    weak = resolve("anything", "weak", overrides=place)
    assert found.budgets.max_tool_calls == weak.budgets.max_tool_calls
