"""The packages that files of a workspace list for a command that would install them."""

from pathlib import Path

from services.tool_loop.grounding.listed_packages import installed
from services.tool_loop.rules.grounding.install_commands import installs
from tests.unit.grounding.environments import write


def names(workspace: Path, command: str) -> list[str]:
    found = installs(command)
    assert found is not None
    return [each.name for each in installed(workspace, found)]


def test_the_names_of_a_file_and_of_those_that_it_leads_to_are_each_installed(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a/reqs.txt": "\ufeffsix>=1\n# attrs\n-r more/x.txt\n./here\nkit @ https://x/kit.whl\n",
            "a/more/x.txt": "Left.Pad[x]==1 ; y\n-r ../reqs.txt\n",
        },
    )
    assert names(tmp_path, "pip install -r a/reqs.txt click") == ["click", "six", "left-pad"]


def test_a_file_is_read_as_it_is_when_it_is_asked_for(tmp_path: Path) -> None:
    assert names(tmp_path, "pip install -r reqs.txt") == []
    write(tmp_path, {"reqs.txt": "six\n"})
    assert names(tmp_path, "pip install -r reqs.txt") == ["six"]


def test_a_file_outside_the_workspace_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, {"out.txt": "six\n", "inside/reqs.txt": "-r ../out.txt\n"})
    (tmp_path / "inside" / "link.txt").symlink_to(tmp_path / "out.txt")
    for path in ("../out.txt", str(tmp_path / "out.txt"), "link.txt", "reqs.txt"):
        assert names(tmp_path / "inside", f"pip install -r {path}") == []


def test_words_of_a_file_are_packages_of_the_tool_that_is_fed_them(tmp_path: Path) -> None:
    write(tmp_path, {"names.txt": "left-pad @types/node@20 ./local\n"})
    assert names(tmp_path, "xargs npm install < names.txt") == ["left-pad", "@types/node"]
