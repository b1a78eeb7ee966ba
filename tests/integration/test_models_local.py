"""Models of this machine: found, served by a child process, and gone with it."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from services.tool_loop.models.call_modes import Hints, ToolSpec, call_mode
from services.tool_loop.models.client import ModelClient, ModelRequest
from services.tool_loop.models.errors import LocalModelError
from services.tool_loop.models.local_models import LocalModels, is_local, locate
from shared.processes import is_alive
from tests.support.waiting import eventually

MODEL = "local/smollm2-135m"


def _installed() -> bool:
    try:
        locate(MODEL)
    except LocalModelError:
        return False
    return True


needs_model = pytest.mark.skipif(not _installed(), reason="the extra 'local' is not installed")


def test_only_ids_of_this_machine_are_local() -> None:
    assert is_local(MODEL)
    assert not is_local("ollama/smollm2-135m")


@pytest.mark.parametrize(
    ("model", "told"),
    [("local/nobody", "there is no local model 'nobody'"), ("local//nowhere/a.gguf", "cannot be read")],
)
def test_a_model_that_is_not_there_is_told_in_one_line(model: str, told: str) -> None:
    with pytest.raises(LocalModelError, match=told) as failed:
        locate(model)
    assert failed.value.kind == "unknown_model"
    assert failed.value.hint


def test_a_file_that_is_no_model_is_told(tmp_path: Path) -> None:
    file = tmp_path / "text.gguf"
    file.write_text("some text")
    with pytest.raises(LocalModelError, match="is no GGUF file"):
        locate(f"local/{file}")


@needs_model
async def test_a_file_that_cannot_be_served_is_told(tmp_path: Path) -> None:
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"GGUF and then nothing of use")
    with pytest.raises(LocalModelError, match=r"broken\.gguf could not be served") as failed:
        await LocalModels().endpoint(f"local/{file}")
    assert failed.value.kind == "unavailable"


@needs_model
async def test_a_model_is_served_once_with_a_key_and_again_when_it_died() -> None:
    models = LocalModels()
    try:
        first, second = await asyncio.gather(models.endpoint(MODEL), models.endpoint(MODEL))
        assert first == second
        async with httpx.AsyncClient(trust_env=False) as client:
            asked = {"messages": [{"role": "user", "content": "1"}], "max_tokens": 1}
            without = await client.post(f"{first.api_base}/chat/completions", json=asked)
        assert without.status_code == 401
        (served,) = models._served.values()
        served.process.kill()
        await served.process.wait()
        third = await models.endpoint(MODEL)
        assert third.api_key != first.api_key
        (served,) = models._served.values()
    finally:
        await models.close()
    assert served.process.returncode is not None


@needs_model
async def test_the_smallest_model_fills_the_slots_of_a_call() -> None:
    parameters = {
        "type": "object",
        "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
        "required": ["path", "content"],
    }
    models = LocalModels()
    try:
        served = await models.endpoint(MODEL)
        base = ModelRequest(served.model, api_base=served.api_base, api_key=served.api_key, temperature=0.2, seed=1)
        answer = await call_mode("slots").ask(
            ModelClient(),
            base,
            [{"role": "user", "content": "Create the file greeting.txt with the text: Good morning"}],
            [ToolSpec("write_file", "Create a file.", parameters)],
            Hints(),
            prefix="c",
        )
    finally:
        await models.close()
    (call,) = answer.calls
    assert call.problem is None
    assert call.arguments is not None and call.arguments["path"] == "greeting.txt"
    assert isinstance(call.arguments["content"], str)


def _process_with_a_model() -> subprocess.Popen[str]:
    code = (
        "import asyncio, sys\n"
        "from services.tool_loop.models.local_models import LocalModels\n"
        "async def main():\n"
        "    models = LocalModels()\n"
        f"    await models.endpoint({MODEL!r})\n"
        "    print(*(served.process.pid for served in models._served.values()), flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)


@needs_model
async def test_a_server_ends_with_the_process_that_started_it() -> None:
    parent = _process_with_a_model()
    try:
        assert parent.stdout is not None
        line = await asyncio.to_thread(parent.stdout.readline)
        while line and not line.strip().isdigit():
            line = await asyncio.to_thread(parent.stdout.readline)
        child = int(line)
        os.kill(parent.pid, signal.SIGKILL)
    finally:
        parent.kill()
        parent.wait()

    async def gone() -> bool:
        return not is_alive(child)

    await eventually(gone)
