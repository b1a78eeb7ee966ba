"""Asks a command hook: JSON on standard input, and whatever it answers within its time, as a judgement.

The command is the operator's own. It runs outside the sandbox and sees no secret of the harness's environment; what it
started ends with it.
"""

import asyncio
import contextlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from arreio_contracts.task import Hook

from shared.canonical import canonical_json
from shared.sandbox import orphans_ended
from shared.secrets import mask

from .targets import missing_target
from .verdict import BLOCKS, Answer, Judgement, read

_KEPT_BYTES: Final = 256 * 1024
_READ_BYTES: Final = 64 * 1024
_END_SECONDS: Final = 5.0
_NOT_STARTED: Final = (1, BLOCKS, 126, 127)
"""With these statuses shells and interpreters say that there is nothing to run."""
_BY_SIGNAL: Final = 128
"""A shell adds the number of the signal to it."""
_PYTHON_INLINE: Final = re.compile(r"\b(?:python|pypy)[\d.]*\s(?:[^|;&]*\s)?-[a-zA-Z]*[cm]\b")
_PASSED: Final = re.compile(r"LC_\w+|USER|LOGNAME|LANG|LANGUAGE|TZ|HOME|SHELL|XDG_\w+_HOME|SSL_CERT_FILE|SSL_CERT_DIR")


def hook_environment(command: str, workspace: Path | None) -> dict[str, str]:
    """The variables of a hook: no secret of ours, and no way to a program that the model may have written."""
    kept = {name: value for name, value in os.environ.items() if _PASSED.fullmatch(name)}
    entries = [entry for entry in os.environ.get("PATH", os.defpath).split(os.pathsep) if entry.startswith("/")]
    if workspace is not None:
        entries = [entry for entry in entries if not Path(os.path.realpath(entry)).is_relative_to(workspace.resolve())]
        kept["ARREIO_PROJECT_DIR"] = kept["CLAUDE_PROJECT_DIR"] = str(workspace)
    if _PYTHON_INLINE.search(command):
        # Else Python would take modules from the workspace, which it is started in.
        kept["PYTHONSAFEPATH"] = "1"
    return {**kept, "PATH": os.pathsep.join(entries)}


def problem(hook: Hook, workspace: Path | None) -> str | None:
    """Why a hook cannot be started, in one line; None where nothing speaks against it."""
    return missing_target(hook.command, _directory(workspace), hook_environment(hook.command, workspace))


async def judge(hook: Hook, payload: Mapping[str, Any], workspace: Path | None) -> Judgement:
    """What the hook says. Never raises but for cancellation, which ends the command."""
    text = canonical_json(payload).encode("utf-8", "replace")
    environment = hook_environment(hook.command, workspace)
    try:
        process = await asyncio.create_subprocess_exec(
            *orphans_ended("sh", "-c", hook.command),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=_directory(workspace),
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        return Judgement("no_verdict", f"it cannot be started: {error.strerror}", unavailable=True)
    answer = await _answer(process, text, hook.timeout)
    if answer.status in _NOT_STARTED and (why := await asyncio.to_thread(problem, hook, workspace)):
        return Judgement("no_verdict", why, unavailable=True)
    return read(answer)


async def _answer(process: asyncio.subprocess.Process, text: bytes, seconds: float) -> Answer:
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    talk = asyncio.gather(
        _write(process.stdin, text), _read(process.stdout), _read(process.stderr), return_exceptions=True
    )
    why = ""
    try:
        await asyncio.wait_for(process.wait(), seconds)
    except TimeoutError:
        why = f"it took longer than {seconds:g} s"
    finally:
        await asyncio.shield(_end(process))
        _, output, errors = await talk
    out, more = output if isinstance(output, tuple) else (b"", True)
    err, _ = errors if isinstance(errors, tuple) else (b"", True)
    status = None if why else process.returncode
    if status is not None and (status < 0 or status > _BY_SIGNAL):
        signal = -status if status < 0 else status - _BY_SIGNAL
        status, why = None, f"it was ended by signal {signal}"
    return Answer(status, _text(out), _text(err), why, cut=more)


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the command with all that it started; the program around it does so when it is told to end."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), _END_SECONDS)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _write(stream: asyncio.StreamWriter, text: bytes) -> None:
    with contextlib.suppress(ConnectionError):
        stream.write(text)
        await stream.drain()
    stream.close()


async def _read(stream: asyncio.StreamReader) -> tuple[bytes, bool]:
    """What was written, up to a bound, and whether there was more."""
    kept, more = bytearray(), False
    while data := await stream.read(_READ_BYTES):
        room = _KEPT_BYTES - len(kept)
        kept += data[:room]
        more = more or len(data) > room
    return bytes(kept), more


def _text(data: bytes) -> str:
    return mask(data.decode("utf-8", "replace").replace("\0", "\ufffd"))


def _directory(workspace: Path | None) -> Path:
    return workspace if workspace is not None else Path("/")
