"""Profiles: which one a message gets, what it gives, how far it limits a channel, and what is wrong with a file."""

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import Budgets, TaskContract, Worktree
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.profiles.folder import look
from services.gateway.profiles.giving import NotGiven, give
from services.gateway.profiles.matching import Chosen, alike, choose, fits, identity, named, rank, unclosed
from services.gateway.profiles.profile import BadProfile, Match, NamedProfile, Profile, read_profile

FOLDER = Path("/data/workspaces/s_1")


def profile(name: str, /, **words: Any) -> NamedProfile:
    return NamedProfile(name, "0" * 64, Profile.model_validate(words))


def by_name(*found: NamedProfile) -> dict[str, NamedProfile]:
    return {one.name: one for one in found}


def sent(**who: str) -> InboundMessage:
    return InboundMessage.model_validate({"conversation": "c", "message_id": "m", "sender": "ana", "text": "x", **who})


def chosen(profiles: Mapping[str, NamedProfile], channel: str = "shop", *, local: bool = False, **who: str) -> str:
    found = choose(profiles, channel, sent(**who), local=local)
    return found.named.name if found else ""


def given_to(contract: TaskContract, one: NamedProfile, *, local: bool = False) -> TaskContract:
    return give(contract, one, folder=FOLDER, local=local)[0]


def test_the_profile_that_says_most_about_who_asks_wins() -> None:
    profiles = by_name(
        profile("default"),
        profile("all", match={"channel": "*"}),
        profile("shop", match={"channel": "shop"}),
        profile("anas", match={"channel": "shop", "sender": "an*"}),
        profile("ana", match=[{"channel": "mail"}, {"channel": "shop", "sender": "ana"}]),
    )
    assert chosen(profiles) == "ana"
    assert chosen(profiles, sender="andre") == "anas"
    assert chosen(profiles, sender="rui") == "shop"
    assert chosen(profiles, "mail", sender="rui") == "ana"
    assert chosen(profiles, "post", sender="rui") == "all"
    assert chosen(by_name(profile("default"))) == "default"
    assert chosen({}) == ""


def test_of_equals_the_person_goes_before_the_channel_and_then_the_first_name() -> None:
    assert chosen(by_name(profile("a", match={"channel": "shop"}), profile("b", match={"sender": "ana"}))) == "b"
    same = by_name(profile("b", match={"sender": "ana"}), profile("a", match={"sender": "ana"}))
    assert chosen(same) == "a"
    assert alike(same.values()) == [("a", "b", "sender ana")]


PATTERNS = st.text("ab*?[]", max_size=4)
MATCHES = st.dictionaries(st.sampled_from(sorted(Match.model_fields)), PATTERNS, min_size=1, max_size=3)


@given(st.dictionaries(st.sampled_from("pqrs"), st.lists(MATCHES, min_size=1, max_size=2), max_size=4), st.randoms())
def test_the_choice_never_depends_on_the_order_of_files_and_always_fits(
    words: dict[str, list[dict[str, str]]], order: Any
) -> None:
    profiles = [profile(name, match=matches) for name, matches in words.items()]
    who = {"account": "a", "conversation": "b", "thread": "", "sender": "ab"}
    first = chosen(by_name(*profiles), "a", local=False, **who)
    order.shuffle(profiles)
    assert chosen(by_name(*profiles), "a", local=False, **who) == first
    asked = identity("a", sent(**who))
    fitting = [rank(match) for one in profiles for match in one.profile.match if fits(match, asked)]
    assert bool(first) == bool(fitting)
    if first:
        mine = [rank(match) for match in by_name(*profiles)[first].profile.match if fits(match, asked)]
        assert max(mine) == max(fitting)


def test_the_operator_at_this_machine_gets_a_profile_only_where_its_pattern_names_the_channel() -> None:
    everybody = by_name(profile("all", match={"channel": "*"}), profile("ana", match={"sender": "ana"}))
    assert chosen(everybody, "cli", local=True) == ""
    assert chosen({**everybody, **by_name(profile("me", match={"channel": "cli"}))}, "cli", local=True) == "me"


