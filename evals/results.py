"""Keeps one JSON line a run, so that what was interrupted goes on where it was."""

import ast
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
    "harness": ("services", "shared", "contracts/arreio_contracts", "arreio", "evals/harness.py", "evals/task*.py"),
    "bare": (
        "evals/bare.py",
        "evals/task*.py",
        "services/context_builder/agents.py",
        "services/tool_loop/models/call_modes/json_schema.py",
        "services/tool_loop/models/call_modes/reading.py",
        "services/tool_loop/models/call_modes/rendering.py",
        "services/tool_loop/models/local_server.py",
        "services/tool_loop/models/profiles.yaml",
        "services/tool_loop/models/schema_coercion.py",
        "services/tool_loop/tools",
    ),
}
"""What a result depends on: once it says otherwise, a run is made anew. The bare loop knows no rule."""


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
    """A digest of what the code says that a result of this arm depends on; comments and docstrings are not in it."""
    digest = hashlib.sha256()
    for file in _files(_SOURCES[arm]):
        said = _said(file.read_text(encoding="utf-8")) if file.suffix == ".py" else file.read_bytes()
        digest.update(str(file.relative_to(_ROOT)).encode() + b"\0" + said)
    return digest.hexdigest()[:12]


def _files(places: Iterable[str]) -> Iterable[Path]:
    for place in places:
        for start in sorted(_ROOT.glob(place)):
            files = [start] if start.is_file() else sorted(start.rglob("*"))
            yield from (file for file in files if file.suffix in (".py", ".yaml", ".json", ".sql"))


def _said(source: str) -> bytes:
    """What a module does: its syntax tree, without docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [line for line in node.body if not _is_text(line)]
    return ast.dump(tree).encode()


def _is_text(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)


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
