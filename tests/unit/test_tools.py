"""The file tools and the registry: what they do, what they refuse, and that nothing makes them raise."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from arreio_contracts.task import TaskContract
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.tool_loop.tools import (
    FilePlan,
    FileTool,
    Tool,
    ToolContext,
    ToolResult,
    file_effect_done,
    offered_tools,
    registry,
)

TOOLS = registry()


class Place:
    """A workspace and what a task has seen of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.seen: dict[str, str] = {}

    @property
    def context(self) -> ToolContext:
        return ToolContext(self.root, seen=dict(self.seen))

    def put(self, path: str, content: str | bytes, *, seen: bool = False) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        file.write_bytes(data)
        if seen:
            self.seen[path] = _sha(data)

    async def call(self, tool: str, **arguments: Any) -> ToolResult:
        result = await TOOLS[tool].run(arguments, self.context)
        self.seen |= result.seen
        return result


@pytest.fixture
def place(tmp_path: Path) -> Place:
    root = tmp_path / "workspace"
    root.mkdir()
    return Place(root)


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_the_registry_is_always_in_the_same_order_with_the_signals_last() -> None:
    names = list(registry())
    assert names == list(registry())
    assert names[-3:] == ["task_complete", "task_blocked", "need_input"]
    assert [tool.name for tool in offered_tools(TaskContract(workspace="/w"))] == names
    assert [tool.name for tool in offered_tools(TaskContract())] == ["abstain", *names[-3:]]


def test_every_tool_describes_itself_shortly_with_a_valid_schema() -> None:
    for tool in TOOLS.values():
        jsonschema.Draft202012Validator.check_schema(dict(tool.parameters))
        assert len(tool.description) <= 90
        json.dumps(tool.parameters)


def test_an_extra_tool_is_registered_before_the_signals() -> None:
    class Noop:
        name = "noop"
        description = "Nothing."
        parameters: Mapping[str, Any] = {"type": "object", "properties": {}}
        effect = "read"

        async def run(self, arguments: Mapping[str, Any], context: ToolContext) -> ToolResult:
            return ToolResult("ok", "")

    extra: Tool = Noop()  # type: ignore[assignment]
    assert list(registry([extra]))[-4] == "noop"
    assert "noop" in [tool.name for tool in offered_tools(TaskContract(), [extra])]


async def test_a_read_shows_numbered_lines_and_observes_the_whole_file(place: Place) -> None:
    place.put("a.txt", "one\ntwo\nthree\n")
    result = await place.call("read_file", path="a.txt", start_line=2, end_line=2)
    assert result.status == "ok"
    assert result.text == "a.txt, lines 2-2 of 3:\n2| two"
    assert result.seen == {"a.txt": _sha(b"one\ntwo\nthree\n")}


async def test_a_long_file_is_shown_in_parts_that_say_how_to_go_on(place: Place) -> None:
    place.put("long.txt", "".join(f"line {number}\n" for number in range(1, 5001)))
    shown = 0
    start = 1
    while True:
        result = await place.call("read_file", path="long.txt", start_line=start)
        shown += result.text.count("| line ")
        if "[more:" not in result.text:
            break
        start = int(result.text.rpartition("start_line=")[2].rstrip("]"))
    assert shown == 5000


async def test_an_endless_line_is_cut(place: Place) -> None:
    place.put("a.txt", "x" * 1_000_000)
    result = await place.call("read_file", path="a.txt")
    assert len(result.text) < 3000 and "characters more" in result.text


@pytest.mark.parametrize(
    ("path", "status", "error_class"),
    [
        ("missing.txt", "error", "not_found"),
        ("folder", "error", "is_a_directory"),
        ("binary.bin", "error", "binary_file"),
        ("huge.txt", "refused", "path_refused"),
        ("pipe", "refused", "path_refused"),
        ("../outside", "refused", "path_refused"),
        ("/etc/passwd", "refused", "path_refused"),
        ("folder/x/../../../..", "refused", "path_refused"),
        ("x" * 300, "error", "OSError"),
        ("latin1.txt", "ok", None),
        ("empty.txt", "ok", None),
    ],
)
async def test_whatever_a_path_leads_to_a_read_answers(
    place: Place, path: str, status: str, error_class: str | None
) -> None:
    place.put("folder/file", "")
    place.put("binary.bin", b"\x7fELF\0\0")
    place.put("latin1.txt", "ação".encode("latin-1"))
    place.put("empty.txt", "")
    os.mkfifo(place.root / "pipe")
    with (place.root / "huge.txt").open("wb") as file:
        file.truncate(11 * 1024 * 1024)
    result = await place.call("read_file", path=path)
    assert (result.status, result.error_class) == (status, error_class)
    result.text.encode()


