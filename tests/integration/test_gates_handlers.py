"""Claims judged on the real store: once, by whoever holds the lease, and taken up again when a judge goes away."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from arreio_contracts import events
from arreio_contracts.messages import AskModel, JudgeClaim, ModelAnswer, ProbeCriteria
from arreio_contracts.task import TaskContract, parse_criterion

from services.gate_runner.handlers import MAX_BEGINNINGS, GateRunner
from services.gate_runner.probing import Prober
from shared.errors import ArreioError
from shared.processes import owner_id, pid_space
from shared.sandbox import sandbox_works
from shared.settings import Settings
from shared.store import leases
from shared.store.blobs import BlobStore
from shared.store.connection import Pool
from shared.store.events import EventStore, event_of
from shared.store.tasks import TaskPatch, show_task
from shared.verifiers import snapshot
from shared.workspace.inventory import take_inventory
from shared.workspace.snapshots import Snapshots
from tests.support.browsers import needs_browser
from tests.support.gate_workspaces import RUN_PYTEST
from tests.support.store import fresh, store_of
from tests.support.waiting import eventually

pytestmark = pytest.mark.skipif(sandbox_works() is not None, reason=str(sandbox_works()))


@pytest.fixture
async def pool(engine: Settings) -> AsyncIterator[Pool]:
    async with store_of(engine, "gate_runner") as (_, found):
        yield found


async def claimed(
    engine: Settings,
    workspace: Path,
    *criteria: str,
    begun: int = 0,
    reply: str = "Done.",
    done: Sequence[events.EventData] = (),
    **profiled: Any,
) -> JudgeClaim:
    """A task whose claim waits for its gates, as gateway and tool-loop leave it."""
    session, task = f"s_{fresh()}", f"t_{fresh()}"
    found = JudgeClaim(session_id=session, task_id=task, claim_id=f"{task}-c1")
    profile = {
        "model": "m",
        "capability": {},
        "budgets": {},
        "agent": "developer",
        "workspace": str(workspace),
        "criteria": [parse_criterion(text) for text in criteria],
        "tools": (),
        "language": "pt",
        **profiled,
    }
    history: list[events.EventData] = [
        events.TaskCreated(goal="g", contract=TaskContract(), channel="test", message_id="m", at_ms=0),
        events.TaskProfiled.model_validate(profile),
        *done,
        events.CompletionClaimed(claim_id=found.claim_id, by="model", reply=reply),
        *(events.GateStarted(claim_id=found.claim_id) for _ in range(begun)),
    ]
    metadata = events.Metadata(service="tool_loop", correlation="the-message")
    async with store_of(engine, "owner") as (store, _):
        patch = TaskPatch(
            task_id=task, state="IN_PROGRESS", goal="g", awaiting="gate", awaiting_id=found.claim_id, wake_in=60
        )
        await store.append_fact(session, [event_of(data, metadata, task_id=task) for data in history], task=patch)
    return found


DATA = Path("/nonexistent")


def runner(pool: Pool, owner: str | None = None, data: Path = DATA, **options: Any) -> GateRunner:
    return GateRunner(pool, owner or owner_id(), data, ttl=3, code_version="test", **options)


async def judgements(pool: Pool, found: JudgeClaim) -> list[events.GateJudged]:
    history = await EventStore(pool).read(found.session_id, types=["gate.judged"])
    return [events.GateJudged.model_validate(event.data) for event in history]


async def judged(pool: Pool, found: JudgeClaim) -> events.GateJudged:
    async def once() -> bool:
        return bool(await judgements(pool, found))

    await eventually(once)
    (only,) = await judgements(pool, found)
    return only


async def patiently_judged(pool: Pool, found: JudgeClaim) -> events.GateJudged:
    """The judgement of a claim that takes its time: a browser, or several runs of tests."""

    async def once() -> bool:
        return bool(await judgements(pool, found))

    await eventually(once, within=120)
    return (await judgements(pool, found))[0]


async def test_a_claim_is_judged_and_the_task_waits_no_more(engine: Settings, pool: Pool, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    found = await claimed(engine, tmp_path, "file_exists: a.txt", "command: false", "answer:")
    gates = runner(pool)
    assert await gates.start(found)
    result = await judged(pool, found)
    assert result.verdict == "FAIL"
    assert [one.verdict for one in result.results] == ["PASS", "FAIL", "PASS"]
    assert result.missing.startswith("Ainda não está completo.") and "command: false" in result.missing
    row = await show_task(pool, found.task_id)
    assert row is not None and (row.awaiting, row.awaiting_id, row.wake_at) == (None, None, None)
    (event,) = await EventStore(pool).read(found.session_id, types=["gate.judged"])
    assert event.metadata.correlation == "the-message"
    assert not await gates.start(found)
    await gates.stop()


async def test_two_gate_runners_judge_a_claim_once(engine: Settings, pool: Pool, tmp_path: Path) -> None:
    found = await claimed(engine, tmp_path, "command: sleep 0.2")
    one, other = runner(pool), runner(pool, f"{owner_id()}0")
    started = await asyncio.gather(one.start(found), other.start(found), one.start(found))
    assert sum(started) == 1
    assert (await judged(pool, found)).verdict == "PASS"
    await asyncio.gather(one.stop(), other.stop())


async def test_the_claim_of_a_dead_judge_is_swept_up_at_once(engine: Settings, pool: Pool, tmp_path: Path) -> None:
    found = await claimed(engine, tmp_path, "answer:")
    host = owner_id().split("/")[0]
    dead = f"{host}/{pid_space()}/1/1"
    assert await leases.claim(pool, "gate", found.claim_id, dead, ttl=600)
    gates = runner(pool, limit=1_000)

    async def swept() -> bool:
        await gates.sweep()
        return bool(await judgements(pool, found))

    await eventually(swept)
    assert len(await judgements(pool, found)) == 1
    await gates.stop()


async def test_a_stopped_judge_hands_its_claim_over(engine: Settings, pool: Pool, tmp_path: Path) -> None:
    found = await claimed(engine, tmp_path, "command: test -e go || sleep 60")
    first = runner(pool)
    assert await first.start(found)

    async def begun() -> bool:
        return bool(await EventStore(pool).read(found.session_id, types=["gate.started"]))

    await eventually(begun)
    await first.stop()
    assert not await judgements(pool, found)
    (tmp_path / "go").write_text("")
    second = runner(pool)
    assert await second.start(found)
    assert (await judged(pool, found)).verdict == "PASS"
    await second.stop()


async def test_judging_ends_when_the_claim_waits_no_more(engine: Settings, pool: Pool, tmp_path: Path) -> None:
    found = await claimed(engine, tmp_path, "command: sleep 60")
    gates = runner(pool, limit=1)
    assert await gates.start(found)
    assert gates.full
    cancelled = events.TaskCancelRequested(by="test")
    event = event_of(cancelled, events.Metadata(service="gateway"), task_id=found.task_id)
    patch = TaskPatch(task_id=found.task_id, state="BLOCKED", awaiting=None, awaiting_id=None)
    async with store_of(engine, "owner") as (store, _):
        await store.append_fact(found.session_id, [event], task=patch)

    async def idle() -> bool:
        return not gates.full

    await eventually(idle)
    assert not await judgements(pool, found)
    await gates.stop()


async def test_a_claim_that_ends_its_judges_is_not_judged_for_ever(
    engine: Settings, pool: Pool, tmp_path: Path
) -> None:
    found = await claimed(engine, tmp_path, "command: true", begun=MAX_BEGINNINGS)
    gates = runner(pool)
    assert await gates.start(found)
    result = await judged(pool, found)
    assert (result.verdict, result.results[0].environment) == ("NOT_RUN", True)
    await gates.stop()


async def test_a_missing_workspace_is_the_environments_fault(engine: Settings, pool: Pool, tmp_path: Path) -> None:
    found = await claimed(engine, tmp_path / "gone", "file_exists: a.txt", "answer:")
    gates = runner(pool)
    assert await gates.start(found)
    result = await judged(pool, found)
    assert [(one.verdict, one.environment) for one in result.results] == [("NOT_RUN", True), ("PASS", False)]
    await gates.stop()


async def test_only_cheap_criteria_are_probed(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    criteria = ("file_exists: a.txt", "file_contains: a.txt :: other", "command: touch b.txt", "answer:")
    asked = ProbeCriteria(workspace=str(tmp_path), criteria=tuple(map(parse_criterion, criteria)))
    assert (await Prober().probe(asked)).verdicts == ("PASS", "FAIL", None, None)
    assert not (tmp_path / "b.txt").exists()


def wrote(path: str) -> events.ToolFinished:
    return events.ToolFinished(
        call_id="c", tool="write_file", status="ok", text="written", changed={path: "0"}, workspace_changed=True
    )


@pytest.mark.parametrize("kept", [True, False], ids=["by snapshots", "by what tools saw"])
async def test_inferred_criteria_bind_only_a_task_that_changed_something(
    engine: Settings, pool: Pool, tmp_path: Path, kept: bool
) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    began = Snapshots(tmp_path / "data", workspace).take().tree if kept else ""
    gates = runner(pool, data=tmp_path / "data")
    greeting = await claimed(engine, workspace, "tests: false", inferred=True, snapshot=began, reply="Olá!")
    assert await gates.start(greeting)
    answered = await judged(pool, greeting)
    assert (answered.verdict, [one.criterion for one in answered.results]) == ("PASS", ["answer:"])
    # What running something leaves in caches is no change.
    (workspace / "__pycache__").mkdir()
    (workspace / "__pycache__" / "a.pyc").write_bytes(b"x")
    looking = await claimed(engine, workspace, "tests: false", inferred=True, snapshot=began)
    assert await gates.start(looking)
    assert (await judged(pool, looking)).verdict == "PASS"
    (workspace / "a.txt").write_text("x")
    changing = await claimed(engine, workspace, "tests: false", inferred=True, snapshot=began, done=[wrote("a.txt")])
    assert await gates.start(changing)
    assert [one.criterion for one in (await judged(pool, changing)).results] == ["tests: false"]
    await gates.stop()


async def test_criteria_of_the_contract_bind_whatever_the_task_did(
    engine: Settings, pool: Pool, tmp_path: Path
) -> None:
    found = await claimed(engine, tmp_path, "command: false")
    gates = runner(pool)
    assert await gates.start(found)
    assert (await judged(pool, found)).verdict == "FAIL"
    await gates.stop()


async def test_a_gate_names_what_it_judged_and_compares_it_with_the_beginning(
    engine: Settings, pool: Pool, tmp_path: Path
) -> None:
    workspace = tmp_path / "workspace"
    (workspace / "src").mkdir(parents=True)
    (workspace / "src" / "a.py").write_text("x = 1")
    held = Snapshots(tmp_path / "data", workspace)
    began = held.take().tree
    took = take_inventory(workspace, held.files(began)).dump()
    (workspace / "src" / "a.py").write_text("x = 2")
    (workspace / "notes.md").write_text("new")
    inventory = held.keep(took)
    found = await claimed(
        engine, workspace, "diff: src/", "diff: src/, *.md", "command: touch b", snapshot=began, inventory=inventory
    )
    gates = runner(pool, data=tmp_path / "data")
    assert await gates.start(found)
    result = await judged(pool, found)
    assert [one.verdict for one in result.results] == ["FAIL", "PASS", "PASS"]
    assert result.results[0].seen == "notes.md was added"
    assert result.snapshot == result.snapshot_after == held.take().tree != began
    await gates.stop()


async def test_a_claim_is_judged_by_the_tests_as_they_were_and_the_failing_one_is_named(
    engine: Settings, pool: Pool, tmp_path: Path
) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    test = "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n"
    (workspace / "calc.py").write_text("def add(a, b):\n    return a - b\n")
    (workspace / "test_calc.py").write_text(test)
    began, verifiers = Snapshots(tmp_path / "data", workspace).take().tree, snapshot(workspace)
    (workspace / "test_calc.py").write_text(f"{test}\n\ndef add(a, b):\n    return a + b\n")
    gates = runner(pool, data=tmp_path / "data")
    run = f"tests: {RUN_PYTEST}"
    found = await claimed(engine, workspace, run, snapshot=began, verifiers=verifiers)
    assert await gates.start(found)
    result = await patiently_judged(pool, found)
    assert result.verdict == "FAIL" and result.snapshot == result.snapshot_after
    assert "com os testes como estavam no início da tarefa" in result.missing
    assert "test_calc.py::test_add" in result.missing
    opened = await claimed(engine, workspace, run, snapshot=began, verifiers=verifiers, opened=("test_calc.py",))
    assert await gates.start(opened)
    assert (await patiently_judged(pool, opened)).verdict == "PASS"
    await gates.stop()


async def test_a_long_list_of_what_is_missing_is_kept_whole(engine: Settings, pool: Pool, tmp_path: Path) -> None:
    found = await claimed(engine, tmp_path, "command: seq 1000 1040; exit 2")
    gates = runner(pool)
    assert await gates.start(found)
    result = await judged(pool, found)
    assert "1020" not in result.missing and result.missing_blob is not None
    whole = (await BlobStore(pool).get(result.missing_blob)).decode()
    assert all(str(number) in whole for number in range(1000, 1041))
    await gates.stop()


async def test_a_command_is_probed_once_it_is_known_to_be_quick(engine: Settings, pool: Pool, tmp_path: Path) -> None:
    prober = Prober()
    text = "tests: echo '1 failed, 2 passed in 0.1s'; touch b.txt; exit 1"
    asked = ProbeCriteria(
        workspace=str(tmp_path), criteria=(parse_criterion(text), parse_criterion("command: sleep 2"))
    )
    assert (await prober.probe(asked)).verdicts == (None, None)
    found = await claimed(engine, tmp_path, text, "command: sleep 2")
    gates = runner(pool, prober=prober)
    assert await gates.start(found)
    await judged(pool, found)
    result = await prober.probe(asked)
    assert result.verdicts == ("FAIL", None)
    assert result.counts[0] is not None and result.counts[0].failed == 1
    assert not (tmp_path / "b.txt").exists()
    plainly = asked.model_copy(update={"sandbox": "none"})
    assert (await prober.probe(plainly)).verdicts == (None, None)
    await gates.stop()


async def test_taste_sends_a_claim_back_twice_and_then_lets_it_pass(
    engine: Settings, pool: Pool, tmp_path: Path
) -> None:
    data, workspace = tmp_path / "data", tmp_path / "workspace"
    workspace.mkdir()
    (data / "taste").mkdir(parents=True)
    (data / "taste" / "default.yaml").write_text("rules:\n- {name: words for images, check: alt_text}\n")
    (workspace / "old.html").write_text("<img src=old.png>")
    began = Snapshots(data, workspace).take().tree
    (workspace / "new.html").write_text("<img src=new.png>")
    gates = runner(pool, data=data)
    before: list[events.EventData] = []
    verdicts, told = [], []
    for _ in range(3):
        found = await claimed(engine, workspace, "answer:", snapshot=began, done=before)
        assert await gates.start(found)

        async def again(found: JudgeClaim = found) -> bool:
            return len(await judgements(pool, found)) > len(before)

        await eventually(again)
        result = (await judgements(pool, found))[-1]
        verdicts.append(result.verdict)
        told.append(result.results[-1].seen)
        before.append(result)
    assert verdicts == ["FAIL", "FAIL", "PASS"]
    missing = "new.html:1 [words for images] <img src='new.png'> has no alt"
    let_pass = "let pass, for it was sent back 2 times, the most it may be:"
    assert told == [missing, missing, f"{let_pass}\n{missing}"]
    await gates.stop()


READER = """
model: {name: openai/reader, calls: 2}
rules:
- {name: words for images, check: alt_text}
- {name: plain words, check: model, why: a link says where it leads}
"""
CLICK = {"rule": "plain words", "path": "new.html", "line": 1, "quote": "Click here", "why": "where to?"}


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A workspace whose task is to change `new.html`, with a reader among its rules of taste."""
    (tmp_path / "data" / "taste").mkdir(parents=True)
    (tmp_path / "data" / "taste" / "default.yaml").write_text(READER)
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    return workspace / "new.html"