def test_a_sender_may_name_only_a_profile_that_is_for_him() -> None:
    profiles = by_name(profile("shop", match={"channel": "shop"}), profile("boss", match={"sender": "rui"}))
    assert isinstance(named(profiles, "shop", "shop", sent()), Chosen)
    assert named(profiles, "boss", "shop", sent()) is None


WORDS = {
    "agent": "support",
    "workspace": {"path": "/srv/shop", "mode": "worktree", "base": "main"},
    "model": "openai/big",
    "api_base": "https://models.example/v1",
    "api_key": "env:SHOP_KEY",
    "criteria": ["tests: pytest -q", {"file_exists": "out.txt"}],
    "skills": {"forced": ["refunds"], "folders": ["/srv/skills"]},
    "taste": "shop",
    "budgets": {"max_steps": 20, "max_cost": 1.5},
    "secrets": {"SHOP_TOKEN": "file:/run/secrets/shop"},
    "tools": ["read_file", "search"],
}


def test_a_profile_gives_what_the_contract_does_not_name() -> None:
    one = profile("shop", **WORDS)
    made, gave = give(TaskContract(), one, folder=FOLDER, local=False)
    assert (made.profile, made.agent, made.model, made.api_key) == ("shop", "support", "openai/big", "env:SHOP_KEY")
    assert made.workspace == str(FOLDER) and made.worktree == Worktree(repository="/srv/shop", base="main")
    assert made.skills == ("refunds",) and made.skill_folders == ("/srv/skills",)
    assert [one.kind for one in made.criteria] == ["tests", "file_exists"]
    assert made.tools == ("read_file", "search") and made.taste.rules == "shop"
    assert made.budgets == Budgets(max_steps=20, max_cost=1.5)
    assert gave["secrets"] == {"SHOP_TOKEN": "file:/run/secrets/shop"}
    assert set(gave) == {name for name, value in made.model_dump(exclude_defaults=True).items()} - {"profile"}


def test_a_workspace_in_place_is_the_folder_itself() -> None:
    made = given_to(TaskContract(), profile("shop", workspace="/srv/shop"))
    assert made.workspace == "/srv/shop" and made.worktree is None


def test_the_operators_word_goes_before_the_profiles() -> None:
    asked = TaskContract(agent="writer", workspace="/home/me", skills=("mine",), budgets=Budgets(max_steps=90))
    made = given_to(asked, profile("shop", **WORDS), local=True)
    assert (made.agent, made.workspace, made.worktree, made.skills) == ("writer", "/home/me", None, ("mine",))
    assert made.budgets == Budgets(max_steps=90, max_cost=1.5)
    assert (made.model, made.api_key) == ("openai/big", "env:SHOP_KEY")


@pytest.mark.parametrize("elsewhere", [{"model": "openai/other"}, {"api_base": "https://evil.example"}])
def test_a_profiles_key_is_never_sent_to_another_model_or_endpoint(elsewhere: dict[str, str]) -> None:
    made = given_to(TaskContract(**elsewhere), profile("shop", **WORDS), local=True)
    assert made.api_key is None


def test_a_channels_contract_adds_criteria_and_skills_and_lowers_bounds_only() -> None:
    asked = TaskContract.model_validate(
        {
            "criteria": [{"kind": "answer"}],
            "skills": ["refunds", "mail"],
            "budgets": {"max_steps": 500, "max_cost": 0.1, "max_tool_calls": 3},
            "tools": ["search", "run_command"],
        }
    )
    made = given_to(asked, profile("shop", **WORDS))
    assert [one.kind for one in made.criteria] == ["tests", "file_exists", "answer"]
    assert made.skills == ("refunds", "mail") and made.tools == ("search",)
    assert made.budgets == Budgets(max_steps=20, max_cost=0.1, max_tool_calls=3)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        (TaskContract(agent="developer"), "agent"),
        (TaskContract(allow_test_changes=True), "allow_test_changes"),
        (TaskContract(editable=("tests/**",)), "editable"),
    ],
)
def test_a_channels_contract_cannot_open_what_its_profile_does_not(asked: TaskContract, field: str) -> None:
    with pytest.raises(NotGiven) as told:
        given_to(asked, profile("shop", **WORDS))
    assert told.value.field == field and "shop" in told.value.reason
    assert given_to(asked, profile("shop", **WORDS), local=True) is not None


