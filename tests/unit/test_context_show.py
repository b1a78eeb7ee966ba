"""`arreio context show`: works without an engine, answers in JSON, and every misuse is one line."""

import json
from pathlib import Path
from typing import Any

import pytest

from arreio.__main__ import main


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["context", "show", "--json", *arguments]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture(autouse=True)
def no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data directory on which nothing runs."""
    monkeypatch.setenv("ARREIO_HOME", str(tmp_path / "home"))


@pytest.fixture
def layers(tmp_path: Path) -> Path:
    rules = [{"id": f"r{number}", "text": f"rule {number} " * 8, "order": number} for number in (2, 0, 1)]
    state = [
        {"id": "goal", "text": "the goal", "order": 9, "pinned": True},
        {"id": "old", "text": "x" * 99, "order": 0},
    ]
    content = {
        "business_rules": {"units": rules},
        "task_state": {"units": state},
        "project_context": {"blob": "é" * 99},
    }
    file = tmp_path / "layers.json"
    file.write_text(json.dumps(content))
    return file


def test_the_answer_has_every_layer_in_order_and_names_what_was_cut(
    tmp_path: Path, layers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "AGENTS.md").write_text("Be brief.")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/AGENTS.md").write_text("Not ours.")
    budgets = ["business_rules=40", "task_state=10", "project_context=30"]
    options = [option for budget in budgets for option in ("--budget", budget)]
    found = shown(capsys, "-w", str(tmp_path), "--layers", str(layers), *options)
    by_name = {layer["name"]: layer for layer in found["layers"]}
    assert list(by_name) == ["identity", "instruction_files", "project_context", "business_rules", "task_state"]
    assert by_name["instruction_files"]["kept"] == ["AGENTS.md"]
    assert by_name["business_rules"]["kept"] == ["r1", "r2"]
    assert [unit["id"] for unit in by_name["business_rules"]["dropped"]] == ["r0"]
    assert by_name["task_state"]["kept"] == ["goal"]
    assert by_name["project_context"]["truncated"] and "é[… truncado …]" in found["prompt"]
    assert all(layer["tokens"] <= layer["budget"] and layer["estimated"] for layer in found["layers"])
    assert [file["path"] for file in found["skipped"]] == ["node_modules/AGENTS.md"]


def test_a_layer_that_is_given_stands_as_it_is_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "layers.json"
    names = ("identity", "instruction_files", "project_context", "business_rules", "task_state")
    file.write_text(json.dumps({name: {"blob": f"the {name}"} for name in names}))
    found = shown(capsys, "-w", str(tmp_path), "--layers", str(file))
    assert found["prompt"] == "".join(f"the {name}\n\n" for name in names)
    for name in names:
        tokens = next(layer["tokens"] for layer in found["layers"] if layer["name"] == name)
        exact = shown(capsys, "-w", str(tmp_path), "--layers", str(file), "--budget", f"{name}={tokens}")
        assert f"the {name}\n\n" in exact["prompt"]
        if name != "project_context":
            less = shown(capsys, "-w", str(tmp_path), "--layers", str(file), "--budget", f"{name}={tokens - 1}")
            assert f"the {name}\n\n" not in less["prompt"]


def test_ignored_files_are_told_where_asked_for_and_untouched_ones_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("", "a", "b", "node_modules/m"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "AGENTS.md").write_text(f"rules of <{folder}>")
    found = shown(capsys, "-w", str(tmp_path), "--ignored", "load")
    assert found["layers"][1]["kept"] == ["AGENTS.md", "a/AGENTS.md", "b/AGENTS.md", "node_modules/m/AGENTS.md"]
    assert "node_modules/m/AGENTS.md\n" not in found["prompt"].partition("Files:")[2]
    found = shown(capsys, "-w", str(tmp_path), "--touched", "a/x.txt")
    assert found["layers"][1]["kept"] == ["AGENTS.md", "a/AGENTS.md"]
    assert [file["path"] for file in found["skipped"]] == ["node_modules/m/AGENTS.md", "b/AGENTS.md"]


def test_the_tokenizer_of_the_settings_counts_unless_another_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARREIO_TOKENIZER", "tiktoken:cl100k_base")
    assert not shown(capsys, "-w", str(tmp_path))["layers"][0]["estimated"]
    assert shown(capsys, "-w", str(tmp_path), "--tokenizer", "approx")["layers"][0]["estimated"]
    monkeypatch.setenv("ARREIO_TOKENIZER", "words")
    assert main(["context", "show", "-w", str(tmp_path)]) == 1
    assert "ARREIO_TOKENIZER" in capsys.readouterr().err


def test_the_same_inputs_give_the_same_bytes(tmp_path: Path, layers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    once = shown(capsys, "-w", str(tmp_path), "--layers", str(layers), "--tokenizer", "tiktoken:o200k_base")
    again = shown(capsys, "-w", str(tmp_path), "--layers", str(layers), "--tokenizer", "tiktoken:o200k_base")
    assert once == again and not any(layer["estimated"] for layer in once["layers"])


def test_a_person_sees_a_bar_a_layer_and_the_prompt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "AGENTS.md").write_text("[bold]Be brief.[/bold]")
    assert main(["context", "show", "-w", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "instruction_files" in out and "█" in out and "[bold]Be brief.[/bold]" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-w", "/no/such/place"], "no such workspace"),
        (["--agent", "nobody"], "developer"),
        (["--tokenizer", "bert"], "tiktoken:cl100k_base"),
        (["--budget", "rules=3"], "business_rules"),
        (["--budget", "identity=few"], "not a number"),
        (["--layers", "/no/such/file"], "No such file"),
        (["--ignored", "maybe"], "skip or load"),
        (["--at", "3"], "belong to --session"),
    ],
)
def test_misuse_is_one_line_and_status_1(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["context", "show", *arguments]) == 1
    line = capsys.readouterr().err
    assert said in line and line.count("\n") == 1


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        "{",
        '{"other": {"blob": ""}}',
        '{"identity": {}}',
        '{"identity": {"blob": 3}}',
        '{"task_state": {"units": [{}]}}',
    ],
)
def test_unreadable_layers_are_one_line(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "layers.json").write_text(content)
    assert main(["context", "show", "--layers", str(tmp_path / "layers.json")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_pinned_units_over_the_budget_are_named(
    tmp_path: Path, layers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["context", "show", "-w", str(tmp_path), "--layers", str(layers), "--budget", "task_state=1"]) == 1
    assert "context_unfittable" in capsys.readouterr().err
