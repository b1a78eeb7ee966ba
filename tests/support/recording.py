"""Records the histories that the replay tests verify: `python -m tests.support.recording [NAME…]`.

Each is a session of a real run (an engine and the five services of its own, a scripted model), as `arreio export`
writes it. Until there is a release they may be recorded anew when the state machine changes; from then on a change that
makes one of them diverge is a new version of it (docs/event-store.md).
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.support.house import House
from tests.support.programs import kill, until
from tests.support.scripted_server import Reply, ScriptedServer
from tests.support.scripts import Script, answering_late, call, constrained, parts_then, steps, turns

HISTORIES = Path(__file__).parents[1] / "data" / "histories"
CLAIM = call("task_complete", reply="It is done.")
NOTE = call("write_file", path="note.txt", content="Hello\n")
HAS_NOTE = "file_contains: note.txt :: Hello"


TOO_LARGE = {
    "status": 400,
    "error": {"message": "the maximum context length is exceeded", "code": "context_length_exceeded"},
}


def _calls(*wanted: dict[str, Any], content: str = "") -> dict[str, Any]:
    """One reply with the calls of several."""
    return {"content": content, "tool_calls": [one["tool_calls"][0] for one in wanted]}


def windowed(size: int) -> Script:
    """Three long outputs, then a model whose window holds so many bytes of messages."""

    def script(request: dict[str, Any]) -> Reply:
        done = turns(request)
        if done < 3:
            return call("run_command", command=f"echo {done}; seq 1 900")
        if len(json.dumps(request["messages"])) > size:
            return TOO_LARGE
        return NOTE if done == 3 else CLAIM

    return script


def to_and_fro(request: dict[str, Any]) -> Reply:
    """A model that writes one thing and then the other, for ever."""
    return call("write_file", path="note.txt", content=f"{turns(request) % 2}\n")


class Recorder:
    """Runs scenarios on one house, and exports the session of each."""

    def __init__(self, house: House, scratch: Path, output: Path) -> None:
        self._house = house
        self._scratch = scratch
        self._output = output

    def simple(
        self,
        script: Script | Sequence[Any],
        goal: str = "Write the note.",
        criteria: Sequence[str] = (HAS_NOTE,),
        **fields: Any,
    ) -> str:
        """A task that runs by itself; its session."""
        with ScriptedServer(script) as server:
            asked = self._house.submit(goal, self._place(), server.url, criteria, **fields)
            self._house.wait_for_end(asked.session_id)
        return asked.session_id

    def asked(self) -> str:
        """A question, its answer, and a second task in the same conversation."""
        replies = steps(call("need_input", question="Which note?"), NOTE, CLAIM)
        with ScriptedServer(replies) as server:
            asked = self._house.submit("Write the note.", self._place(), server.url, [HAS_NOTE])
            self._house.wait_for(asked.session_id, "task.needs_input")
            until(lambda: self._house.arreio("tasks", "show", str(asked.task_id)).stdout.count("NEEDS_INPUT"))
            assert self._house.arreio("answer", str(asked.task_id), "This one.").returncode == 0
            self._house.wait_for_end(asked.session_id)
        return asked.session_id

    def cancelled(self) -> str:
        """A task that is cancelled while its command runs."""
        waiting = steps(call("run_command", command="echo begun > begun; while true; do sleep 0.1; done"))
        with ScriptedServer(waiting) as server:
            place = self._place()
            asked = self._house.submit("Wait.", place, server.url, [HAS_NOTE])
            until(lambda: (place / "begun").exists())
            assert self._house.arreio("tasks", "cancel", str(asked.task_id)).returncode == 0
            self._house.wait_for_end(asked.session_id)
        return asked.session_id

    def taken_over(self) -> str:
        """A worker that dies while the model is asked, and another that goes on."""
        answer = threading.Event()
        with ScriptedServer(answering_late(steps(NOTE, CLAIM), 1, answer)) as server:
            asked = self._house.submit("Write the note.", self._place(), server.url, [HAS_NOTE])
            server.wait_for_requests(2, 60)
            (pid,) = self._house.pids("tool_loop")
            kill(pid)
            answer.set()
            self._house.wait_for_end(asked.session_id)
        return asked.session_id

    def interrupted(self) -> str:
        """A worker that dies while a command runs: its outcome is unknown, and the model is told."""
        script = steps(call("run_command", command="echo begun > begun; sleep 60"), NOTE, CLAIM)
        with ScriptedServer(script) as server:
            place = self._place()
            asked = self._house.submit("Write the note.", place, server.url, [HAS_NOTE])
            until(lambda: (place / "begun").exists())
            (pid,) = self._house.pids("tool_loop")
            kill(pid)
            self._house.wait_for_end(asked.session_id)
        return asked.session_id

    def edited(self) -> str:
        """Instructions that a person edits, adds and takes away while the task runs."""
        place = self._place()
        (place / "AGENTS.md").write_text("Be brief.")

        def script(request: dict[str, Any]) -> Reply:
            match turns(request):
                case 0:
                    (place / "AGENTS.md").write_text("Be thorough.")
                    (place / "docs").mkdir()
                    (place / "docs/AGENTS.md").write_text("Here, in Portuguese.")
                case 1:
                    (place / "AGENTS.md").unlink()
            return (call("list_files", path="."), NOTE, CLAIM)[turns(request)]

        with ScriptedServer(script) as server:
            asked = self._house.submit("Write the note.", place, server.url, [HAS_NOTE])
            self._house.wait_for_end(asked.session_id)
        return asked.session_id

    def export(self, name: str, session_id: str) -> None:
        """Write the session's file, once nothing more comes."""
        file = self._output / f"{name}.ndjson"
        done = self._house.arreio("export", session_id, "-o", str(file))
        assert done.returncode == 0, done.stderr
        checked = self._house.arreio("replay", session_id, "--verify", "--json")
        assert checked.returncode == 0, checked.stdout
        said = json.loads(checked.stdout)
        sys.stdout.write(f"{name}: {said['events']} events, {file.stat().st_size >> 10} KiB\n")

    def _place(self) -> Path:
        return Path(tempfile.mkdtemp(dir=self._scratch))


