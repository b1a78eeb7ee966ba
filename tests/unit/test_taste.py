"""The taste critic: what its checks find in HTML, CSS and Markdown, each beside a twin that is fine; and its bound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from arreio_contracts.events import CompletionRefused, EventData, GateJudged
from arreio_contracts.messages import TASTE, CriterionResult, Verdict
from arreio_contracts.task import TaskState
from hypothesis import given
from hypothesis import strategies as st

from arreio.__main__ import main
from services.gate_runner.taste import (
    Taste,
    UnusableTaste,
    result_of,
    returned_before,
    taste_of,
    texts_of,
    violations,
)
from services.gate_runner.taste.critic import looked_at
from services.tool_loop.state import LoopState
from services.tool_loop.steps import AskModel, AwaitJudgement, Step
from tests.unit.simulated_task import SimulatedTask, call, replied

RULES: dict[str, dict[str, Any]] = {
    "contrast": {},
    "colours": {"tokens": ["#112233", "#fff"]},
    "spacing": {"tokens": [0, 8, 16]},
    "alt_text": {},
    "headings": {},
    "labels": {},
}
TASTES = {
    check: Taste.model_validate({"rules": [{"name": check, "check": check, **more}]}) for check, more in RULES.items()
}


def said(place: Path, check: str, file: str, text: str) -> list[str]:
    (place / file).write_text(text)
    return [*map(str, violations(TASTES[check], texts_of(place, [file])))]


@pytest.mark.parametrize(
    ("check", "file", "broken", "fine"),
    [
        ("contrast", "a.css", "p { color: #999; background: #fff }", "p { color: #555; background: #fff }"),
        ("contrast", "a.html", '<p style="color:#ccc;background-color:white">', '<p style="color:#ccc">'),
        (
            "contrast",
            "a.html",
            "<style>p{color:#999;background:#fff}</style>",
            "<style>p{color:#000;background:#fff}</style>",
        ),
        ("colours", "a.css", "p { color: #123456 }", "p { color: rgb(17, 34, 51); border: 1px solid #FFFFFF }"),
        ("colours", "a.css", "p { color: rgb(1, 2, 3) }", ":root { --own: #123456 } #abc { color: #fff }"),
        ("spacing", "a.css", "p { margin: 8px 13px }", "p { margin: 8px 16px; width: 13px }"),
        ("alt_text", "a.html", '<img src="a.png">', '<img src="a.png" alt="">'),
        ("alt_text", "a.md", "![](a.png)", "![a map](a.png)\n```\n![](a.png)\n```"),
        ("headings", "a.html", "<h1>a</h1><h3>b</h3>", "<h1>a</h1><h2>b</h2><h3>c</h3><h1>d</h1>"),
        ("headings", "a.md", "# a\n### b", "# a\n```\n### b\n```\n## b"),
        ("labels", "a.html", '<input id="n">', '<label for="n">Name</label><input id="n">'),
        ("labels", "a.html", "<select></select>", "<label>Pick <select></select></label>"),
        ("labels", "a.html", "<textarea></textarea>", '<textarea aria-label="Notes"></textarea>'),
        (
            "labels",
            "a.html",
            "<button><i></i></button>",
            '<button><img src="x" alt="Save"></button><input type="hidden">',
        ),
    ],
)
def test_a_check_finds_what_breaks_it_and_leaves_its_twin_alone(
    tmp_path: Path, check: str, file: str, broken: str, fine: str
) -> None:
    (line,) = said(tmp_path, check, file, broken)
    assert line.startswith(f"{file}:") and f" [{check}] " in line
    assert said(tmp_path, check, file, fine) == []


def test_a_violation_names_its_line_and_the_rules_words(tmp_path: Path) -> None:
    rule = {"name": "our sizes", "check": "spacing", "tokens": [8], "why": "steps of eight", "good": "margin: 8px"}
    (tmp_path / "a.css").write_text("/* one\n two */\na { color: red }\nb {\n  padding: 7px\n}\n")
    taste = Taste.model_validate({"rules": [rule]})
    found = result_of(taste, [*violations(taste, texts_of(tmp_path, ["a.css"]))], [], 0)
    assert found is not None
    assert found.seen == "a.css:5 [our sizes] padding: 7px is none of the sizes"
    assert found.expected == "our sizes: steps of eight (as margin: 8px)"


@given(st.text(max_size=200), st.sampled_from([".html", ".css", ".md"]))
def test_any_text_is_looked_at(text: str, ending: str) -> None:
    looked_at(f"a{ending}", text)


@pytest.mark.parametrize("returns", [0, 1, 2, 5])
def test_taste_sends_a_task_back_a_bounded_number_of_times(returns: int) -> None:
    taste = TASTES["spacing"].model_copy(update={"returns": returns})
    judgements: list[list[dict[str, Any]]] = []
    verdicts = []
    for _ in range(7):
        seen = [*violations(taste, {"a.css": "p { margin: 13px }"})]
        found = result_of(taste, seen, [], returned_before(judgements))
        assert found is not None and "13px" in found.seen
        verdicts.append(found.verdict)
        judgements.append([found.model_dump()])
    assert verdicts == ["FAIL"] * returns + ["PASS"] * (7 - returns)


def test_what_is_let_pass_for_the_bound_is_told_from_what_holds() -> None:
    taste = TASTES["spacing"]
    seen = [*violations(taste, {"a.css": "p { margin: 13px }"})]
    let = result_of(taste, seen, [], 2)
    assert let is not None and (let.verdict, let.let_pass, let.word) == ("PASS", True, "LET_PASS")
    assert let.seen.startswith("let pass, for it was sent back 2 times, the most it may be:\na.css:1 [spacing]")
    sent, noted = result_of(taste, seen, [], 1), result_of(taste, [], ["no browser"], 2)
    assert sent is not None and noted is not None
    assert [(one.let_pass, one.word) for one in (sent, noted)] == [(False, "FAIL"), (False, "PASS")]
    none = result_of(taste.model_copy(update={"returns": 0}), seen, [], 0)
    assert none is not None and none.let_pass and none.seen.startswith("let pass, for these rules send nothing back:")


def test_rules_are_read_by_profile_and_a_bad_file_is_said_to_be_so(tmp_path: Path) -> None:
    (tmp_path / "taste").mkdir()
    (tmp_path / "taste" / "web.yaml").write_text("rules:\n- {name: a, check: headings}\n")
    (tmp_path / "taste" / "bad.yaml").write_text("rules:\n- {name: a, check: vibes}\n")
    assert [rule.name for rule in taste_of(tmp_path, "web").rules] == ["a"]
    assert taste_of(tmp_path, str(tmp_path / "taste" / "web.yaml")) == taste_of(tmp_path, "web")
    assert taste_of(tmp_path, None).rules == ()
    for name, why in (("bad", r"bad\.yaml: rule 0 \('a'\)"), ("../taste/web", "neither"), ("nowhere", "no file")):
        with pytest.raises(UnusableTaste, match=why):
            taste_of(tmp_path, name)


def test_what_taste_refuses_may_be_claimed_again_unchanged() -> None:
    judgements = iter(["FAIL", "PASS"])

    def world(step: Step, state: LoopState) -> list[EventData]:
        if isinstance(step, AskModel):
            return [replied(call(state.steps, "task_complete", reply="Done."))]
        assert isinstance(step, AwaitJudgement)
        verdict: Verdict = "FAIL" if next(judgements) == "FAIL" else "PASS"
        held = CriterionResult(criterion="file_exists: a.txt", verdict="PASS")
        critic = CriterionResult(criterion=TASTE, verdict=verdict, seen="a.css:1")
        return [GateJudged(claim_id=step.claim.claim_id, verdict=verdict, results=(held, critic), missing="a.css:1")]

    task = SimulatedTask(world)
    assert task.run().state is TaskState.COMPLETE
    refused = [event.data for event in task.log if isinstance(event.data, CompletionRefused)]
    assert [one.by for one in refused] == ["taste"] and "call task_complete again" in refused[0].nudge


PALE = "p { color: #999; background: #fff }"


@pytest.mark.parametrize(
    ("rules", "page", "status", "said"),
    [
        ("rules: [{name: readable, check: contrast}]", PALE, 1, "a.css:1 [readable] #999999 on #ffffff"),
        ("rules: [{name: readable, check: contrast}]", "p { color: #333; background: #fff }", 0, ""),
        ("rules: [{name: tone, check: model, why: calm}]", PALE, 0, "note: 1 rules need a model"),
        ("rules: [{name: readable, check: contrast, most: 3}]", PALE, 1, "rule 0 ('readable'): most: Extra inputs"),
        ("rules: [{name: ours, check: colours, tokens: [bluish]}]", PALE, 1, "'bluish' is no colour"),
        ("rules: [{name: a, check: labels}, {name: a, check: headings}]", PALE, 1, "two rules are named 'a'"),
        ("rules: [{name: a, check: labels}]\nrules: []", PALE, 1, "stands twice"),
        ("- name: a", PALE, 1, "the file: Input should be"),
        ("rules: [", PALE, 1, "is not YAML"),
        ("returns: 99", PALE, 1, "returns: Input should be less"),
    ],
)
def test_arreio_check_taste_tells_what_breaks_rules_and_what_is_wrong_with_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rules: str, page: str, status: int, said: str
) -> None:
    (tmp_path / "rules.yaml").write_text(rules)
    (tmp_path / "a.css").write_text(page)
    arguments = ["a.css", "-w", str(tmp_path), "-r", str(tmp_path / "rules.yaml")]
    assert main(["check", "taste", *arguments]) == status
    told = capsys.readouterr()
    assert said in told.out + told.err and (said or not told.out)
