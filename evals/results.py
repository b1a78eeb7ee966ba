"""Keeps one JSON line a run, so that what was interrupted goes on where it was."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

Arm = Literal["harness", "bare"]
ARMS: Final[tuple[Arm, ...]] = ("harness", "bare")

_ROOT: Final = Path(__file__).resolve().parent.parent
_SOURCES: Final[dict[Arm, Sequence[str]]] = {
    "harness": ("services", "shared", "contracts/arreio_contracts", "arreio", "evals"),
    "bare": (
        "evals/task.py",
        "evals/tasks_en.py",
        "evals/tasks_pt.py",
        "evals/bare.py",
        "services/tool_loop/models/call_modes/json_schema.py",
    ),
}
"""What a result depends on: once it changes, a run is made anew. The bare loop only borrows the tools."""


@dataclass(frozen=True)
class Result:
    """One run: `says_done` is its own word, `holds` the hidden check's. Seconds are wall time."""

    model: str
    arm: Arm
    task: str
    seed: int
    version: str
    how: str
    says_done: bool
    holds: bool
    within: bool
    steps: int
    tokens: int
    seconds: float

    @property
    def key(self) -> tuple[str, str, str, int, str]:
        """What makes a run the same run."""
        return self.model, self.arm, self.task, self.seed, self.version

    @property
    def false_completion(self) -> bool:
        """It says that the task is done, and it is not."""
        return self.says_done and not self.holds


def code_version(arm: Arm) -> str:
    """A digest of the code that a result of this arm depends on."""
    digest = hashlib.sha256()
    for place in _SOURCES[arm]:
        start = _ROOT / place
        files = [start] if start.is_file() else sorted(start.rglob("*"))
        for file in files:
            if file.suffix in (".py", ".yaml", ".json", ".sql"):
                digest.update(str(file.relative_to(_ROOT)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def read(file: Path) -> list[Result]:
    """The results so far. A line that was cut off by an interruption is left out."""
    found = []
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        try:
            found.append(Result(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return found


def append(file: Path, result: Result) -> None:
    """Keep a result."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")


def current(results: Iterable[Result]) -> list[Result]:
    """Those that the code of now would give."""
    versions = {arm: code_version(arm) for arm in ARMS}
    return [result for result in results if result.version == versions[result.arm]]
