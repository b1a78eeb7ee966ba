"""Agent Skills: what is read of a SKILL.md, where skills are found, and what is told of files that are none."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from shared.skills import Broken, Problem, Skill, called, catalogue, folder_skills
from shared.skills.exporting import skill_file
from shared.skills.folders import MAX_BYTES
from shared.skills.skill import MAX_DESCRIPTION, read_skill


def read(text: str, beside: str = "a-skill") -> tuple[Skill, tuple[str, ...]]:
    return read_skill(text, source="workspace", path=f"skills/{beside}/SKILL.md", beside=beside)


def put(root: Path, place: str, text: str | bytes) -> Path:
    file = root / place / "SKILL.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def skill(name: str = "a-skill", description: str = "Does it.", body: str = "Do it.") -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}\n"


def test_lists_nested_values_and_a_colon_in_plain_text_cost_no_skill() -> None:
    found, said = read(
        "---\nname: Browser Driver\nwhen:\n  - opening pages\n  - filling forms\nextra: {a: {b: 1}}\n"
        "description: Use when: the person asks\n---\nOpen it.",
        "browser-driver",
    )
    assert (found.name, found.description, found.body) == ("browser-driver", "Use when: the person asks", "Open it.")
    assert any("not YAML" in one for one in said) and any("Browser Driver" in one for one in said)


@pytest.mark.parametrize(
    ("head", "description"),
    [
        ("name: a-skill\ndescription: plain", "plain"),
        ("name: a-skill\ndescription: >-\n  folded\n  text", "folded text"),
        ("name: a-skill\ndescription: |\n  kept\n  lines", "kept lines"),
        ('name: a-skill\ndescription: "quoted: text"', "quoted: text"),
        ("name: a-skill\ndescription: first: part\n  and more: of it", "first: part and more: of it"),
        ("name: a-skill\ndescription: [WIP] converts files", "[WIP] converts files"),
        ("name: a-skill\ndescription: @mentions people", "@mentions people"),
        ("name: a-skill\ndescription: fine\nmetadata: {a: [}", "fine"),
        ("name: a-skill\ndescription: fine\n\ttabbed: yes", "fine tabbed: yes"),
        ("name: a-skill\ndescription: yes", "yes"),
        ("name: a-skill\ndescription: 2024-01-01", "2024-01-01"),
        ("# a comment\nname: a-skill\n\ndescription: fine # and another", "fine"),
        ("name: a-skill\nallowed-tools: Read Bash(git:*)\ndescription: a: b", "a: b"),
        ("name: a-skill\r\ndescription: Windows", "Windows"),
    ],
)
def test_what_people_write_as_front_matter_is_read(head: str, description: str) -> None:
    found, _ = read(f"\ufeff\n---\n{head}\n---\nDo it.\n")
    assert (found.name, found.description, found.body) == ("a-skill", description, "Do it.")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Just text.", "does not begin with front matter"),
        ("", "does not begin with front matter"),
        ("---\nname: a\ndescription: b\n", "no end"),
        ("---\nname: a\n---\nBody", "no description"),
        ("---\nname: a\ndescription:\n---\nBody", "no description"),
        ("---\nname: a\ndescription: [b, c]\n---\nBody", "a list, not a text"),
        ("---\nname: {a: b}\ndescription: c\n---\nBody", "a mapping, not a text"),
        ("---\n- a\n- b\n---\nBody", "holds no keys"),
        ("---\nname: a\ndescription: " + "x" * 70_000 + "\n---\nBody", "longer than"),
    ],
)
def test_what_is_no_skill_says_why(text: str, cause: str) -> None:
    with pytest.raises(Broken, match=cause):
        read(text)


def test_a_name_of_another_form_and_a_long_description_are_used_and_told() -> None:
    found, said = read(f"---\nname: Ação_Rápida!\ndescription: {'x' * 2000}\n---\n", "other")
    assert found.name == "acao-rapida" and len(found.description) == MAX_DESCRIPTION
    assert len(said) == 3, said
    nameless, told = read("---\ndescription: x\n---\nBody", "from-folder")
    assert nameless.name == "from-folder" and "no name" in told[0]


@given(st.text(max_size=400))
def test_any_text_is_a_skill_or_broken_for_a_cause(text: str) -> None:
    for whole in (text, f"---\n{text}\n---\n", f"---\nname: a\ndescription: {text}\n---\n"):
        try:
            found, _ = read(whole)
        except Broken as error:
            assert str(error)
        else:
            assert found.name == called(found.name) and found.description


@given(
    name=st.text("abcdefghij-9", min_size=1, max_size=70).filter(lambda one: bool(called(one))),
    description=st.text(min_size=1, max_size=200).filter(lambda one: bool("".join(one.split()))),
    body=st.text(max_size=200),
)
def test_what_is_exported_is_of_the_standard_and_says_the_same(name: str, description: str, body: str) -> None:
    text = skill(name, description, body)
    try:
        first, _ = read(text)
    except Broken:
        return
    written = skill_file(first)
    head = yaml.safe_load(written.split("---\n")[1])
    assert head["name"] == first.name == called(first.name) and 0 < len(head["name"]) <= 64
    again, said = read(written, first.name)
    assert (again.name, again.description, again.body) == (first.name, first.description, first.body)
    assert all("below its front matter" in one for one in said), said


def test_an_export_keeps_the_keys_of_the_standard_alone() -> None:
    first, _ = read("---\nname: x\ndescription: d\nlicense: MIT\nmetadata:\n  a: 1\n  b: [2]\nhooks: evil\n---\nB", "x")
    head = yaml.safe_load(skill_file(first).split("---\n")[1])
    assert head == {"name": "x", "description": "d", "license": "MIT", "metadata": {"a": "1", "b": '["2"]'}}


def test_one_broken_file_is_one_warning_and_no_dead_catalogue(tmp_path: Path) -> None:
    put(tmp_path, ".agents/skills/good", skill("good"))
    put(tmp_path, ".claude/skills/other", skill("other"))
    put(tmp_path, "skills/group/nested", skill("nested"))
    put(tmp_path, "skills/broken", "nothing")
    put(tmp_path, "skills/latin", skill("latin", "café").encode("latin-1"))
    put(tmp_path, "skills/huge", skill("huge", body="x" * (MAX_BYTES + 1)))
    (tmp_path / "skills/folder/SKILL.md").mkdir(parents=True)
    (tmp_path / "skills/empty").mkdir()
    known = catalogue(folder_skills(tmp_path))
    assert [one.name for one in known.skills] == ["good", "nested", "other"]
    assert {one.path: one.why.split(" ")[0] for one in known.problems if not one.loaded}.keys() == {
        "skills/broken/SKILL.md",
        "skills/latin/SKILL.md",
        "skills/huge/SKILL.md",
        "skills/folder/SKILL.md",
    }
    assert all(one.why for one in known.problems)


def test_a_workspace_without_skills_or_that_is_not_there_has_none(tmp_path: Path) -> None:
    assert folder_skills(tmp_path) == ([], [])
    assert folder_skills(tmp_path / "gone", tmp_path / "neither") == ([], [])
    assert folder_skills(None) == ([], [])
    (tmp_path / "skills").write_text("a file")
    assert folder_skills(tmp_path) == ([], [])


def test_links_are_followed_inside_the_workspace_only_and_one_file_counts_once(tmp_path: Path) -> None:
    place, outside = tmp_path / "w", tmp_path / "outside"
    put(place, ".agents/skills/one", skill("one"))
    (place / ".claude").mkdir()
    (place / ".claude/skills").symlink_to("../.agents/skills")
    put(outside, "secret", skill("secret"))
    (place / ".agents/skills/secret").symlink_to(outside / "secret")
    (place / ".agents/skills/round").symlink_to(".")
    found, problems = folder_skills(place)
    assert [one.name for one in found] == ["one"]
    assert all("out of the workspace" in one.why for one in problems) and problems


def test_of_two_skills_with_one_name_the_workspaces_first_folder_wins_and_the_other_is_told(tmp_path: Path) -> None:
    put(tmp_path, "skills/deploy", skill("deploy", "Later."))
    put(tmp_path, ".agents/skills/deploy", skill("deploy", "First."))
    profile = tmp_path / "profile"
    put(profile, "deploy", skill("deploy", "Of the profile."))
    put(profile, "only", skill("only"))
    known = catalogue(folder_skills(tmp_path, profile))
    deploy = known.find("Deploy")
    assert deploy is not None and deploy.description == "First."
    assert [one.name for one in known.skills] == ["deploy", "only"]
    assert [one.path for one in known.problems] == ["skills/deploy/SKILL.md", str(profile / "deploy/SKILL.md")]


def test_a_name_that_is_not_there_has_near_ones() -> None:
    known = catalogue(([read(skill(name), name)[0] for name in ("deploy-app", "write-docs")], [Problem("p", "w")]))
    assert known.find("juggling") is None
    assert known.near("deploy_ap") == ("deploy-app",)
