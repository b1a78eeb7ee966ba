"""Runs that are made stuck: the beginning of a run that gets on, and then the same thing over and over.

Each kind is a function of a random generator that returns the stuck part; `stuck` puts it behind a good beginning.
"""

import random
from collections.abc import Callable, Sequence

from services.tool_loop.rules.loops.trajectory import RecordedStep

Steps = list[RecordedStep]
Maker = Callable[[random.Random], Steps]

_FILES = ("src/parse.py", "lib/Button.tsx", "core/json/Reader.java", "pkg/store/store.go", "app/models.py")
_COMMANDS = ("pytest -x -q", "make deploy", "npm run build", "go test ./...", "cargo build", "python repro.py")
_ERRORS = (
    "connect ECONNREFUSED 127.0.0.1:5432",
    "ModuleNotFoundError: No module named 'yaml'",
    "fatal: unable to access the repository: Could not resolve host",
    "FAILED tests/test_api.py::test_login - AssertionError: assert 401 == 200",
    "error[E0382]: use of moved value: `config`",
)
_THOUGHTS = (
    "Let me try that again.",
    "Perhaps this time.",
    "I should retry.",
    "Once more, then.",
    "That should work now.",
)
_SERVICE = (
    ("update_booking", "Error: payment method not found"),
    ("exchange_item", "Error: item is not available"),
    ("refund_order", "Error: order cannot be refunded"),
)


def step(
    tool: str, result: str = "", *, failed: bool = False, changed: bool | None = None, **arguments: object
) -> RecordedStep:
    """One step of a run."""
    return RecordedStep(tool, arguments, result, failed, changed)


def volatile(rng: random.Random, form: int, text: str) -> str:
    """A failure as programs print it, each in its own of four forms, with everything that differs each time."""
    second, pid = rng.randrange(60), rng.randrange(1000, 60000)
    nonce = f"{rng.getrandbits(64):016x}a1"
    return (
        (
            f"2026-08-03T10:{second:02}:11.{rng.randrange(1000):03}Z attempt {rng.randrange(99)} pid {pid} took "
            f"{rng.random() * 9:.1f}s: {text}",
            f"[10:{second:02}:{second:02}] worker[{pid}]: {text} (request id: {nonce})",
            f"{text}\n  at 0x7f{rng.getrandbits(32):08x} in /tmp/build-{nonce[:8]}/main\nin {rng.randrange(1, 90)} ms",
            f"Aug {second % 28 + 1} 10:{second:02}:01 host app: {text}; elapsed={rng.randrange(900)}, trace_id={nonce}",
        )
    )[form]


def repeat(rng: random.Random) -> Steps:
    """One call and one result; sometimes a thought between, sometimes described otherwise."""
    command, thoughtful, described = rng.choice(_COMMANDS), rng.random() < 0.5, rng.random() < 0.5
    found: Steps = []
    for _ in range(12):
        if thoughtful:
            found.append(step("think", thought=f"{rng.choice(_THOUGHTS)} {rng.random()}"))
        told = {"description": rng.choice(_THOUGHTS)} if described else {}
        written = command.replace(" ", " " * rng.randrange(1, 3))
        found.append(RecordedStep("bash", {"command": written, **told}, "nothing to be done", False))
    return found


def volatile_error(rng: random.Random) -> Steps:
    """One call whose failure is worded with times, ids and addresses."""
    command, error = rng.choice(_COMMANDS), rng.choice(_ERRORS)
    form = rng.randrange(4)
    return [step("exec", volatile(rng, form, error), failed=True, cmd=command) for _ in range(12)]


def volatile_error_between(rng: random.Random) -> Steps:
    """The same, with other looks around between."""
    return [
        one
        for failure in volatile_error(rng)
        for one in (failure, step("bash", "x" * rng.randrange(9), command=f"ls -la d{rng.random()}"))
    ]


def cycle_of(period: int) -> Maker:
    """So many calls in turn, each with its own result."""

    def made(rng: random.Random) -> Steps:
        names = rng.sample(_FILES, k=period) if period <= len(_FILES) else list(_FILES)
        turn = [
            rng.choice(
                (
                    step("open", f"[File: {name} (90 lines total)]", path=name),
                    step("bash", f"{name}: no match", command=f"grep -n main {name}"),
                    step("bash", rng.choice(_ERRORS), failed=True, command=f"python {name}"),
                )
            )
            for name in names
        ]
        return turn * 8

    return made