class Reader:
    """Answers what it is told to, and remembers what it was asked."""

    def __init__(self, *answers: ModelAnswer | ArreioError) -> None:
        self.asked: list[AskModel] = []
        self._answers = iter(answers)

    async def ask(self, asked: AskModel) -> ModelAnswer:
        self.asked.append(asked)
        answer = next(self._answers)
        if isinstance(answer, ArreioError):
            raise answer
        return answer


def answer(*violations: dict[str, Any]) -> ModelAnswer:
    return ModelAnswer(content=json.dumps({"violations": violations}), prompt_tokens=10, completion_tokens=5)


async def claims(
    engine: Settings, pool: Pool, page: Path, reader: Reader, texts: Sequence[str]
) -> tuple[list[events.GateJudged], list[events.GateTasted]]:
    """The judgements of as many claims as there are texts, each of them with `new.html` as it says."""
    data = page.parent.parent / "data"
    began = Snapshots(data, page.parent).take().tree
    gates = runner(pool, data=data, ask=reader.ask)
    done: list[events.EventData] = []
    for text in texts:
        page.write_text(text)
        found = await claimed(engine, page.parent, "answer:", snapshot=began, done=done)
        before = len(await judgements(pool, found))
        assert await gates.start(found)

        async def again(found: JudgeClaim = found, before: int = before) -> bool:
            return len(await judgements(pool, found)) > before

        await eventually(again)
        history = await EventStore(pool).read(found.session_id, types=["gate.tasted", "gate.judged"])
        done = [
            (events.GateTasted if event.type == "gate.tasted" else events.GateJudged).model_validate(event.data)
            for event in history
        ]
    await gates.stop()
    judged = [one for one in done if isinstance(one, events.GateJudged)]
    return judged, [one for one in done if isinstance(one, events.GateTasted)]


