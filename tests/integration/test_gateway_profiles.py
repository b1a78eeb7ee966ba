"""Profiles on the gateway: read anew for every message, recorded whole, and kept when a file breaks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from arreio_contracts.envelope import envelope
from arreio_contracts.events import TaskCreated
from arreio_contracts.messages import InboundMessage, Receipt
from arreio_contracts.task import TaskContract
from structlog.testing import capture_logs

from services.gateway.handlers import Gateway
from shared.settings import Settings
from shared.store.connection import Pool
from shared.store.events import EventStore
from tests.support.store import fresh, store_of


class Desk:
    """A gateway, and what it made of what was sent."""

    def __init__(self, store: EventStore, pool: Pool, place: Path) -> None:
        self.store, self.pool, self.place = store, pool, place
        self.profiles = place / "profiles"
        self.profiles.mkdir()
        self.anew()

    def anew(self) -> None:
        self.gateway = Gateway(self.pool, data_dir=self.place, code_version="test")

    def write(self, name: str, text: str) -> None:
        (self.profiles / f"{name}.yaml").write_text(text)

    async def send(self, contract: TaskContract | None = None, channel: str = "shop", **who: Any) -> Receipt:
        words = {"conversation": fresh("k"), "message_id": "m", "sender": "ana", "text": "do it", **who}
        cause = envelope("inbound.message", id=fresh("m"), source="test")
        return await self.gateway.accept(channel, InboundMessage(**words, contract=contract), cause)

    async def made(self, contract: TaskContract | None = None, channel: str = "shop", **who: Any) -> TaskCreated:
        receipt = await self.send(contract, channel, **who)
        assert receipt.status == "accepted" and receipt.session_id and receipt.task_id, receipt
        [event] = await self.store.read_task(receipt.session_id, receipt.task_id, types=("task.created",))
        assert isinstance(event.contract, TaskCreated)
        return event.contract


@pytest.fixture
async def desk(engine: Settings, tmp_path: Path) -> AsyncIterator[Desk]:
    async with store_of(engine, "gateway") as (store, pool):
        yield Desk(store, pool, tmp_path)


async def test_what_a_profile_gave_is_recorded_and_needs_no_file_any_more(desk: Desk, tmp_path: Path) -> None:
    name = fresh("p")
    desk.write(name, f"match: {{sender: ana}}\nagent: support\nworkspace: {tmp_path}\nsecrets: {{T: env:SHOP_T}}\n")
    task = await desk.made()
    assert task.profile is not None and (task.profile.name, task.profile.why) == (name, "sender ana")
    assert len(task.profile.version) == 64
    assert task.profile.gave == {"agent": "support", "workspace": str(tmp_path), "secrets": {"T": "env:SHOP_T"}}
    assert (task.contract.profile, task.contract.agent, task.contract.workspace) == (name, "support", str(tmp_path))


async def test_without_a_profile_a_task_is_as_it_always_was(desk: Desk) -> None:
    task = await desk.made()
    assert task.profile is None and task.contract.profile is None
    assert str(task.contract.workspace).startswith(str(desk.place / "workspaces" / "s_"))


async def test_each_session_of_a_worktree_profile_has_a_folder_of_its_own(desk: Desk) -> None:
    desk.write("repo", "match: {channel: shop}\nworkspace: {path: /srv/shop, mode: worktree}\n")
    first, second = await desk.made(conversation=fresh("k")), await desk.made(conversation=fresh("k"))
    assert first.contract.workspace != second.contract.workspace
    assert first.contract.worktree == second.contract.worktree and first.contract.worktree is not None


async def test_an_edited_file_holds_from_the_next_message_on(desk: Desk) -> None:
    desk.write("p", "match: {channel: shop}\nagent: support\n")
    assert (await desk.made()).contract.agent == "support"
    desk.write("p", "match: {channel: shop}\nagent: reviewer\n")
    assert (await desk.made()).contract.agent == "reviewer"
    (desk.profiles / "p.yaml").unlink()
    assert (await desk.made()).profile is None
    desk.write("p", "agent: [")
    assert (await desk.made()).profile is None, "what was taken away does not come back"


async def test_a_file_that_breaks_is_told_once_and_its_last_good_version_stays_also_over_a_restart(desk: Desk) -> None:
    name = fresh("p")
    desk.write(name, "match: {channel: shop}\nagent: support\n")
    before = await desk.made()
    with capture_logs() as logs:
        desk.write(name, "agent: [\n")
        for _ in range(3):
            assert (await desk.made()).profile == before.profile
    warnings = [one for one in logs if one["log_level"] == "warning"]
    assert len(warnings) == 1 and name in warnings[0]["file"] and "not YAML" in warnings[0]["why"]
    desk.anew()
    assert (await desk.made()).profile == before.profile


async def test_a_folder_that_cannot_be_read_takes_nobody_his_profile(desk: Desk) -> None:
    name = fresh("p")
    desk.write(name, f"match: {{channel: {name}}}\nagent: support\n")
    before = await desk.made(channel=name)
    # What makes every file unreadable for root too: a folder that is a link to itself.
    desk.profiles.rename(desk.place / "aside")
    desk.profiles.symlink_to(desk.profiles)
    with capture_logs() as logs:
        assert (await desk.made(channel=name)).profile == before.profile
        assert (await desk.made(channel=name)).profile == before.profile
    assert [one["event"][:15] for one in logs if one["log_level"] == "warning"] == ["the profiles ca"]
    desk.anew()
    assert (await desk.made(channel=name)).profile == before.profile


async def test_a_bad_file_stops_no_other_profile(desk: Desk) -> None:
    desk.write("a", "][")
    desk.write("b", "match: {channel: shop}\nagent: writer\n")
    assert (await desk.made()).contract.agent == "writer"


async def test_a_contract_by_a_channel_is_limited_by_its_profile_and_refused_with_the_field(desk: Desk) -> None:
    desk.write("p", "match: {channel: shop}\nagent: support\nbudgets: {max_steps: 5}\n")
    desk.write("other", "match: {channel: shop, sender: rui}\nsandbox: none\n")
    for contract, field in (
        (TaskContract(agent="developer"), "agent"),
        (TaskContract(workspace="/srv"), "workspace"),
        (TaskContract(model="openai/x"), "model"),
        (TaskContract(api_base="http://x"), "api_base"),
        (TaskContract(sandbox="none"), "sandbox"),
        (TaskContract(profile="other"), "profile"),
        (TaskContract(profile="nobody"), "profile"),
    ):
        receipt = await desk.send(contract)
        assert (receipt.status, receipt.field) == ("refused", f"data.contract.{field}"), contract
    asked = TaskContract.model_validate({"budgets": {"max_steps": 50}, "profile": "p"})
    assert (await desk.made(asked)).contract.budgets.max_steps == 5


async def test_the_operator_names_any_profile_and_a_wrong_name_says_which_there_are(desk: Desk) -> None:
    desk.write("p", "agent: support\nmodel: openai/big\n")
    assert (await desk.made(TaskContract(profile="p"), "cli")).contract.model == "openai/big"
    refused = await desk.send(TaskContract(profile="nobody"), "cli")
    assert refused.field == "data.contract.profile" and "there is default, p" in (refused.reason or "")
    assert (await desk.made(TaskContract(profile="default"), "cli")).profile is None


async def test_a_skill_that_a_profile_forces_is_found_in_its_folders(desk: Desk, tmp_path: Path) -> None:
    skill = tmp_path / "ours" / "refunds" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: refunds\ndescription: How money goes back.\n---\nAsk first.\n")
    desk.write("p", f"match: {{channel: shop}}\nskills: {{forced: [refunds], folders: ['{tmp_path}/ours']}}\n")
    task = await desk.made()
    assert task.skills is not None and [(one.name, one.forced) for one in task.skills.skills] == [("refunds", True)]
    desk.write("p", "match: {channel: shop}\nskills: [refunds]\n")
    refused = await desk.send()
    assert refused.field == "data.contract.skills" and "refunds" in (refused.reason or "")


async def test_a_message_that_comes_again_after_its_profile_changed_is_a_duplicate(desk: Desk) -> None:
    desk.write("p", "match: {channel: shop}\nagent: support\n")
    again = {"conversation": fresh("k"), "message_id": "m"}
    contract = TaskContract(agent="support")
    first = await desk.send(contract, **again)
    desk.write("p", "match: {channel: shop}\nagent: writer\n")
    second = await desk.send(contract, **again)
    assert (first.status, second.status, second.task_id) == ("accepted", "duplicate", first.task_id)
