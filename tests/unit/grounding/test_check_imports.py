"""`arreio check imports`: a line in, a line out."""

import json
from pathlib import Path

import pytest

from arreio.__main__ import main
from tests.unit.grounding.environments import write


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, object]], str]:
    status = main(["check", "imports", *arguments])
    said = capsys.readouterr()
    return status, [json.loads(line) for line in said.out.splitlines()], said.err


def test_each_line_is_answered_with_the_verdicts_on_its_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"work/app/__init__.py": "", "work/util.ts": "export const one = 1;\n"})
    lines = [
        {"path": "app/a.py", "code": "import json\nfrom . import later\njson.loadz('')\nimport invented_zz\n"},
        {"path": "b.ts", "code": "import { two } from './util';\n"},
        {"path": "c.md", "code": "import json"},
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    status, answers, _ = run(capsys, "--workspace", str(tmp_path / "work"), "--offline", str(tmp_path / "in.jsonl"))
    assert status == 0
    found = [{one["name"]: one["verdict"] for one in answer["verdicts"]} for answer in answers]  # type: ignore[attr-defined]
    assert found == [
        {"json": "EXISTS", ".later": "UNKNOWN", "invented_zz": "UNKNOWN", "json.loadz": "MISSING"},
        {"./util": "EXISTS", "./util#two": "MISSING"},
        {},
    ]
    assert set(answers[0]["verdicts"][0]) == {"name", "verdict", "why", "candidates"}  # type: ignore[index]


def test_a_line_that_is_none_of_its_kind_is_answered_and_makes_the_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in.jsonl").write_text('{"path": "a.py"}\n{"path": "a.py", "code": "import json"}\n')
    status, answers, _ = run(capsys, "-w", str(tmp_path), "--offline", str(tmp_path / "in.jsonl"))
    assert status == 1
    assert answers[0] == {"error": 'line 1: no strings "path" and "code"'}
    assert "verdicts" in answers[1]


def test_a_workspace_that_is_not_there_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, answers, errors = run(capsys, "--workspace", str(tmp_path / "nowhere"), "/dev/null")
    assert (status, answers) == (1, [])
    assert errors.splitlines() == [
        f"arreio: there is no folder {tmp_path}/nowhere; name the workspace with --workspace"
    ]
