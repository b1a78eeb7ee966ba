"""A folder that is handed out holds what lies in it, and nothing that a link brings in."""

import os
from pathlib import Path

from arreio.copied_folder import copy_folder


def test_a_copy_follows_no_link_out_and_says_what_it_left_out(tmp_path: Path) -> None:
    skill, outside, place = tmp_path / "skill", tmp_path / "outside", tmp_path / "copy"
    (skill / "docs").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret").write_text("s")
    (skill / "SKILL.md").write_text("x")
    (skill / "docs" / "SKILL.md").write_text("an example")
    (skill / "docs" / "page.md").write_text("page")
    links = {
        "leak": outside / "secret",
        "docs/up": Path("../../outside/secret"),
        "folder": Path("../outside"),
        "loop": Path("loop"),
        "gone": Path("nowhere"),
        "absolute": skill / "docs" / "page.md",
        "own": Path("docs/page.md"),
        "docs/whole": Path(),
    }
    for name, target in links.items():
        (skill / name).symlink_to(target)
    os.mkfifo(skill / "pipe")
    left = copy_folder(skill, place, without=("SKILL.md",))
    assert left == ["absolute", "docs/up", "folder", "gone", "leak", "loop", "pipe"]
    found = {str(one.relative_to(place)) for one in place.rglob("*")}
    assert found == {"docs", "docs/SKILL.md", "docs/page.md", "docs/whole", "own"}
    assert (place / "own").readlink() == Path("docs/page.md") and (place / "own").read_text() == "page"


def test_a_folder_that_is_named_by_a_link_is_copied_as_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.md").write_text("a")
    (tmp_path / "named").symlink_to("real")
    assert copy_folder(tmp_path / "named", tmp_path / "copy") == []
    assert not (tmp_path / "copy").is_symlink() and (tmp_path / "copy" / "a.md").read_text() == "a"
