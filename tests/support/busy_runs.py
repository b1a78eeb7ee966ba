"""Runs that repeat themselves for good reason: polling, paging, testing after each edit, batches, retries that help."""

import random
from collections.abc import Callable

from services.tool_loop.rules.loops.trajectory import RecordedStep

from .stuck_runs import step

Steps = list[RecordedStep]
Maker = Callable[[random.Random], Steps]


def polling_a_job(rng: random.Random) -> Steps:
    """The same question about a job, whose answer moves, and stands still now and then."""
    done, found = 0, []
    while done < 100:
        done = min(100, done + rng.choice((0, 3, 9, 14)))
        found.append(step("job_output", f"… {done}% compiled", id="job1"))
    return found


def waiting(rng: random.Random) -> Steps:
    """A bounded wait on something that says nothing new meanwhile."""
    commands = (
        "sleep 110; tail -1 build.log",
        "sleep 30 && curl -s localhost:8080/health",
        "docker compose ps && sleep 20",
    )
    command, turns = rng.choice(commands), rng.randrange(4, 20)
    return [*[step("bash", "still linking…", command=command)] * turns, step("bash", "BUILD OK", command=command)]


def waiting_and_looking(rng: random.Random) -> Steps:
    """The same, as two calls."""
    turn = [step("bash", "", command="sleep 60"), step("bash", "queued", command="cat run.log")]
    return [*turn * rng.randrange(3, 10), step("bash", "finished", command="cat run.log")]


def retrying_a_server(rng: random.Random) -> Steps:
    """A check that fails until the server is up, with a pause before each."""
    failing = step(
        "bash",
        "curl: (7) Failed to connect to localhost port 8080",
        failed=True,
        command="sleep 2; curl localhost:8080",
    )
    return [*[failing] * rng.randrange(3, 12), step("bash", "200 OK", command="sleep 2; curl localhost:8080")]


def paging(rng: random.Random) -> Steps:
    """A file from its beginning to its end."""
    size = rng.choice((50, 60, 100, 200))
    if rng.random() < 0.5:
        return [
            step("read_file", f"lines {at}", path="views.py", offset=at, limit=size) for at in range(0, 20 * size, size)
        ]
    return [
        step("bash", f"lines {at}", command=f"sed -n '{at},{at + size}p' views.py") for at in range(1, 20 * size, size)
    ]


def scrolling(rng: random.Random) -> Steps:
    """The same call each time, with another page as its result."""
    return [
        step("scroll_down", f"[File: a.py (900 lines total)]\n{number * 100}: {rng.random()}") for number in range(12)
    ]


def test_after_edit(rng: random.Random) -> Steps:
    """The same tests after each edit, whose outcome moves slowly, and stands still for up to six edits."""
    failing, found = rng.randrange(4, 12), list[RecordedStep]()
    outcomes: list[int] = []
    while failing:
        outcomes += [failing] * rng.randrange(1, 7)
        failing = max(0, failing - rng.choice((1, 2)))
    for failing in [*outcomes, 0]:
        path = rng.choice(("src/a.py", "src/b.py"))
        found.append(step("edit", "ok", path=path, patch=f"p{len(found)}"))
        text = f"{failing} failed, 20 passed in {rng.random():.2f}s"
        found.append(step("bash", text, failed=failing > 0, command="pytest -q"))
    return found


def test_after_shell_edit(rng: random.Random) -> Steps:
    """The same, where a shell does everything and no step says what it changed."""
    found: Steps = []
    for number in range(rng.randrange(3, 7)):
        edit = rng.choice(
            (
                f"cat <<'EOF' > x.py\nv = {number}\nEOF",
                f"sed -i 's/a{number}/b/' x.py",
                f"cat > x.py <<'EOF'\nv = {number}\nEOF",
                f"echo {number} >> x.py",
            )
        )
        found += [
            step("bash", "", command=edit),
            step("bash", "1 failed", failed=True, command="cd /testbed && pytest -q"),
        ]
    return [*found, step("bash", "5 passed", command="cd /testbed && pytest -q")]


def batch(rng: random.Random) -> Steps:
    """The same steps for one thing after the other."""
    found: Steps = []
    for number in range(rng.randrange(6, 20)):
        name = f"Item{number}"
        found.append(step("grep", f"{name}: 3 hits", q=f"import {name}"))
        found.append(step("bash", "", command=f"git mv ui/{name}.tsx lib/{name}.tsx"))
        found.append(step("edit", "ok", path=f"app/{name}.ts", patch=f"fix {name}"))
    return found


def batch_over_ids(rng: random.Random) -> Steps:
    """One tool for many ids, with the same answer for each."""
    first = rng.randrange(1000)
    return [step("cancel_order", "cancelled", order_id=f"W{first + number}") for number in range(rng.randrange(6, 30))]


def looking_for_a_file(rng: random.Random) -> Steps:
    """Some guesses that miss, and one that does not."""
    misses = [step("read_file", "not found", failed=True, path=f"typo{n}.md") for n in range(rng.randrange(2, 6))]
    return [*misses, step("read_file", "# Readme", path="README.md")]


def talking(rng: random.Random) -> Steps:
    """A customer who asks to look again, and is told the same."""
    found: Steps = []
    for number in range(rng.randrange(3, 8)):
        found.append(step("search_flights", "[]", origin="ATL", destination="LAS"))
        found.append(step("(message)", f"USER: please look once more, {number}", text=f"There is none. {rng.random()}"))
    return found


def thinking(rng: random.Random) -> Steps:
    """Thoughts between calls, which have no result."""
    return [step("think", "", thought=f"thought {number}") for number in range(rng.randrange(3, 9))]


def other_failures(rng: random.Random) -> Steps:
    """One command that fails otherwise each time: another port, another status, fewer tests."""
    texts = (
        "ECONNREFUSED 127.0.0.1:5432",
        "ECONNREFUSED 127.0.0.1:5433",
        "ETIMEDOUT 127.0.0.1:5433",
        "HTTP 500",
        "HTTP 503",
    )
    return [step("exec", text, failed=True, cmd="make deploy") for text in rng.sample(texts, k=len(texts))]


KINDS: dict[str, Maker] = {
    "polling a job": polling_a_job,
    "waiting": waiting,
    "waiting, then looking": waiting_and_looking,
    "retrying a server": retrying_a_server,
    "paging": paging,
    "scrolling": scrolling,
    "test after edit": test_after_edit,
    "test after shell edit": test_after_shell_edit,
    "batch": batch,
    "batch over ids": batch_over_ids,
    "looking for a file": looking_for_a_file,
    "talking": talking,
    "thinking": thinking,
    "other failures": other_failures,
}
"""Every kind of legitimate repeat."""
