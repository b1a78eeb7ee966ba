"""Names of one real file and copies of a file are told once, and no rule is lost or holds elsewhere because of it."""

import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.context_builder.instruction_cache import InstructionCache, collect, load
from services.context_builder.instruction_files import InstructionFiles
from services.context_builder.layers import LayerName
from services.context_builder.showing import show
from services.context_builder.tokenizers import Approximate


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def link(path: Path, target: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def ids(files: InstructionFiles) -> list[str]:
    return [unit.id for unit in files.units]


def why(files: InstructionFiles) -> dict[str, str]:
    return {one.path: one.why for one in files.skipped}


def test_the_real_file_counts_and_its_unit_says_where_else_it_holds(tmp_path: Path) -> None:
    link(tmp_path / "a/AGENTS.md", "../b/AGENTS.md")
    write(tmp_path / "b/AGENTS.md", "the rules")
    found = collect(tmp_path)
    assert ids(found) == ["b/AGENTS.md"] and why(found) == {"a/AGENTS.md": "the same file as b/AGENTS.md"}
    assert found.units[0].label == "[b/AGENTS.md: for b/, a/, and there it wins over what stands above]"


def test_a_link_that_brings_an_outer_file_back_holds_again(tmp_path: Path) -> None:
    write(tmp_path / "AGENTS.md", "tabs")
    write(tmp_path / "sub/AGENTS.md", "spaces")
    link(tmp_path / "sub/deep/AGENTS.md", "../../AGENTS.md")
    found = collect(tmp_path)
    assert [(unit.id, unit.text) for unit in found.units] == [
        ("AGENTS.md", "tabs"),
        ("sub/AGENTS.md", "spaces"),
        ("sub/deep/AGENTS.md", "tabs"),
    ]


def test_a_link_below_another_link_wins_there_wherever_their_files_are(tmp_path: Path) -> None:
    write(tmp_path / "b/a/AGENTS.md", "tabs")
    write(tmp_path / "b/b/AGENTS.md", "spaces")
    link(tmp_path / "c/AGENTS.md", "../b/b/AGENTS.md")
    link(tmp_path / "c/d/AGENTS.md", "../../b/a/AGENTS.md")
    told = [(unit.label, unit.text) for unit in collect(tmp_path).units]
    assert [told_for(place, told) for place in ("b/a", "b/b", "c", "c/d")] == ["tabs", "spaces", "spaces", "tabs"]


@pytest.mark.parametrize("touched", ["a", "b"])
def test_a_touched_directory_has_its_rules_whichever_of_its_names_was_not_touched(tmp_path: Path, touched: str) -> None:
    link(tmp_path / "a/AGENTS.md", "../b/AGENTS.md")
    write(tmp_path / "b/AGENTS.md", "the rules")
    found = show(tmp_path, "developer", Approximate(), touched=[f"{touched}/file.py"])
    report = found.assembled.layers[1].report
    assert report.kept == (f"{touched}/AGENTS.md",) and "the rules" in found.assembled.prompt


def test_a_copy_counts_where_the_cut_takes_what_it_is_a_copy_of(tmp_path: Path) -> None:
    write(tmp_path / "AGENTS.md", "never push " * 10)
    write(tmp_path / "a/AGENTS.md", "a long rule " * 40)
    write(tmp_path / "b/AGENTS.md", "never push " * 10)
    whole = show(tmp_path, "developer", Approximate())
    assert whole.assembled.layers[1].report.kept == ("AGENTS.md", "a/AGENTS.md")
    assert [one.path for one in whole.skipped] == ["b/AGENTS.md"]
    cut = show(tmp_path, "developer", Approximate(), budgets={LayerName.INSTRUCTION_FILES: 100})
    report = cut.assembled.layers[1].report
    assert report.kept == ("b/AGENTS.md",) and not cut.skipped
    assert [(one.id, one.why.startswith("over the budget")) for one in report.dropped] == [
        ("AGENTS.md", True),
        ("a/AGENTS.md", True),
    ]


DIRECTORIES = ["", "a", "b", "a/b", "a/c", "b/a", "b/b", "a/b/c", "b/a/c"]
STEPS = st.dictionaries(
    st.sampled_from(DIRECTORIES),
    st.sampled_from(["tabs", "none", "spaces " * 20])
    | st.tuples(st.sampled_from(["link", "same"]), st.sampled_from(DIRECTORIES)),
    max_size=9,
)


def told_for(directory: str, units: list[tuple[str, str]]) -> str | None:
    """What a reader of the prompt takes to hold in a directory: the last of what names it or a directory above."""
    said = None
    for label, text in units:
        places = re.findall(r"([^ ]+)/(?=,)", label.partition(": for ")[2])
        if "whole workspace" in label or any(f"{directory}/".startswith(f"{place}/") for place in places):
            said = text
    return said


def check_told(place: Path, steps: dict[str, str | tuple[str, str]], budget: int) -> None:
    """What is told of each directory is what its nearest file says that the cut left, and the cut takes the first."""
    for directory in DIRECTORIES:
        (place / directory).mkdir(parents=True, exist_ok=True)
    for directory, said in steps.items():
        if isinstance(said, str):
            (place / directory / "AGENTS.md").write_text(said)
    for directory, said in steps.items():
        file, target = place / directory / "AGENTS.md", place / said[1] / "AGENTS.md"
        if not isinstance(said, str) and target.is_file():
            if said[0] == "link":
                file.symlink_to(os.path.relpath(target, file.parent))
            else:
                file.hardlink_to(os.path.realpath(target))
    shown = show(place, "developer", Approximate(), budgets={LayerName.INSTRUCTION_FILES: budget})
    layer = shown.assembled.layers[1]
    dropped = {one.id for one in layer.report.dropped}
    everything = load(InstructionCache(), "", place).files.found
    left = {one.scope: one.unit.text for one in everything if one.unit.id not in dropped}
    told = [(unit.label, unit.text) for unit in layer.units[1:]]
    for directory in DIRECTORIES:
        above = [directory, *map(str, Path(directory).parents)]
        nearest = next((left[one] for one in (name.removeprefix(".") for name in above) if one in left), None)
        assert told_for(directory, told) == nearest, directory
    covered = {one.path for one in shown.skipped}
    order = [one.unit.id for one in everything if one.unit.id not in covered]
    assert order[: len(dropped)] == [name for name in order if name in dropped] or not dropped


@given(STEPS, st.sampled_from([10**6, 20, 40, 60, 90, 140]))
@settings(max_examples=300, deadline=None)
def test_what_is_told_for_a_directory_is_what_the_nearest_file_says_that_the_cut_left(
    tmp_path_factory: pytest.TempPathFactory, steps: dict[str, str | tuple[str, str]], budget: int
) -> None:
    check_told(tmp_path_factory.mktemp("workspace"), steps, budget)