def edit_churn(rng: random.Random) -> Steps:
    """Edits of one file, hardly ever the same, refused alike."""
    path = rng.choice(_FILES)
    refusal = rng.choice(
        (
            "Your proposed edit has introduced new syntax error(s). Please read this message carefully.\n\nERRORS:\n"
            "- E999 IndentationError: unexpected indent\n\nThis is how your edit would have looked:\n",
            "No replacement was performed: old_str did not appear verbatim in the file.\n",
            "edit rejected: syntax error(s) introduced\n",
        )
    )
    return [
        step("edit", f"{refusal}{number}: {rng.random()}", failed=True, path=path, text=f"try_{number}({rng.random()})")
        for number in range(30)
    ]


def flip_flop(rng: random.Random) -> Steps:
    """An edit, its undoing, and the same failing test between."""
    path, command, error = rng.choice(_FILES), rng.choice(_COMMANDS), rng.choice(_ERRORS)
    found: Steps = []
    for number in range(14):
        old, new = ("a + b", "a - b") if number % 2 == 0 else ("a - b", "a + b")
        found.append(step("str_replace_based_edit", "ok", path=path, old_str=old, new_str=new))
        found.append(step("bash", f"{error} {'' if number % 2 else 'again'}", failed=True, command=command))
    return found


def fruitless_edits(rng: random.Random) -> Steps:
    """Edit after edit that is taken, and the same tests that fail as before."""
    path, failing = rng.choice(_FILES), rng.randrange(1, 9)
    found: Steps = []
    for number in range(20):
        found.append(step("edit", "ok", path=path, patch=f"p{number} {rng.random()}"))
        text = (
            f"FAILED tests/test_a.py::test_it - AssertionError\n{failing} failed, 12 passed in {rng.random() * 5:.2f}s"
        )
        found.append(step("bash", text, failed=True, command="pytest -q"))
    return found


def hammering(rng: random.Random) -> Steps:
    """One tool with other arguments each time, refused for one reason, with words to the customer between or not."""
    tool, error = rng.choice(_SERVICE)
    talks = rng.random() < 0.5
    found: Steps = []
    for number in range(16 if talks else 12):
        item = f"item_{rng.randrange(10**6)}"
        found.append(step(tool, f"{error} ({item})", failed=True, item_id=item, order_id="W42"))
        if talks:
            found.append(
                step("(message)", f"USER: try another one, please {number}", text=f"It failed. {rng.random()}")
            )
    return found


def reworded(rng: random.Random) -> Steps:
    """One message in other words, to the same peer."""
    return [
        step("send_message", "queued", to="peer-7", text=f"{rng.choice(_THOUGHTS)} build? {rng.random()}")
        for _ in range(12)
    ]


def sweep(rng: random.Random) -> Steps:
    """Reading to and fro in what was read."""
    path = rng.choice(_FILES)
    pages = [step("read_file", f"page {number}", path=path, offset=100 * number, limit=100) for number in range(4)]
    again = []
    for _ in range(20):
        first = rng.randrange(0, 250)
        again.append(step("read_file", f"lines {first}", path=path, offset=first, limit=rng.randrange(50, 150)))
    return [*pages, *again]


KINDS: dict[str, Maker] = {
    "repeat": repeat,
    "volatile error": volatile_error,
    "volatile error, others between": volatile_error_between,
    "cycle AB": cycle_of(2),
    "cycle ABC": cycle_of(3),
    "cycle ABCDE": cycle_of(5),
    "edit churn": edit_churn,
    "flip-flop": flip_flop,
    "fruitless edits": fruitless_edits,
    "hammering": hammering,
    "reworded message": reworded,
    "sweep": sweep,
}
"""Every kind of stuck run."""


REPLAYED = {"its last step again": 1, "its last 2 steps in turn": 2, "its last 3 steps in turn": 3}
"""Kinds made of the run's own steps, and how many of them."""


def stuck(rng: random.Random, beginning: Sequence[RecordedStep], kind: str) -> tuple[Steps, int]:
    """A run that gets stuck somewhere, and the step from which it is."""
    if kind in REPLAYED:
        period = REPLAYED[kind]
        at = rng.randrange(period, len(beginning) + 1)
        return [*beginning[: at - period], *list(beginning[at - period : at]) * 8], at - period
    at = rng.randrange(len(beginning) + 1)
    return [*beginning[:at], *KINDS[kind](rng)], at