SCENARIOS: dict[str, Callable[[Recorder], str]] = {
    "completed": lambda to: to.simple(
        steps(
            call("list_files", path="."),
            NOTE,
            call("read_file", path="note.txt"),
            call("edit_file", path="note.txt", old_text="Hello", new_text="Hello, you"),
            call("run_command", command="cat note.txt; echo 'não é nada' >&2; printf '\\000'"),
            CLAIM,
        ),
        criteria=(HAS_NOTE, "command: grep -q you note.txt", "file_exists: note.txt"),
    ),
    "promised": lambda to: to.simple(
        steps("I will now write the note.", "Done?", _calls(NOTE, CLAIM, content="Here it is."))
    ),
    "prometido": lambda to: to.simple(
        steps("Vou criar a nota agora.", "Pronto, a nota foi criada.", NOTE, CLAIM),
        goal="Crie a nota com o texto Hello.",
    ),
    "no_action": lambda to: to.simple(steps("Let me look at it.")),
    "refused_then_passed": lambda to: to.simple(steps(CLAIM, CLAIM, NOTE, CLAIM)),
    "false_completion": lambda to: to.simple(steps(CLAIM)),
    "gate_failed": lambda to: to.simple(
        steps(call("write_file", path="note.txt", content="Bye\n"), CLAIM, NOTE, CLAIM),
        criteria=(HAS_NOTE, "command: grep -c Hello note.txt"),
    ),
    "declared_blocked": lambda to: to.simple(
        steps(call("task_blocked", reason="there is no paper", unblock="buy some"))
    ),
    "odd_calls": lambda to: to.simple(
        steps(
            call("no_such_tool", path="a"),
            call("read_file", pth="note.txt"),
            call("read_file", path="missing.txt"),
            {"tool_calls": [{"name": "write_file", "arguments": "{not json"}]},
            {"content": "Here is", "finish_reason": "length"},
            _calls(NOTE, call("read_file", path="note.txt"), call("read_file", path="missing.txt"), CLAIM),
            CLAIM,
        )
    ),
    "cut_off": lambda to: to.simple(steps({"content": "Here is", "finish_reason": "length"})),
    "climbed": lambda to: to.simple(steps("I will write it."), capability="strong"),
    "taken_apart": lambda to: to.simple(
        constrained(steps(call("list_files", path="."), NOTE, call("write_file", path="other.txt", content="x"))),
        criteria=(HAS_NOTE, "file_exists: note.txt", "command: test -e other.txt"),
        capability="weak",
    ),
    "looped": lambda to: to.simple(steps(call("read_file", path="missing.txt")), capability="strong"),
    "undone": lambda to: to.simple(to_and_fro, capability="strong"),
    "out_of_steps": lambda to: to.simple(steps(call("list_files", path=".")), budgets={"max_steps": 3}),
    "out_of_calls": lambda to: to.simple(steps(call("list_files", path=".")), budgets={"max_tool_calls": 2}),
    "provider_recovers": lambda to: to.simple(
        [
            {"status": 503, "error": "overloaded", "headers": {"retry-after": "1"}},
            NOTE,
            {"status": 429, "error": "slow down", "headers": {"retry-after": "1"}},
            CLAIM,
        ]
    ),
    "summed_up": lambda to: to.simple(constrained(parts_then(NOTE)), capability="weak", summaries=True),
    "window_too_small": lambda to: to.simple(windowed(9_000)),
    "window_hopeless": lambda to: to.simple([TOO_LARGE]),
    "provider_refuses": lambda to: to.simple([{"status": 401, "error": "no such key"}]),
    "unsatisfiable": lambda to: to.simple(steps(CLAIM), criteria=("contract: out.json :: missing.json",)),
    "constrained": lambda to: to.simple(constrained(steps(NOTE, CLAIM)), capability="weak"),
    "large_output": lambda to: to.simple(steps(call("run_command", command="seq 1 7000"), NOTE, CLAIM)),
    "asked": Recorder.asked,
    "cancelled": Recorder.cancelled,
    "taken_over": Recorder.taken_over,
    "interrupted": Recorder.interrupted,
    "edited": Recorder.edited,
}


def main(names: Sequence[str], output: Path = HISTORIES) -> None:
    """Record these scenarios, or all."""
    output.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arreio-histories-")))
        house = stack.enter_context(House(scratch / "home"))
        recorder = Recorder(house, scratch, output)
        for name in names or SCENARIOS:
            recorder.export(name, SCENARIOS[name](recorder))


if __name__ == "__main__":
    main(sys.argv[1:])
