"""How one and the same work reads in the logs of several harnesses: commands, edits, looks and words to a person."""

# fmt: off
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from services.tool_loop.rules.loops.trajectory import RecordedStep

from .writing import Good, Steps, Stuck, call, listing


def hexes(of: object, length: int = 40) -> str:
    """Hexadecimal digits that differ from number to number and not from run to run."""
    return hashlib.sha256(repr(of).encode()).hexdigest()[:length]


def uuid(of: object) -> str:
    """An id in the usual form."""
    digits = hexes(of, 32)
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def letters(of: object, length: int = 5) -> str:
    """Letters and digits as the end of a pod's name has them."""
    return "".join("bcdfghjklmnpqrstvwxz2456789"[byte % 27] for byte in hashlib.sha256(repr(of).encode()).digest()[:length])


@dataclass(frozen=True)
class Voice:
    """One harness: how it writes a command with output and status, an edit, a look at lines, a new file."""

    name: str
    sh: Callable[..., RecordedStep]
    edit: Callable[..., RecordedStep]
    view: Callable[..., RecordedStep]
    create: Callable[..., RecordedStep]
    say: Callable[[str, str], RecordedStep]


def _openhands() -> Voice:
    editor = "str_replace_editor"
    foot = "\n[The command completed with exit code {}.]\n[Current working directory: /workspace/repo]\n[Python interpreter: /usr/bin/python]\n[Command finished with exit code {}]"
    return Voice(
        "openhands",
        lambda command, out="", code=0: call("execute_bash", out + foot.format(code, code), command=command),
        lambda path, old, new, error="": call(editor, "ERROR:\n" + error if error else f"The file {path} has been edited. Here's the result of running `cat -n` on a snippet of {path}:\n     9\t{new}\nReview the changes and make sure they are as expected.", command="str_replace", path=path, old_str=old, new_str=new),
        lambda path, first=1, last=60, text="": call(editor, f"Here's the result of running `cat -n` on {path}:\n{text or listing(first, last, path)}", command="view", path=path, view_range=[first, last]),
        lambda path, text: call(editor, f"File created successfully at: {path}", command="create", path=path, file_text=text),
        lambda text, answer: call("message", answer, content=text, wait_for_response=True),
    )


def _swe_agent() -> Voice:
    editor = "str_replace_editor"
    return Voice(
        "swe-agent",
        lambda command, out="", code=0: call("bash", out or "Your command ran successfully and did not produce any output.", bool(code), command=command),
        lambda path, old, new, error="": call(editor, error or f"The file {path} has been edited. Here's the result of running `cat -n` on a snippet of {path}:\n     9\t{new}", bool(error), command="str_replace", path=path, old_str=old, new_str=new),
        lambda path, first=1, last=60, text="": call(editor, f"Here's the result of running `cat -n` on {path}:\n{text or listing(first, last, path)}", command="view", path=path, view_range=[first, last]),
        lambda path, text: call(editor, f"File created successfully at: {path}", command="create", path=path, file_text=text),
        lambda text, answer: call("ask_user", answer, question=text),
    )


def _raw() -> Voice:
    return Voice(
        "raw",
        lambda command, out="", code=0: call("bash", out, bool(code), command=command),
        lambda path, old, new, error="": call("edit", error or f"[File: {path} (200 lines total)]\n9:{new}\nFile updated. Please review the changes and make sure they are correct (correct indentation, no duplicate lines, etc). Edit the file again if necessary.", bool(error), raw=f"'{old}' '{new}' {path}"),
        lambda path, first=1, last=60, text="": call("open", f"[File: {path} (900 lines total)]\n({first - 1} more lines above)\n{text or listing(first, last, path)}\n({900 - last} more lines below)", raw=f"{path} {first}"),
        lambda path, text: call("create", f"[File: {path} (1 lines total)]\n1:{text}", raw=f"{path}\n{text}"),
        lambda text, answer: call("(message)", f"USER: {answer}", text=text),
    )