async def test_a_model_reads_what_a_task_changed_and_what_it_says_is_recorded(
    engine: Settings, pool: Pool, page: Path
) -> None:
    reader = Reader(answer(CLICK, {**CLICK, "quote": "nowhere to be found"}), answer())
    judged, tasted = await claims(engine, pool, page, reader, ["<a href=x>Click here</a>", "<a href=x>The fees</a>"])
    assert [one.verdict for one in judged] == ["FAIL", "PASS"]
    assert judged[0].results[-1].seen == "new.html:1 [plain words] where to? — Click here"
    assert "plain words: a link says where it leads" in judged[0].results[-1].expected
    first = tasted[0]
    assert (first.model, first.usage.prompt_tokens, first.problem) == ("openai/reader", 10, "")
    assert [one.line for one in first.violations] == [1] and "does not stand there" in first.dropped[0]
    assert first.request_blob is not None
    request = json.loads((await BlobStore(pool).get_many([first.request_blob]))[first.request_blob])
    assert [*request] == [*reader.asked[0].messages]


async def test_a_claim_again_unchanged_is_not_asked_again_and_passes_in_the_end(
    engine: Settings, pool: Pool, page: Path
) -> None:
    reader = Reader(answer(CLICK))
    judged, tasted = await claims(engine, pool, page, reader, ["<a href=x>Click here</a>"] * 3)
    assert [one.verdict for one in judged] == ["FAIL", "FAIL", "PASS"]
    assert len(reader.asked) == 1 and [one.asked for one in tasted] == [True, False]


