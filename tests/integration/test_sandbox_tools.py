"""run_command on the real sandbox: what the model is told and what is learnt of the workspace."""

from dataclasses import replace
from pathlib import Path

import pytest

from services.tool_loop.tools import ToolContext, registry
from shared.sandbox import Limits, SandboxKind, sandbox_works
from shared.workspace import sha256

pytestmark = pytest.mark.skipif(sandbox_works() is not None, reason=f"bubblewrap: {sandbox_works()}")
RUN = registry()["run_command"]


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    (tmp_path / "kept.txt").write_text("kept")
    (tmp_path / "gone.txt").write_text("gone")
    return ToolContext(tmp_path, limits=Limits(seconds=20))


async def test_a_command_says_its_exit_status_and_output(context: ToolContext) -> None:
    good = await RUN.run({"command": "echo olá"}, context)
    assert (good.status, good.text, good.exit_status, good.error_class) == ("ok", "Exit status 0.\nolá", 0, None)
    bad = await RUN.run({"command": "exit 3"}, context)
    assert (bad.status, bad.text, bad.exit_status) == ("error", "Exit status 3. No output.", 3)
    assert bad.error_class == "exit_3"
    assert (await RUN.run({"command": "no-such-program"}, context)).error_class == "command_not_found"


async def test_what_a_command_changed_is_known_by_hash(context: ToolContext) -> None:
    result = await RUN.run({"command": "echo new > new.txt; rm gone.txt; echo x >> kept.txt; cat kept.txt"}, context)
    assert result.changed == {"new.txt": sha256(b"new\n"), "gone.txt": None, "kept.txt": sha256(b"keptx\n")}
    assert (await RUN.run({"command": "cat kept.txt"}, context)).changed == {}


async def test_a_command_that_is_ended_says_by_which_limit(context: ToolContext) -> None:
    result = await RUN.run({"command": "echo begun; sleep 60", "timeout_seconds": 1}, context)
    assert (result.status, result.exit_status, result.error_class) == ("error", None, "killed_time")
    assert result.text == "The command was ended: it took longer than 1 s.\nbegun"


async def test_a_longer_timeout_than_the_limit_is_not_granted(context: ToolContext) -> None:
    strict = replace(context, limits=Limits(seconds=0.3))
    result = await RUN.run({"command": "sleep 60", "timeout_seconds": 600}, strict)
    assert result.error_class == "killed_time"


async def test_long_output_is_shortened_in_the_middle(context: ToolContext) -> None:
    result = await RUN.run({"command": "seq 1 100000"}, replace(context, most_chars=2000))
    assert len(result.text) < 2200 and result.text.endswith("100000") and "bytes dropped" in result.text


async def test_a_command_that_no_shell_can_take_is_refused(context: ToolContext) -> None:
    result = await RUN.run({"command": "echo \0"}, context)
    assert (result.status, result.error_class) == ("refused", "bad_text")
    assert (await RUN.run({"command": "echo \ud800"}, context)).status in ("error", "refused")


async def test_megabytes_of_any_bytes_are_bounded_text_without_a_secret_at_the_cut(context: ToolContext) -> None:
    key = "sk-proj-" + "aB3" * 12
    (context.workspace / "say.py").write_text(
        "import sys\n"
        f"sys.stdout.buffer.write(b'.' * 990 + b' {key} ' + bytes(range(256)) * 20_000 + b' {key} ' + b'.' * 990)\n"
    )
    result = await RUN.run({"command": "python3 say.py"}, replace(context, most_chars=2000))
    assert result.status == "ok" and len(result.text) < 2200 and "bytes dropped" in result.text
    assert result.text.count("***") == 2 and "sk-proj" not in result.text and "aB3aB3" not in result.text
    result.text.encode("utf-8")


@pytest.mark.parametrize("size", [120 * 1024, 140 * 1024, 3 * 1024 * 1024])
@pytest.mark.parametrize("sandbox", ["bubblewrap", "none"])
async def test_a_command_may_be_longer_than_an_argument(context: ToolContext, size: int, sandbox: SandboxKind) -> None:
    command = f"cat > big.txt <<'END'\n{'y' * size}\nEND\nwc -c < big.txt; false"
    result = await RUN.run({"command": command}, replace(context, sandbox=sandbox))
    assert (result.exit_status, result.text) == (1, f"Exit status 1.\n{size + 1}")


@pytest.mark.parametrize("command", ["", "  \n\t"])
async def test_an_empty_command_is_refused(context: ToolContext, command: str) -> None:
    result = await RUN.run({"command": command}, context)
    assert (result.status, result.error_class) == ("refused", "empty_command")