async def test_a_new_file_is_written_with_its_directories(place: Place) -> None:
    result = await place.call("write_file", path="deep/er/a.txt", content="olá\n")
    assert result.status == "ok" and result.text == "deep/er/a.txt written (1 line, 5 bytes)."
    assert (place.root / "deep/er/a.txt").read_text() == "olá\n"
    assert result.changed == result.seen == {"deep/er/a.txt": _sha("olá\n".encode())}


async def test_an_existing_file_is_changed_only_after_its_current_content_was_seen(place: Place) -> None:
    place.put("a.txt", "old\n")
    for call in (
        {"tool": "write_file", "path": "a.txt", "content": "new\n"},
        {"tool": "edit_file", "path": "a.txt", "old_text": "old", "new_text": "new"},
    ):
        result = await place.call(**call)
        assert result.status == "refused" and result.error_class == "unread_file"
        assert "next: read_file a.txt" in result.text
    await place.call("read_file", path="a.txt")
    place.put("a.txt", "changed by a command\n")
    result = await place.call("write_file", path="a.txt", content="new\n")
    assert result.status == "refused" and "changed since" in result.text
    await place.call("read_file", path="a.txt")
    assert (await place.call("write_file", path="a.txt", content="new\n")).status == "ok"
    # Its own write counts as seen.
    assert (await place.call("edit_file", path="a.txt", old_text="new", new_text="newer")).status == "ok"
    assert (place.root / "a.txt").read_text() == "newer\n"


async def test_another_name_of_a_seen_file_is_the_same_file(place: Place) -> None:
    place.put("a.txt", "old\n", seen=True)
    (place.root / "link.txt").symlink_to("a.txt")
    result = await place.call("write_file", path="./link.txt", content="new\n")
    assert result.status == "ok" and result.changed.keys() == {"a.txt"}
    assert (place.root / "link.txt").is_symlink()


@pytest.mark.parametrize("path", ["", ".", "folder/", "..", "/tmp/x", ".git/hooks/pre-commit", "a/.git/config", "\0"])
async def test_places_that_are_no_file_of_the_task_are_not_written(place: Place, path: str) -> None:
    result = await place.call("write_file", path=path, content="x")
    assert result.status == "refused"
    assert list(place.root.iterdir()) == []


async def test_writing_what_is_there_changes_nothing(place: Place) -> None:
    place.put("a.txt", "same", seen=True)
    result = await place.call("write_file", path="a.txt", content="same")
    assert (result.status, result.changed) == ("ok", {})


async def test_an_edit_keeps_everything_else_byte_for_byte(place: Place) -> None:
    place.put("a.txt", b"caf\xe9\r\none\r\ntwo\r\n", seen=True)
    result = await place.call("edit_file", path="a.txt", old_text="one\ntwo", new_text="1\n2")
    assert result.status == "ok", result.text
    assert (place.root / "a.txt").read_bytes() == b"caf\xe9\r\n1\r\n2\r\n"


KEY = "ghp_" + "a1B2" * 9
PEM = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKc\n" * 3 + "-----END PRIVATE KEY-----\n"


async def test_a_refused_edit_tells_of_a_secret_only_that_it_is_there_and_how_to_go_on(place: Place) -> None:
    place.put("app.env", f"HOST=a\nTOKEN={KEY}\nDEBUG=0\n", seen=True)
    copied = await place.call("edit_file", path="app.env", old_text="TOKEN=***\nDEBUG=0", new_text="DEBUG=1")
    assert copied.error_class == "old_text_not_found"
    assert "(line 2)" in copied.text and "run_command" in copied.text
    around = await place.call("edit_file", path="app.env", old_text="DEBUG=0", new_text="DEBUG=1")
    assert (around.status, (place.root / "app.env").read_text()) == ("ok", f"HOST=a\nTOKEN={KEY}\nDEBUG=1\n")