async def test_a_model_is_asked_a_bounded_number_of_times(engine: Settings, pool: Pool, page: Path) -> None:
    rules = page.parent.parent / "data" / "taste" / "default.yaml"
    rules.write_text(READER.replace("model: {", "returns: 5\nmodel: {"))
    reader = Reader(answer(CLICK), answer(CLICK))
    judged, tasted = await claims(engine, pool, page, reader, [f"<a href=x>Click here</a> {n}" for n in range(4)])
    assert [one.verdict for one in judged] == ["FAIL", "FAIL", "PASS", "PASS"]
    assert "asked 2 times, as often as it may be" in judged[-1].results[-1].seen
    assert [one.asked for one in tasted] == [True, True, False, False]


@pytest.mark.parametrize(
    "trouble",
    [ModelAnswer(problem="unavailable: the house is on fire"), ArreioError("no answer: the house is on fire")],
)
async def test_a_model_that_is_away_is_said_to_be_so_and_holds_up_nothing(
    engine: Settings, pool: Pool, page: Path, trouble: ModelAnswer | ArreioError
) -> None:
    judged, tasted = await claims(engine, pool, page, Reader(trouble), ["<a href=x>Click here</a>"])
    assert [one.verdict for one in judged] == ["PASS"]
    assert "not read by a model" in judged[0].results[-1].seen and "on fire" in judged[0].results[-1].seen
    assert tasted[0].problem


