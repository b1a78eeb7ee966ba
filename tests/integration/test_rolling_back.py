"""Upgrade and rollback: code of two versions on one database, the newer one with a migration that the older lacks."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from arreio.commands import engine as commands
from arreio.replaying import replay_stored
from services.tool_loop.copying import fork, fork_names
from shared import provision
from shared.errors import ArreioError
from shared.observing.checks import Provisioned
from shared.observing.probe import StoreProbe
from shared.settings import Settings
from shared.store.blobs import BlobStore
from shared.store.exports import write_export
from shared.store.hashing import START
from shared.store.sessions import add_session
from tests.support.histories import history
from tests.support.newer import FIELD, newer_session
from tests.support.store import connect, store_of

OURS = provision.MIGRATIONS


class Versions:
    """Makes this process the code of one version or another."""

    def __init__(self, place: Path, patch: pytest.MonkeyPatch) -> None:
        self._place, self._patch = place, patch

    def newer(self, number: int, *, breaks: bool = False, grants: str = "") -> None:
        """Code with as many migrations more; the last one says whether older code can work with what it did."""
        tree = self._place / f"migrations{number}"
        last = sorted((OURS / "versions" / "store").glob("[0-9]*.py"))[-1].stem[:4]
        shutil.copytree(provision.MIGRATIONS, tree, ignore=shutil.ignore_patterns("__pycache__"))
        previous = f"store_{last}" if number == 1 else f"store_later{number - 1}"
        (tree / "versions" / "store" / f"later{number}.py").write_text(
            f"from alembic import op\nrevision, down_revision = 'store_later{number}', '{previous}'\n"
            f"branch_labels = depends_on = None\nbreaks_older = {breaks}\n"
            f"def upgrade():\n    op.execute('CREATE TABLE arreio.later{number} ()')\n"
        )
        with (tree / "grants.sql").open("a") as file:
            file.write(grants)
        self._become(tree)

    def newer_again(self, number: int) -> None:
        """Code that was there before."""
        self._become(self._place / f"migrations{number}")

    def older(self) -> None:
        """This version's code."""
        self._become(OURS)

    def _become(self, tree: Path) -> None:
        self._patch.setattr(provision, "MIGRATIONS", tree)
        provision.digests.cache_clear()


@pytest.fixture
def versions(engine: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Versions]:
    """Versions of the code; the engine is this version's again afterwards."""
    provision.provision(engine)  # rights that other tests gave their own role go here, not with the newer code
    with connect(engine, "admin") as connection:
        heads = connection.execute("SELECT version_num FROM arreio.alembic_version").fetchall()
        found = Versions(tmp_path, monkeypatch)
        yield found
        found.older()
        connection.execute("DROP TABLE IF EXISTS arreio.later1, arreio.later2")
        connection.execute("DELETE FROM arreio.nats_rights")
        connection.execute("DELETE FROM arreio.alembic_version")
        connection.execute("DELETE FROM arreio.provisioned")
        connection.cursor().executemany("INSERT INTO arreio.alembic_version VALUES (%s)", heads)
    provision.provision(engine)


async def ready(engine: Settings) -> str | None:
    """What a process that starts now says about its database."""
    probe = StoreProbe(engine.database_dsn("gateway"), "test")
    try:
        return await Provisioned(probe, engine.nats_replicas)()
    finally:
        await probe.close()


def test_older_code_works_on_where_newer_migrations_only_added(engine: Settings, versions: Versions) -> None:
    versions.newer(1, breaks=False)
    assert not provision.is_current(engine)
    provision.provision(engine)
    assert provision.is_current(engine)
    versions.older()
    assert provision.is_current(engine) and asyncio.run(ready(engine)) is None
    commands._await_schema(engine, "learning", patience=0)
    provision.provision(engine)  # as its own job does before it: nothing is taken back
    with connect(engine, "admin") as connection:
        assert connection.execute("SELECT to_regclass('arreio.later1') IS NOT NULL").fetchone() == (True,)


def test_older_code_is_refused_where_a_newer_migration_breaks_it(engine: Settings, versions: Versions) -> None:
    versions.newer(1, breaks=False)
    provision.provision(engine)
    versions.newer(2, breaks=True)
    provision.provision(engine)
    versions.older()
    assert not provision.is_current(engine) and "other code" in str(asyncio.run(ready(engine)))
    with pytest.raises(provision.ProvisionError, match="does not serve this version") as refused:
        provision.provision(engine)
    assert "restore the backup" in str(refused.value.hint)


