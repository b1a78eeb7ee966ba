"""What `arreio doctor` finds of the operator's own files."""

from pathlib import Path

import pytest

from arreio.doctor import Check, examine


def _hooks(data_dir: Path) -> Check:
    return next(check for check in examine(data_dir) if check.name == "hooks")


def test_a_file_of_hooks_that_no_task_could_start_with_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARREIO_HOOKS", str(tmp_path / "hooks.yaml"))
    assert _hooks(tmp_path).verdict == "wrong"
    (tmp_path / "hooks.yaml").write_text("hooks: 3\n")
    found = _hooks(tmp_path)
    assert (found.verdict, found.hint) == ("wrong", "see docs/hooks.md")
    (tmp_path / "hooks.yaml").write_text("hooks:\n- {phase: pre_tool_use, command: 'true'}\n")
    assert _hooks(tmp_path) == Check("hooks", "ok", f"1 of {tmp_path / 'hooks.yaml'}")
    monkeypatch.delenv("ARREIO_HOOKS")
    assert _hooks(tmp_path).verdict == "ok"