async def test_a_model_is_not_asked_while_the_critics_own_checks_find_something(
    engine: Settings, pool: Pool, page: Path
) -> None:
    reader = Reader(answer())
    judged, _ = await claims(engine, pool, page, reader, ["<img src=a.png>", "<img src=a.png alt='the harbour'>"])
    assert [one.verdict for one in judged] == ["FAIL", "PASS"] and len(reader.asked) == 1


async def test_rules_without_a_model_for_them_and_rules_that_cannot_be_read_are_said_to_be_so(
    engine: Settings, pool: Pool, page: Path
) -> None:
    rules = page.parent.parent / "data" / "taste" / "default.yaml"
    for text, said in ((READER.replace("model: {", "#"), "none is configured"), ("rules: [{name: a}]", "rule 0 ('a')")):
        rules.write_text(text)
        judged, tasted = await claims(engine, pool, page, Reader(), ["<p>x</p>"])
        assert (judged[0].verdict, tasted) == ("PASS", []) and said in judged[0].results[-1].seen


@needs_browser
async def test_a_page_that_changed_is_looked_at_in_a_browser_and_its_screenshots_are_kept(
    engine: Settings, pool: Pool, page: Path
) -> None:
    rules = page.parent.parent / "data" / "taste" / "default.yaml"
    rules.write_text("rules:\n- {name: fits a phone, check: overflow}\n- {name: it works, check: screenshot}\n")
    head = '<!doctype html><meta name=viewport content="width=device-width"><link rel=stylesheet href=looks.css>'
    (page.parent / "index.html").write_text(f"{head}<div class=wide>Fees</div>")
    data, looks = page.parent.parent / "data", page.parent / "looks.css"
    began = Snapshots(data, page.parent).take().tree
    gates = runner(pool, data=data)
    for width, verdict in (("700px", "FAIL"), ("100%", "PASS")):
        looks.write_text(f".wide {{ width: {width} }}")
        found = await claimed(engine, page.parent, "screenshot: index.html :: 360x640", snapshot=began)
        assert await gates.start(found)
        judged = await patiently_judged(pool, found)
        assert judged.verdict == verdict
        history = await EventStore(pool).read(found.session_id, types=["gate.rendered"])
        seen = [events.GateRendered.model_validate(event.data) for event in history]
        assert [(one.page, one.width, one.problem) for one in seen] == [
            ("index.html", 1280, ""),
            ("index.html", 360, ""),
        ]
        kept = [one for one in (judged.results[0].blob, seen[0].screenshot, seen[1].screenshot) if one is not None]
        images = await BlobStore(pool).get_many(kept)
        assert len(kept) == 3 and all(image.startswith(b"\x89PNG") for image in images.values())
        if verdict == "FAIL":
            assert judged.results[-1].seen.startswith("index.html at 360 px [fits a phone] the page is ")
    await gates.stop()


async def test_without_a_browser_the_page_is_not_looked_at_and_that_is_said(
    engine: Settings, pool: Pool, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = page.parent.parent / "data" / "taste" / "default.yaml"
    rules.write_text("rules:\n- {name: fits a phone, check: overflow}\n")
    programs = page.parent.parent / "bin"
    programs.mkdir()
    for name in ("git", "sh"):
        (programs / name).symlink_to(str(shutil.which(name)))
    began = Snapshots(page.parent.parent / "data", page.parent).take().tree
    page.write_text("<p>x</p>")
    monkeypatch.setenv("PATH", str(programs))
    gates = runner(pool, data=page.parent.parent / "data")
    for criterion, verdict in (("answer:", "PASS"), ("screenshot: new.html", "NOT_RUN")):
        found = await claimed(engine, page.parent, criterion, snapshot=began)
        assert await gates.start(found)
        judged = await patiently_judged(pool, found)
        assert (judged.verdict, judged.results[-1].environment) == (verdict, verdict == "NOT_RUN")
        assert "no browser is installed; install Chromium" in judged.results[-1].seen
    await gates.stop()
