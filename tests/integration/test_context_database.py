"""What the database gives to a prompt: the gateway writes instructions, the context-builder can only read them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest
from arreio_contracts.errors import InvalidBody
from arreio_contracts.messages import SetInstructions
from psycopg.conninfo import make_conninfo

from services.context_builder.database import PostgresRows
from services.context_builder.layers import ordered_units
from services.context_builder.rows import rule_units
from services.gateway.instructions import keep
from shared.settings import Settings
from shared.store.connection import Pool
from tests.support.store import connect, store_of


@pytest.fixture
async def gateway(engine: Settings) -> AsyncIterator[Pool]:
    async with store_of(engine, "gateway", size=2) as (_, pool):
        yield pool
    with connect(engine, "gateway") as connection:
        connection.execute("DELETE FROM gateway.agent_instructions")
        connection.execute("DELETE FROM gateway.projects")


@pytest.fixture
async def rows(engine: Settings) -> AsyncIterator[PostgresRows]:
    async with store_of(engine, "context_builder", size=2) as (_, pool):
        yield PostgresRows(pool)


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO gateway.agent_instructions (agent, text) VALUES ('developer', 'obey me')",
        "UPDATE gateway.agent_instructions SET text = 'obey me'",
        "DELETE FROM gateway.agent_instructions",
        "TRUNCATE gateway.agent_instructions",
        "DROP TABLE gateway.agent_instructions",
        "ALTER TABLE gateway.agent_instructions ADD COLUMN mine text",
        "CREATE TABLE gateway.mine ()",
        "SELECT nextval('gateway.instructions_version')",
        "SELECT * FROM gateway.channels",
        "INSERT INTO learning.rules VALUES ('mine', 1, NULL, 'obey me', true)",
        "UPDATE learning.rules SET active = true",
        "SELECT * FROM learning.proposals",
    ],
)
def test_the_context_builder_can_only_read_what_it_puts_into_prompts(engine: Settings, statement: str) -> None:
    with connect(engine, "context_builder") as connection:
        connection.execute("SELECT * FROM gateway.agent_instructions, gateway.projects, learning.rules").fetchall()
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement)


def test_the_operator_asks_the_gateway_and_does_not_write(engine: Settings) -> None:
    with connect(engine, "operator") as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("INSERT INTO gateway.agent_instructions (agent, text) VALUES ('developer', 'obey me')")


async def test_instructions_are_kept_replaced_and_removed_and_a_version_never_comes_back(
    gateway: Pool, rows: PostgresRows
) -> None:
    first = await keep(gateway, SetInstructions(agent="developer", text="Be brief."))
    same = await keep(gateway, SetInstructions(agent="developer", text="Be brief."))
    assert first.changed and not same.changed and first.version == same.version
    second = await keep(gateway, SetInstructions(agent="developer", text="Be thorough."))
    [row] = (await rows.read("developer", None)).instructions
    assert (row.text, row.version) == ("Be thorough.", second.version)
    assert (await keep(gateway, SetInstructions(agent="developer"))).changed
    assert not (await keep(gateway, SetInstructions(agent="developer"))).changed
    assert not (await rows.read("developer", None)).instructions
    again = await keep(gateway, SetInstructions(agent="developer", text="Be brief."))
    versions = [one.version for one in (first, second, again)]
    assert None not in versions and versions == sorted(set(versions), key=lambda version: version or 0)


async def test_a_row_for_a_project_counts_in_its_workspace_only(
    engine: Settings, gateway: Pool, rows: PostgresRows, tmp_path: Path
) -> None:
    with connect(engine, "gateway") as connection:
        connection.execute("INSERT INTO gateway.projects (slug, workspace) VALUES ('shop', %s)", (str(tmp_path),))
    await keep(gateway, SetInstructions(agent="developer", text="Always."))
    await keep(gateway, SetInstructions(agent="developer", project="shop", text="In the shop."))
    await keep(gateway, SetInstructions(agent="writer", text="For writers."))
    here = await rows.read("developer", str(tmp_path))
    assert here.project == "shop"
    assert sorted((row.project, row.text) for row in here.instructions) == [("", "Always."), ("shop", "In the shop.")]
    assert [row.text for row in (await rows.read("developer", "/elsewhere")).instructions] == ["Always."]
    with pytest.raises(InvalidBody, match="no project 'garage'"):
        await keep(gateway, SetInstructions(agent="developer", project="garage", text="Nowhere."))


async def test_a_text_for_a_workspace_makes_its_project_from_an_empty_database(
    gateway: Pool, rows: PostgresRows, tmp_path: Path
) -> None:
    here, there, odd = (str(tmp_path / name) for name in ("one/My shop", "two/My shop", "…"))
    first = await keep(gateway, SetInstructions(agent="developer", workspace=here, text="Here."))
    again = await keep(gateway, SetInstructions(agent="writer", workspace=here, text="For writers."))
    assert (first.project, again.project) == ("My-shop", "My-shop")
    second = await keep(gateway, SetInstructions(agent="developer", workspace=there, text="There."))
    assert second.project is not None and second.project.startswith("My-shop-")
    named = await keep(gateway, SetInstructions(agent="developer", workspace=odd, project="garage", text="Odd."))
    assert named.project == "garage"
    assert (await keep(gateway, SetInstructions(agent="support", workspace=odd, text="Odd."))).project == "garage"
    for workspace, text in ((here, "Here."), (there, "There."), (odd, "Odd.")):
        assert [row.text for row in (await rows.read("developer", workspace)).instructions] == [text]
    with pytest.raises(InvalidBody, match="the project 'garage' is "):
        elsewhere = str(tmp_path / "elsewhere")
        await keep(gateway, SetInstructions(agent="developer", workspace=elsewhere, project="garage", text="Mine."))
    with pytest.raises(InvalidBody, match="is the project 'My-shop' already"):
        await keep(gateway, SetInstructions(agent="developer", workspace=here, project="other", text="Newest."))
    assert (await keep(gateway, SetInstructions(agent="developer", workspace=here))).changed
    assert not (await keep(gateway, SetInstructions(agent="developer", workspace=here))).changed
    assert not (await keep(gateway, SetInstructions(agent="developer", workspace="/nowhere"))).changed
    assert not (await rows.read("developer", here)).instructions


async def test_approved_rules_are_units_oldest_first(engine: Settings, rows: PostgresRows) -> None:
    with connect(engine, "learning") as connection:
        connection.execute(
            "INSERT INTO learning.rules (name, version, body, active, created_at) VALUES "
            "('young', 1, 'Third.', true, '2026-03-01'), ('old', 1, 'First.', true, '2026-01-01'), "
            "('middle', 1, 'Second, as it was.', false, '2026-01-15'), ('middle', 2, 'Second.', true, '2026-02-01'), "
            "('blank', 1, '  ', true, '2026-02-02')"
        )
        try:
            units = ordered_units(rule_units((await rows.read("developer", None)).rules))
        finally:
            connection.execute("DELETE FROM learning.rules")
    assert [(unit.id, unit.text) for unit in units] == [
        ("rule:old", "First."),
        ("rule:middle", "Second."),
        ("rule:young", "Third."),
    ]


def test_rows_of_the_form_before_are_kept(engine: Settings) -> None:
    """The migration is in two texts; run it again on a copy of the old table."""
    migrations = Path(__file__).parents[2] / "migrations" / "versions" / "gateway"
    with connect(engine, "admin") as connection:
        connection.execute("CREATE DATABASE before_0002")
    dsn = make_conninfo(engine.database_dsn("admin"), dbname="before_0002")
    with psycopg.connect(dsn, autocommit=True) as copy:
        copy.execute("CREATE SCHEMA gateway")
        copy.execute((migrations / "0001_gateway.sql").read_text().encode())
        copy.execute(
            "INSERT INTO gateway.agent_instructions VALUES ('agent', 'developer', 'Be brief.'), ('agent', 'x', ' ')"
        )
        copy.execute((migrations / "0002_agent_instructions.sql").read_text().encode())
        found = copy.execute("SELECT agent, project, text, version FROM gateway.agent_instructions").fetchall()
    assert found == [("developer", None, "Be brief.", 1)]
    with connect(engine, "admin") as connection:
        connection.execute("DROP DATABASE before_0002")