@pytest.mark.parametrize(
    "guess", ["TOKEN=ghp_a1B2a1B2", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBK", "HOST = a", "HOST=a\nTOKEN"]
)
async def test_a_refused_edit_never_shows_a_secret_nor_a_part_of_one(place: Place, guess: str) -> None:
    place.put("app.env", f"HOST=a\r\nTOKEN={KEY}\n{PEM}DEBUG=0\n", seen=True)
    told = (await place.call("edit_file", path="app.env", old_text=f"{guess}\nX", new_text="x")).text
    assert not any(piece in told for piece in ("a1B2a1B2a", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKc"))


@pytest.mark.parametrize(
    ("old", "new", "error_class", "told"),
    [
        ("", "x", "empty_old_text", "write_file"),
        ("    return a - b", "    return a - b", "no_change", "same"),
        ("return a + b", "x", "old_text_not_found", "2|     return a - b"),
        ("2|     return a - b", "x", "old_text_not_found", "line numbers"),
        ("def  sub(a, b):\n return a - b", "x", "old_text_not_found", "other spaces"),
        ("nothing like it at all", "x", "old_text_not_found", "next: read_file"),
        ("a", "x", "old_text_not_unique", "occurs"),
    ],
)
async def test_an_edit_that_does_not_fit_says_what_would(
    place: Place, old: str, new: str, error_class: str, told: str
) -> None:
    place.put("calc.py", "def sub(a, b):\n    return a - b\n", seen=True)
    result = await place.call("edit_file", path="calc.py", old_text=old, new_text=new)
    assert (result.status, result.error_class) == ("refused", error_class)
    assert told in result.text


@pytest.mark.parametrize(
    ("content", "old", "told"),
    [
        ("a\r\nb\nc\r\n", "a\nb\nc", ["line breaks", "1| a\\r\\n", "2| b\\n", "3| c\\r\\n"]),
        ("x\na\r\nb\n", "a\nb\n", ["line breaks", "2| a\\r\\n", "3| b\\n"]),
        ("cafe\u0301 \u201cq\u201d\n", 'caf\u00e9 "q"', ["look alike", "1| cafe\u0301 \u201cq\u201d"]),
        ("a \u2013 b\n", "a - b", ["look alike", "1| a \u2013 b"]),
        ("short\n", "nothing like it", ["not in", "1| short"]),
    ],
)
async def test_what_only_looks_like_the_files_text_is_shown_as_it_is(
    place: Place, content: str, old: str, told: list[str]
) -> None:
    place.put("a.txt", content, seen=True)
    result = await place.call("edit_file", path="a.txt", old_text=old, new_text="new")
    assert result.status == "refused"
    assert not [one for one in told if one not in result.text], result.text


@pytest.mark.parametrize("tool", ["read_file", "write_file"])
async def test_a_directory_is_told_by_its_name(place: Place, tool: str) -> None:
    place.put("folder/inside.txt", "x")
    result = await place.call(tool, path="folder", **({"content": "x"} if tool == "write_file" else {}))
    assert result.text == "folder is a directory; list_files shows what is in it"


async def test_a_plan_changes_nothing_and_says_what_will_be(place: Place) -> None:
    place.put("a.txt", "old", seen=True)
    tool = TOOLS["write_file"]
    assert isinstance(tool, FileTool)
    plan = tool.plan({"path": "a.txt", "content": "new"}, place.context)
    assert isinstance(plan, FilePlan)
    assert (plan.path, plan.before, plan.after, plan.content) == ("a.txt", _sha(b"old"), _sha(b"new"), b"new")
    assert (place.root / "a.txt").read_text() == "old"
    assert file_effect_done(place.root, plan.path, plan.before, plan.after) == "not_done"
    for _ in range(2):
        assert tool.apply(plan, place.context).status == "ok"
        assert file_effect_done(place.root, plan.path, plan.before, plan.after) == "done"
    place.put("a.txt", "somebody else's")
    assert file_effect_done(place.root, plan.path, plan.before, plan.after) == "foreign"
    result = tool.apply(plan, place.context)
    assert (result.status, result.error_class) == ("refused", "changed_meanwhile")
    assert (place.root / "a.txt").read_text() == "somebody else's"


async def test_the_effect_of_a_new_file_is_known_by_its_hash(place: Place) -> None:
    after = _sha(b"new")
    assert file_effect_done(place.root, "a.txt", None, after) == "not_done"
    place.put("a.txt", "new")
    assert file_effect_done(place.root, "a.txt", None, after) == "done"
    assert file_effect_done(place.root, "../a.txt", None, after) == "foreign"


@pytest.fixture
def repository(place: Place) -> Place:
    place.put(".gitignore", "*.log\nbuild/\n")
    place.put("src/.gitignore", "!keep.log\n")
    for path in ("src/a.py", "src/keep.log", "src/other.log", "build/out.py", ".git/config", "docs/b.md"):
        place.put(path, "needle = 1\n")
    (place.root / "hollow").mkdir()
    return place


async def test_a_list_leaves_out_what_git_ignores(repository: Place) -> None:
    result = await repository.call("list_files")
    expected = [".gitignore", "build/ (ignored)", "docs/b.md", "hollow/ (empty)", "src/.gitignore", "src/a.py"]
    assert result.text.splitlines() == [*expected, "src/keep.log"]
    assert (await repository.call("list_files", path="docs")).text == "docs/b.md"
    assert (await repository.call("list_files", path="nowhere")).error_class == "not_found"
    assert (await repository.call("list_files", path="docs/b.md")).error_class == "not_a_directory"


async def test_a_search_leaves_out_what_git_ignores(repository: Place) -> None:
    found = (await repository.call("search", pattern="need.e")).text.splitlines()
    assert found == [f"{path}:1: needle = 1" for path in ("docs/b.md", "src/a.py", "src/keep.log")]
    assert (await repository.call("search", pattern="needle", path="src/a.py")).text == "src/a.py:1: needle = 1"
    assert (await repository.call("search", pattern="absent")).text == "No line of the workspace matches."
    assert (await repository.call("search", pattern="(")).error_class == "bad_pattern"


async def test_a_file_whose_name_holds_a_line_break_takes_one_line(place: Place) -> None:
    for name in ("x\ny", "plain", "ção", "narrow\u202fspace", "sep\u2028x"):
        place.put(name, "needle\n")
    listed = (await place.call("list_files")).text.split("\n")
    assert sorted(listed) == sorted(['"x\\ny"', "plain", "ção", "narrow\u202fspace", '"sep\\u2028x"'])
    found = (await place.call("search", pattern="needle")).text
    assert len(found.split("\n")) == 5 and '"x\\ny":1: needle' in found


async def test_a_command_with_a_lone_surrogate_is_refused_by_name(place: Place) -> None:
    refused = await place.call("run_command", command="echo \ud800")
    assert (refused.status, refused.error_class) == ("refused", "bad_text")
    assert "lone surrogate" in refused.text


async def test_a_search_that_runs_away_is_stopped(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.tool_loop.tools.search._SECONDS", 0.2)
    place.put("a.txt", "a" * 200 + "c")
    result = await place.call("search", pattern="(a|a.|.a)+c.d")
    assert result.error_class == "timeout"


async def test_results_are_bounded(place: Place) -> None:
    for number in range(600):
        place.put(f"file{number:03}.txt", "needle\n")
    small = replace(place.context, most_chars=2000)
    for name, arguments in (("list_files", {}), ("search", {"pattern": "needle"})):
        result = await TOOLS[name].run(arguments, small)
        assert len(result.text) <= 2000 and "more" in result.text


async def test_an_abstention_names_the_check(place: Place) -> None:
    result = await place.call("abstain", what="the version", how_to_check="read pyproject.toml")
    assert result.status == "ok" and "pyproject.toml" in result.text


_ANY_TEXT = st.text(st.characters(), max_size=30)


@given(
    name=st.sampled_from(["read_file", "list_files", "search", "write_file", "edit_file"]),
    texts=st.lists(_ANY_TEXT, min_size=4, max_size=4),
)
@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_no_arguments_make_a_tool_raise_or_answer_what_cannot_be_stored(
    place: Place, name: str, texts: list[str]
) -> None:
    keys = list(TOOLS[name].parameters["properties"])
    arguments = {key: text for key, text in zip(keys, texts, strict=False) if not key.endswith("_line")}
    result = await TOOLS[name].run(arguments, place.context)
    assert isinstance(result, ToolResult)
    outside = [path for path in place.root.parent.iterdir() if path != place.root]
    assert outside == []


async def test_a_key_on_several_lines_is_shown_by_no_part_of_its_file(place: Place) -> None:
    body = "\n".join(f"{number:02}" + "aB3/" * 15 for number in range(20))
    place.put("key.pem", f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\nlast\n")
    part = await place.call("read_file", path="key.pem", start_line=5, end_line=23)
    assert "aB3" not in part.text and part.text.endswith("23| last")
    found = await place.call("search", pattern="aB3")
    assert "aB3/" not in found.text and "key.pem:2: ***" in found.text


async def test_a_search_reads_lines_and_not_what_lies_between_them(place: Place) -> None:
    place.put("a.txt", "one\ntwo\n")
    assert (await place.call("search", pattern=r"one\s+two")).text == "No line of the workspace matches."
    assert (await place.call("search", pattern=r"^two$")).text == "a.txt:2: two"
    assert (await place.call("search", pattern=r"e(?!\s)")).text == "a.txt:1: one"
