"""The router on a real PostgreSQL: what it finds and records, in both languages, and who may read what."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest
from arreio_contracts.envelope import envelope
from arreio_contracts.events import SkillRouting
from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import TaskContract

from services.gateway.handlers import Gateway
from services.gateway.lexemes import Lexemes
from services.gateway.relevance import RULE
from services.gateway.router import MOST_LISTED, NoSuchSkill, Router
from services.tool_loop.tools.base import ToolContext
from services.tool_loop.tools.load_skill import LoadSkill
from shared.settings import Settings
from shared.store.blobs import BlobStore
from shared.store.connection import Pool
from shared.store.exports import named_blobs
from tests.support.store import connect, fresh, store_of


@pytest.fixture
async def pool(engine: Settings) -> AsyncIterator[Pool]:
    async with store_of(engine, "gateway", size=2) as (_, found):
        yield found


def put(place: Path, name: str, description: str, body: str = "Do it.") -> None:
    folder = place / ".agents/skills" / name
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {description}\n---\n{body}\n")


async def route(pool: Pool, workspace: Path, goal: str, *forced: str) -> SkillRouting:
    contract = TaskContract(workspace=str(workspace), skills=forced)
    found = (await Router(pool, workspace / "data").route(contract, goal)).skills
    assert found is not None and found.rule == RULE
    return found


@pytest.mark.parametrize(
    ("goal", "wanted"),
    [
        ("Fill the PDF form of the town hall", {"pdf-forms"}),
        ("Calcule as ferias da Joana", {"folha-pagamento"}),
        ("Calcule as férias e o décimo terceiro", {"folha-pagamento"}),
        ("Rename x to y in calc.py", set()),
        ("'); DROP TABLE x; -- \\ & | ! <-> :*", set()),
        ("  \x00 🙂 \ud800 ", set()),
    ],
)
async def test_requests_find_their_skills_in_both_languages(
    pool: Pool, tmp_path: Path, goal: str, wanted: set[str]
) -> None:
    put(tmp_path, "pdf-forms", "Fill and merge PDF documents. Use for forms.")
    put(tmp_path, "folha-pagamento", "Calcula folha de pagamento, férias e décimo terceiro.")
    put(tmp_path, "release-notes", "Write a changelog from git history.")
    found = await route(pool, tmp_path, goal)
    assert {one.name for one in found.skills if one.relevant} == wanted
    assert [one.score for one in found.skills] == sorted((one.score for one in found.skills), reverse=True)


@pytest.mark.timeout(60)
async def test_a_request_that_is_one_long_word_is_routed_as_soon_as_another(pool: Pool, tmp_path: Path) -> None:
    put(tmp_path, "pdf-forms", "Fill and merge PDF documents. Use for forms.")
    for part in ("a", "0", "-", "a.", "a@", "a/b", "<a", "&a;", "http://", "é"):
        found = await route(pool, tmp_path, (part * 100_000)[:100_000])
        assert not any(one.relevant for one in found.skills)


async def test_accents_that_were_left_out_are_no_difference(pool: Pool) -> None:
    with_accents, without = await Lexemes(pool).of(["migração de relatórios", "migracao de relatorios"])
    assert [one.portuguese for one in with_accents] == [one.portuguese for one in without]


async def test_forced_skills_come_first_and_are_kept_as_they_were(pool: Pool, tmp_path: Path) -> None:
    for number in range(MOST_LISTED + 5):
        put(tmp_path, f"skill-{number:02}", "Does something.")
    found = await route(pool, tmp_path, "hello", "Skill 44")
    assert found.skills[0].name == "skill-44" and found.skills[0].forced
    assert len(found.skills) == MOST_LISTED and found.unlisted == 5
    [kept] = (await BlobStore(pool).get_many([found.skills[0].blob or ""])).values()
    assert kept.decode() == (tmp_path / ".agents/skills/skill-44/SKILL.md").read_text()


async def test_a_forced_skill_that_cannot_be_had_says_what_there_is(pool: Pool, tmp_path: Path) -> None:
    with pytest.raises(NoSuchSkill, match="there is none at all"):
        await route(pool, tmp_path, "hello", "juggling")
    put(tmp_path, "jogging", "Runs.")
    with pytest.raises(NoSuchSkill, match="there is jogging"):
        await route(pool, tmp_path, "hello", "joging")


async def test_a_message_that_comes_again_after_its_skill_went_is_a_duplicate(engine: Settings, tmp_path: Path) -> None:
    put(tmp_path, "deploy", "Deploys.")
    contract = TaskContract(workspace=str(tmp_path), skills=("deploy",))
    sent = InboundMessage(conversation=fresh("k"), message_id="m", sender="ana", text="ship it", contract=contract)
    async with store_of(engine, "gateway") as (store, pool):
        gateway = Gateway(pool, data_dir=tmp_path / "data", code_version="test")
        first = await gateway.accept("cli", sent, envelope("inbound.message", id=fresh("m"), source="test"))
        (tmp_path / ".agents/skills/deploy/SKILL.md").unlink()
        again = await gateway.accept("cli", sent, envelope("inbound.message", id=fresh("m"), source="test"))
        other = sent.model_copy(update={"message_id": "other"})
        refused = await gateway.accept("cli", other, envelope("inbound.message", id=fresh("m"), source="test"))
        assert first.session_id is not None
        named = named_blobs(await store.read(first.session_id))
        assert len(await BlobStore(pool).get_many(named)) == len(named) == 1, "an export holds the forced skill"
    assert (first.status, again.status, again.task_id) == ("accepted", "duplicate", first.task_id)
    assert (refused.status, refused.field) == ("refused", "data.contract.skills")


async def test_load_skill_shows_the_body_its_files_and_no_file_beyond(engine: Settings, tmp_path: Path) -> None:
    put(tmp_path, "deploy", "Deploys.", "\n".join(f"line {number} " + "x" * 90 for number in range(900)))
    folder = tmp_path / ".agents/skills/deploy"
    (folder / "steps.md").write_text("first")
    (tmp_path / "secret.txt").write_text("beyond")
    (folder / "link.md").symlink_to(tmp_path / "secret.txt")
    context = ToolContext(tmp_path, data_dir=tmp_path / "data")
    async with store_of(engine, "tool_loop", size=2) as (_, pool):
        tool = LoadSkill(pool)
        head = await tool.run({"name": "Deploy"}, context)
        assert head.status == "ok" and head.skill is None and len(head.text) <= context.most_chars
        start = int(head.text.partition("start_line=")[2].partition("]")[0])
        rest = await tool.run({"name": "deploy", "start_line": start}, context)
        assert f"line {start - 2} " in head.text and f"line {start - 1} " in rest.text
        assert "steps.md" in head.text
        assert (await tool.run({"name": "deploy", "file": "steps.md"}, context)).text.endswith("first")
        for path in ("../../../secret.txt", "link.md", "/etc/passwd", "gone.md", "SKILL.md/.."):
            assert (await tool.run({"name": "deploy", "file": path}, context)).status in ("refused", "error"), path
        unknown = await tool.run({"name": "juggling"}, context)
        assert unknown.status == "error" and "deploy" in unknown.text


@pytest.mark.parametrize("role", ["gateway", "tool_loop"])
def test_who_routes_and_who_loads_skills_can_only_read_them(engine: Settings, role: str) -> None:
    with connect(engine, role) as connection:
        connection.execute("SELECT name, version, body FROM learning.skills WHERE active").fetchall()
        for statement in (
            "INSERT INTO learning.skills VALUES ('mine', 1, NULL, 'obey me', true)",
            "UPDATE learning.skills SET active = true",
            "SELECT * FROM learning.proposals",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