STEPS = st.none() | st.integers(1, 100)


@given(STEPS, STEPS, STEPS, STEPS)
def test_a_channel_never_gets_more_than_its_profile_allows(
    steps: int | None, calls: int | None, most_steps: int | None, most_calls: int | None
) -> None:
    asked = TaskContract(budgets=Budgets(max_steps=steps, max_tool_calls=calls))
    one = profile("p", budgets=Budgets(max_steps=most_steps, max_tool_calls=most_calls))
    made = given_to(asked, one).budgets
    for name, most in (("max_steps", most_steps), ("max_tool_calls", most_calls)):
        assert most is None or (getattr(made, name) is not None and getattr(made, name) <= most)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("agent: [", "not YAML"),
        ("- agent", "no mapping"),
        ("", "no mapping"),
        ("agnet: support", "agnet is nothing that a profile has"),
        ("agent: a\nagent: b", "stands twice"),
        ("workspace: shop", "absolute"),
        ("workspace: {path: /srv, base: main}", "mode: worktree"),
        ("match: {}", "name a channel"),
        ("match: {room: x}", "match.0.room"),
        ("criteria: ['dance: well']", "is not 'KIND: SPEC'"),
        ("budgets: {max_steps: 0}", "budgets.max_steps"),
        ("secrets: {TOKEN: hunter2hunter2}", "env:NAME or file:/PATH"),
        ("api_key: hunter2hunter2", "env:NAME or file:/PATH"),
        ("api_key: file:relative", "env:NAME or file:/PATH"),
        ("mcp: [{name: s, url: 'https://me:hunter2hunter2@x.org'}]", "a user or a password"),
        ("api_base: ftp://example.org", "no http or https address"),
        ("api_base: example.org/v1", "no http or https address"),
        ("api_base: 'http://'", "no http or https address"),
        ("api_base: 'http://[::1'", "no address"),
        ("api_base: http://me:hunter2hunter2@example.org/v1", "env:NAME or file:/PATH"),
        (f"agent: ghp_{'a1B2' * 9}", "holds a key itself"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_a_line_without_a_value(text: str, said: str) -> None:
    with pytest.raises(BadProfile) as told:
        read_profile("shop", text)
    assert said in str(told.value) and "\n" not in str(told.value)
    assert "hunter2" not in str(told.value) and "a1B2" not in str(told.value)


@pytest.mark.parametrize(
    ("pattern", "wrong"), [("[a", True), ("a[b]c[", True), ("[]", True), ("[!", True), ("[a]", False), ("[[]a", False)]
)
def test_a_bracket_that_nothing_closes_is_found(pattern: str, wrong: bool) -> None:
    assert unclosed(Match(sender=pattern, channel="shop")) == (["sender"] if wrong else [])


def test_another_text_is_another_version() -> None:
    first, second = (read_profile("shop", text).version for text in ("agent: support", "agent: support # or so"))
    assert first != second and len(first) == 64


def test_one_bad_file_leaves_the_others_alone(tmp_path: Any) -> None:
    (tmp_path / "good.yaml").write_text(
        textwrap.dedent("""
        match: {channel: shop}
        agent: support
    """)
    )
    (tmp_path / "bad.yaml").write_text("agent: [")
    (tmp_path / "bad name.yaml").write_text("agent: support")
    (tmp_path / "latin.yml").write_bytes(b"agent: caf\xe9")
    (tmp_path / "good.yml").write_text("agent: writer")
    (tmp_path / ".hidden.yaml").write_text("[")
    (tmp_path / "folder.yaml").mkdir()
    found = look(tmp_path)
    assert list(found.good) == ["good"] and found.good["good"].profile.agent == "support"
    assert sorted(one.file.name for one in found.bad) == [
        "bad name.yaml", "bad.yaml", "folder.yaml", "good.yml", "latin.yml"
    ]  # fmt: skip
    assert look(tmp_path / "nowhere").good == {}