@pytest.mark.parametrize("breaks", [True, False])
def test_a_provisioning_that_failed_after_its_migrations_has_forgotten_nothing_when_it_is_tried_again(
    engine: Settings, versions: Versions, monkeypatch: pytest.MonkeyPatch, breaks: bool
) -> None:
    versions.newer(1, breaks=breaks)
    with monkeypatch.context() as nats_is_away:
        nats_is_away.setattr(provision, "_with_streams", _no_nats)
        with pytest.raises(provision.ProvisionError, match="NATS"):
            provision.provision(engine)
        assert not provision.is_current(engine)  # the streams are not there
        versions.older()
        assert provision.is_current(engine) is not breaks  # what the migrations did is
    versions.newer_again(1)
    provision.provision(engine)
    assert provision.is_current(engine)
    versions.older()
    assert provision.is_current(engine) is not breaks


async def _no_nats(*_: object) -> None:
    raise provision.ProvisionError("NATS cannot be reached")


@pytest.mark.parametrize(
    "grants",
    [
        "REVOKE SELECT ON arreio.tasks FROM arreio_console;",
        "REVOKE UPDATE (epoch) ON console.users FROM arreio_console;",
        "REVOKE EXECUTE ON FUNCTION arreio.put_blobs FROM arreio_learning;",
        "REVOKE USAGE ON SCHEMA learning FROM arreio_tool_loop;",
    ],
)
def test_older_code_is_refused_where_a_role_lost_a_right(engine: Settings, versions: Versions, grants: str) -> None:
    versions.newer(1, grants=grants)
    provision.provision(engine)
    provision.provision(engine)
    assert provision.is_current(engine)
    versions.older()
    assert not provision.is_current(engine)


def test_older_code_is_served_where_a_role_got_a_right(engine: Settings, versions: Versions) -> None:
    versions.newer(1, grants="GRANT SELECT ON learning.rules TO arreio_gate_runner;")
    provision.provision(engine)
    versions.older()
    assert provision.is_current(engine)
    with connect(engine, "owner") as connection:
        connection.execute("REVOKE SELECT ON learning.rules FROM arreio_gate_runner")


def test_older_code_is_refused_where_a_nats_user_lost_a_right(
    engine: Settings, versions: Versions, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = provision.nats_rights()
    lost = next(right for right in ours if right[0] == "tool_loop" and right[1:3] == ("publish", "allow"))
    monkeypatch.setattr(provision, "nats_rights", lambda: ours - {lost})
    versions.newer(1)
    provision.provision(engine)
    assert provision.is_current(engine)
    monkeypatch.setattr(provision, "nats_rights", lambda: ours)
    versions.older()
    assert not provision.is_current(engine)


async def test_older_code_reads_a_session_to_which_newer_code_wrote_fields_more(
    engine: Settings, versions: Versions
) -> None:
    versions.newer(1, breaks=False)
    await asyncio.to_thread(provision.provision, engine)
    export = newer_session(history("edited"))
    copy = fork(export.session, len(export.session.events), fork_names(), "/fork", now_ms=0)
    async with store_of(engine, "operator") as (store, pool):
        await BlobStore(pool).put_many(list(export.blobs.values()))
        await add_session(pool, copy.session_id, START, copy.events, copy.tasks)
        versions.older()
        session, finding = await replay_stored(pool, copy.session_id)
        assert finding.problem is None and any(FIELD in place for place in finding.unknown)
        assert session is not None and FIELD in "".join(write_export(session, {}))
        assert [one.contract.type for one in await store.read(copy.session_id)] == [one.type for one in copy.events]


def test_a_replica_of_the_newer_version_waits_for_its_schema(
    engine: Settings, versions: Versions, capsys: pytest.CaptureFixture[str]
) -> None:
    versions.newer(1, breaks=False)
    with pytest.raises(ArreioError, match="not provisioned for this version"):
        commands._await_schema(engine, "learning", patience=0.01)
    assert "waiting for" in capsys.readouterr().err
    provision.provision(engine)
    commands._await_schema(engine, "learning", patience=0)
