"""What a command judges by, and what that hands the judging on to."""

from pathlib import Path

import pytest

from shared.run_files import is_check, scripts_run


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    files = {
        "Makefile": "include rules.mk\n\ntest:\n\t@./scripts/run.sh\n\nbuild:\n\tpython3 build.py\n",
        "rules.mk": "lint:\n\tsh tools/lint.sh\n",
        "scripts/run.sh": "#!/bin/sh\n. ./scripts/common.sh\npython3 program.py 2 3 | grep -qx 5\n",
        "scripts/common.sh": "set -e\n",
        "check.py": "import rules\nfrom calc import add\nassert rules.ok(add)\n",
        "rules.py": "def ok(add):\n    return add(2, 3) == 5\n",
        "calc.py": "",
        "program.py": "",
        "build.py": "",
        "package.json": '{"scripts": {"check": "npm run verify", "verify": "node verify.js"}}',
        "verify.js": "const { same } = require('./helpers.js');\nconst { add } = require('./calc.js');\n",
        "helpers.js": "",
        "calc.js": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "behind", "never"),
    [
        ("make test", {"rules.mk", "scripts/run.sh", "scripts/common.sh"}, {"program.py", "build.py"}),
        ("make build", {"rules.mk"}, {"build.py", "scripts/run.sh"}),
        ("python3 check.py", {"check.py", "rules.py"}, {"calc.py"}),
        ("npm run check", {"package.json#scripts.verify", "verify.js", "helpers.js"}, {"calc.js"}),
    ],
)
def test_the_judging_is_followed_and_what_is_judged_is_not(
    workspace: Path, command: str, behind: set[str], never: set[str]
) -> None:
    found = {*scripts_run(workspace, command)}
    assert behind <= found
    assert not never & found


def test_scripts_that_run_each_other_are_named_once(tmp_path: Path) -> None:
    (tmp_path / "check.sh").write_text("sh check2.sh\n")
    (tmp_path / "check2.sh").write_text("sh check.sh\n")
    assert scripts_run(tmp_path, "sh check.sh") == ["check.sh", "check2.sh"]


@pytest.mark.parametrize(
    ("name", "checks"), [("make check", True), ("ci/run.sh", True), ("npm run lint", True), ("make build", False)]
)
def test_a_check_is_known_by_what_it_is_called(name: str, checks: bool) -> None:
    assert is_check(name) is checks