def _claude() -> Voice:
    return Voice(
        "claude",
        lambda command, out="", code=0: call("Bash", (f"Exit code {code}\n" if code else "") + out or "(Bash completed with no output)", bool(code), command=command, description="Run it"),
        lambda path, old, new, error="": call("Edit", f"<tool_use_error>{error}</tool_use_error>" if error else f"The file {path} has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n     9→{new}", bool(error), file_path=path, old_string=old, new_string=new),
        lambda path, first=1, last=60, text="": call("Read", text or listing(first, last, path), file_path=path, offset=first, limit=last - first + 1),
        lambda path, text: call("Write", f"File created successfully at: {path}", file_path=path, content=text),
        lambda text, answer: call("AskUserQuestion", f'User has answered your question: "{answer}"', question=text),
    )


def _mini() -> Voice:
    def ran(command: str, out: str = "", code: int = 0) -> RecordedStep:
        return call("bash", f"<returncode>{code}</returncode>\n<output>\n{out}</output>", command=command)

    return Voice(
        "mini",
        ran,
        lambda path, old, new, error="": ran(f"python - <<'EOF'\nimport pathlib\np = pathlib.Path('{path}')\ns = p.read_text()\nassert {old!r} in s\np.write_text(s.replace({old!r}, {new!r}))\nEOF", error, int(bool(error))),
        lambda path, first=1, last=60, text="": ran(f"nl -ba {path} | sed -n '{first},{last}p'", text or listing(first, last, path)),
        lambda path, text: ran(f"cat <<'EOF' > {path}\n{text}\nEOF"),
        lambda text, answer: call("say", answer, message=text),
    )


def _codex() -> Voice:
    def ran(command: str, out: str = "", code: int = 0) -> RecordedStep:
        return call("shell", json.dumps({"output": out, "metadata": {"exit_code": code, "duration_seconds": len(out) % 9 / 10}}), command=["bash", "-lc", command], timeout=10000)

    return Voice(
        "codex",
        ran,
        lambda path, old, new, error="": call("apply_patch", error or f"Success. Updated the following files:\nM {path}", bool(error), input=f"*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch"),
        lambda path, first=1, last=60, text="": ran(f"sed -n '{first},{last}p' {path}", text or listing(first, last, path)),
        lambda path, text: call("apply_patch", f"Success. Updated the following files:\nA {path}", input=f"*** Begin Patch\n*** Add File: {path}\n+{text}\n*** End Patch"),
        lambda text, answer: call("respond", answer, content=text),
    )


VOICES = (_openhands(), _swe_agent(), _claude(), _mini(), _codex(), _raw())
GoodIn = Callable[[Voice], Steps]
StuckIn = Callable[[Voice], tuple[Steps, Steps]]
BEGINNINGS: Final = ("_begin", "_start")
"""Functions of these names write how a run begins, not a whole run."""


def kinds_of(module: Mapping[str, Any]) -> tuple[dict[str, Good], dict[str, Stuck]]:
    """What a module's functions of a voice write, in two voices each: the runs that get on, and those that do not."""
    good: dict[str, Good] = {}
    stuck: dict[str, Stuck] = {}
    for name, made in module.items():
        hints = getattr(made, "__annotations__", {})
        if name in BEGINNINGS or list(hints) != ["v", "return"]:
            continue
        kind = name.removeprefix("_").replace("_", " ")
        for voice in _two_of(kind):
            in_voice = partial(made, voice)
            if hints["return"] is Steps:
                good[f"{kind}, in {voice.name}"] = in_voice
            else:
                stuck[f"{kind}, in {voice.name}"] = in_voice
    return good, stuck


def _two_of(kind: str) -> tuple[Voice, Voice]:
    first = int(hexes(kind, 4), 16) % len(VOICES)
    return VOICES[first], VOICES[(first + 1 + int(hexes(kind, 6)[4:], 16) % (len(VOICES) - 1)) % len(VOICES)]
