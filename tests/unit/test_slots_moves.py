"""What the slots mode makes of goals and files by itself: moves, edits by parts, and what it asks when."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from arreio_contracts.events import ToolCall
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.models.call_modes import Answer, Hints, ToolSpec
from services.tool_loop.models.call_modes.goal_values import (
    Replacement,
    given_contents,
    paths_in,
    replacements,
)
from services.tool_loop.models.call_modes.moves import Ground, Move, moves
from services.tool_loop.models.call_modes.part_edits import (
    appended,
    choices,
    drafts,
    paragraphs,
    replaced,
    single_lines,
    standing_edit,
    taken_back,
)
from services.tool_loop.models.call_modes.pattern_texts import texts_of
from services.tool_loop.models.call_modes.slots import SlotsMode
from services.tool_loop.models.call_modes.small_changes import small_changes
from services.tool_loop.models.client import ModelRequest
from services.tool_loop.models.replies import ModelReply
from services.tool_loop.tools import registry
from shared.prompt import Message

SPECS = [ToolSpec(tool.name, tool.description, tool.parameters) for tool in registry().values()]


def found(goal: str, files: Mapping[str, str], protected: Sequence[str] = ()) -> list[Move]:
    changeable = frozenset(path for path in files if path not in protected)
    return moves(Ground(goal, tuple(paths_in(goal)), frozenset(files), files, changeable))


@pytest.mark.parametrize(
    ("goal", "pairs"),
    [
        ("Change the limit from 10 to 25.", [("10", "25")]),
        ("Mude o limite de 10 para 25.", [("10", "25")]),
        ('Replace "colour" with "color" everywhere', [("colour", "color")]),
        ("Troque “ola” por “olá”.", [("ola", "olá")]),
        ("Say hello.", []),
    ],
)
def test_the_pairs_of_old_and_new_are_read_in_both_languages(goal: str, pairs: list[tuple[str, str]]) -> None:
    assert replacements(goal) == [Replacement(*pair) for pair in pairs]


@pytest.mark.parametrize(
    ("goal", "contents"),
    [
        ("Create a.txt with the text: Hello, you", ["Hello, you\n"]),
        ("Crie a.txt com o texto: Olá, você", ["Olá, você\n"]),
        ('Save the sentence "It is late." in a.txt', ["It is late.\n"]),
        ("Write red, green and blue into a.txt, one per line.", ["red\ngreen\nblue\n"]),
        ("Escreva em a.txt: um, dois e três, um por linha.", ["um\ndois\ntrês\n"]),
        ("Write a poem into a.txt", []),
    ],
)
def test_a_content_that_the_goal_gives_is_read_in_both_languages(goal: str, contents: list[str]) -> None:
    assert given_contents(goal) == contents


@pytest.mark.parametrize(
    ("goal", "files", "labels"),
    [
        ("Set the timeout to 30 in a.yaml", {"a.yaml": "timeout: 10\n"}, ["a.yaml: timeout: 10 → timeout: 30"]),
        ("Mude a cor para azul em a.ini", {"a.ini": "cor = verde\n"}, ["a.ini: cor = verde → cor = azul"]),
        (
            "Set the mode to fast in a.json",
            {"a.json": '{"mode": "slow", "n": 1}'},
            ['a.json: "mode": "slow" → "mode": "fast"'],
        ),
        ("Mude n para 2 em a.json", {"a.json": '{"mode": "slow", "num": 1}'}, []),
        ("Change the num to 2 in a.json", {"a.json": '{"num": 1}'}, ['a.json: "num": 1 → "num": 2']),
        ("Rename getUser to fetch_user in a.js", {"a.js": "getUser()\n"}, ["a.js: getUser → fetch_user"]),
        ("Copy a.txt to old/a.txt", {"a.txt": "x"}, ["mkdir -p old && cp a.txt old/a.txt"]),
        ("Renomeie a.txt para b.txt", {"a.txt": "x"}, ["mv a.txt b.txt"]),
        ("Renomeie a.txt para b.txt", {"a.txt": "x", "b.txt": "y"}, []),
        ("Write tests for a.py with the values 2 and 3", {"a.py": "x = 2\n"}, []),
    ],
)
def test_calls_that_goal_and_files_spell_out(goal: str, files: dict[str, str], labels: list[str]) -> None:
    assert [move.label for move in found(goal, files)] == labels


def test_a_change_of_every_place_is_one_write_and_of_one_place_one_edit() -> None:
    goal = "Rename total to amount in a.py"
    (once,) = found(goal, {"a.py": "total = 1\n"})
    (often,) = found(goal, {"a.py": "total = 1\nprint(total, subtotal)\n"})
    assert (once.tool, once.arguments["new_text"]) == ("edit_file", "amount")
    assert (often.tool, often.arguments["content"]) == ("write_file", "amount = 1\nprint(amount, subtotal)\n")


def test_what_judges_the_task_is_never_moved_on() -> None:
    goal, files = "Rename total to amount", {"a.py": "total = 1\n", "test_a.py": "total\n"}
    assert [move.label for move in found(goal, files, ["test_a.py"])] == ["a.py: total → amount"]


def test_a_value_alone_may_be_one_that_a_file_holds() -> None:
    labels = [move.label for move in found("Write only the host into out.txt", {"a.yaml": "host: db7\nport: 5\n"})]
    assert labels == ["out.txt: db7", "out.txt: 5"]


@given(st.text(max_size=300))
def test_reading_a_goal_never_fails(goal: str) -> None:
    for move in found(goal, {"a.txt": goal, "b.py": "x = 1\n"}):
        assert move.label


TEXT = "def one():\n    return 1\n\n\ndef two():\n    return 1\n"


def test_parts_are_what_blank_lines_set_apart() -> None:
    assert [part.label for part in paragraphs(TEXT)] == ["def one():", "def two():"]
    assert [part.text for part in single_lines("a\n\n  b\n")] == ["a", "  b"]


def test_a_part_that_was_tried_often_is_left_out_while_there_are_others() -> None:
    parts = paragraphs(TEXT)
    assert list(choices(parts, "", [parts[0].text] * 2)) == ["def two():"]
    assert list(choices(parts[:1], "", [parts[0].text] * 2)) == ["def one():"]


def test_an_edit_of_a_line_that_stands_twice_names_what_makes_it_the_only_one() -> None:
    line = next(part for part in single_lines(TEXT) if part.first == 5)
    edit = replaced("a.py", TEXT, line, "return 2")
    assert TEXT.count(edit["old_text"]) == 1
    assert TEXT.replace(edit["old_text"], edit["new_text"]) == TEXT[: TEXT.rindex("1")] + "2\n"


@given(st.lists(st.sampled_from(["a", "  b", "", "c c"]), min_size=1, max_size=9), st.data())
def test_an_edit_changes_its_part_and_nothing_else(lines: list[str], data: st.DataObject) -> None:
    text = "\n".join(lines)
    parts = single_lines(text)
    if not parts:
        return
    part = data.draw(st.sampled_from(parts))
    edit = replaced("a.txt", text, part, "new")
    if text.count(edit["old_text"]) == 1:
        after = text.replace(edit["old_text"], edit["new_text"]).split("\n")
        indent = part.text[: len(part.text) - len(part.text.lstrip())]
        assert after == [*lines[: part.first], f"{indent}new", *lines[part.last + 1 :]]


def test_something_added_to_code_stands_apart() -> None:
    edit = appended("a.py", TEXT, "def three():\n    return 3")
    assert TEXT.replace(edit["old_text"], edit["new_text"]) == f"{TEXT}\n\ndef three():\n    return 3\n"


def test_an_edit_stands_until_it_is_taken_back() -> None:
    first = {"path": "a", "old_text": "x", "new_text": "y"}
    assert standing_edit([first], {"a": "y"}) == first
    assert standing_edit([first, taken_back(first)], {"a": "x"}) is None
    assert standing_edit([first], {"a": "y y"}) is None
    assert drafts([first, taken_back(first), first]) == 2


class Answers:
    """A `Client` that gives one answer after the other, whatever the slot, and keeps what it was asked."""

    def __init__(self, *values: Any) -> None:
        self.values = list(values)
        self.slots: list[str] = []

    async def complete(self, request: ModelRequest) -> ModelReply:
        assert request.response_format is not None
        (slot,) = request.response_format["json_schema"]["schema"]["required"]
        self.slots.append(slot)
        return ModelReply(json.dumps({slot: self.values.pop(0)}), finish_reason="stop")


def acted(*calls: tuple[str, Mapping[str, Any]]) -> list[Message]:
    told: list[Message] = []
    for number, (name, arguments) in enumerate(calls):
        function = {"name": name, "arguments": json.dumps(arguments)}
        told.append({"role": "assistant", "content": "", "tool_calls": [{"id": f"p-{number}", "function": function}]})
        told.append({"role": "tool", "tool_call_id": f"p-{number}", "content": "done"})
    return told


async def ask(client: Answers, goal: str, hints: Hints, past: Sequence[Message] = ()) -> Answer:
    transcript = [{"role": "user", "content": goal}, *past]
    return await SlotsMode().ask(client, ModelRequest("m"), transcript, SPECS, hints, prefix="c")


def told(answer: Answer) -> list[tuple[str, Mapping[str, Any]]]:
    assert all(isinstance(call, ToolCall) and call.problem is None for call in answer.calls)
    return [(call.name, call.arguments or {}) for call in answer.calls]


async def test_what_the_goal_speaks_of_is_read_without_asking() -> None:
    answer = await ask(Answers(), "Fix all .md files and a.py", Hints(paths=["a.py", "b.md", "c.txt"]))
    assert told(answer) == [("read_file", {"path": "a.py"}), ("read_file", {"path": "b.md"})]
    assert answer.requests == 0


async def test_a_file_is_read_again_after_a_command_and_otherwise_once() -> None:
    goal, hints = "Run make on a.py", Hints(paths=["a.py"], files={})
    read = ("read_file", {"path": "a.py"})
    again = await ask(Answers(), goal, hints, acted(read, ("run_command", {"command": "make"})))
    assert told(again) == [read]
    client = Answers("run_command", "make")
    assert told(await ask(client, goal, hints, acted(read))) == [("run_command", {"command": "make"})]


async def test_the_only_call_that_goal_and_files_spell_out_is_made_without_asking_and_once() -> None:
    goal, hints = "Create a.txt with the text: Hello", Hints(claims=True)
    only = ("write_file", {"path": "a.txt", "content": "Hello\n"})
    assert told(await ask(Answers(), goal, hints)) == [only]
    client = Answers("Hello!\n")
    second = await ask(client, goal, Hints(claims=True, paths=["a.txt"], files={"a.txt": "Hello\n"}), acted(only))
    assert told(second) == [("write_file", {"path": "a.txt", "content": "Hello!\n"})]
    assert client.slots == ["content"]


async def test_of_several_calls_the_model_chooses_one() -> None:
    client = Answers("out.txt: 5")
    hints = Hints(paths=["a.yaml"], files={"a.yaml": "host: db7\nport: 5\n"}, claims=True)
    answer = await ask(client, "Write only the host from a.yaml into out.txt", hints)
    assert told(answer) == [("write_file", {"path": "out.txt", "content": "5\n"})]
    assert client.slots == ["choice"]


async def test_a_file_that_is_there_is_edited_part_by_part() -> None:
    client = Answers("def two():", "def two():\n    return 2")
    hints = Hints(paths=["a.py"], files={"a.py": TEXT}, claims=True)
    ((name, arguments),) = told(await ask(client, "Fix a.py: two is wrong", hints))
    assert name == "edit_file"
    assert TEXT.replace(arguments["old_text"], arguments["new_text"]) == TEXT[: TEXT.rindex("1")] + "2\n"
    assert client.slots == ["part", "new_text"]


async def test_the_next_draft_of_an_edit_begins_from_the_file_as_it_was() -> None:
    edit = {"path": "a.py", "old_text": "return 1", "new_text": "return 3"}
    client = Answers("return 2")
    hints = Hints(paths=["a.py"], files={"a.py": "return 3\n"}, claims=True)
    undo, new = told(await ask(client, "Fix a.py", hints, acted(("edit_file", edit))))
    assert undo == ("edit_file", taken_back(edit))
    assert new == ("edit_file", {"path": "a.py", "old_text": "return 1", "new_text": "return 2"})


async def test_an_edit_that_changes_nothing_is_asked_for_again() -> None:
    client = Answers("x = 1", "x = 2")
    hints = Hints(paths=["a.py"], files={"a.py": "x = 1\n"}, claims=True)
    answer = await ask(client, "Fix a.py", hints)
    assert told(answer)[0][1]["new_text"] == "x = 2"
    assert answer.requests == 2


async def test_a_content_that_the_file_has_already_is_asked_for_again() -> None:
    client = Answers("one", "two")
    wrote = acted(("write_file", {"path": "a.txt", "content": "one"}))
    hints = Hints(paths=["a.txt"], files={"a.txt": "one"}, claims=True)
    answer = await ask(client, "Write a number into a.txt", hints, wrote)
    assert told(answer) == [("write_file", {"path": "a.txt", "content": "two"})]
    assert answer.requests == 2


async def test_what_the_goal_adds_is_put_at_the_end() -> None:
    client = Answers("pears")
    hints = Hints(paths=["a.txt"], files={"a.txt": "apples\n"}, claims=True)
    ((_, arguments),) = told(await ask(client, "Add pears to a.txt", hints))
    assert arguments == {"path": "a.txt", "old_text": "apples", "new_text": "apples\npears"}


async def test_json_is_asked_for_as_a_value() -> None:
    client = Answers({"a": [1, "é"]})
    ((_, arguments),) = told(await ask(client, "Make out.json", Hints(claims=True)))
    assert json.loads(arguments["content"]) == {"a": [1, "é"]}


async def test_giving_up_and_completing_are_not_offered_before_anything_was_tried() -> None:
    offered: list[list[str]] = []

    class Watching(Answers):
        async def complete(self, request: ModelRequest) -> ModelReply:
            assert request.response_format is not None
            properties = request.response_format["json_schema"]["schema"]["properties"]
            offered.extend([choices["enum"] for choices in properties.values() if "enum" in choices])
            return await super().complete(request)

    await ask(Watching("list_files"), "Do something with a.txt", Hints())
    (names,) = offered
    assert not {"task_blocked", "need_input", "abstain", "task_complete"} & {*names}


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        (r"\A\s*48\s*\Z", ["48\n"]),
        (
            r"(?i)\A\s*thank (you|s)[.!]?\s*\Z",
            ["thank you\n", "thank you.\n", "thank you!\n", "thank s\n", "thank s.\n", "thank s!\n"],
        ),
        (r"\Aone\ntwo\s*\Z", ["one\ntwo\n"]),
        (r"\A(?:yes|no)\Z", ["yes", "no"]),
        (r"\A1\.5\s+kg\n?\Z", ["1.5 kg\n"]),
        (r"\A\s*\d+\s*\Z", []),
        (r"\Aa|b\Z", []),
        (r"\A(?!x)y\Z", []),
        (r"\A[^a]b\Z", []),
        (r"\Aa*\Z", []),
        (r"\A(a\Z", []),
        (r"^48$", []),
        ("48", []),
        (r"\A(a|b)(a|b)(a|b)(a|b)\Z", []),
    ],
)
def test_a_pattern_that_says_what_a_text_is_from_end_to_end_spells_it_out(pattern: str, texts: list[str]) -> None:
    assert texts_of(pattern) == texts


@pytest.mark.filterwarnings("ignore::FutureWarning")
@given(st.text(alphabet="\\AZabs()|?*+[]. :n\n-^$!", max_size=16))
def test_what_a_pattern_spells_out_matches_it(inner: str) -> None:
    pattern = rf"\A{inner}\Z"
    try:
        compiled = re.compile(pattern, re.MULTILINE)
    except re.error:
        return
    assert all(compiled.search(text) for text in texts_of(pattern))


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("    return x - y", ["    return x + y", "    return x * y"]),
        ("if n <= 9:", ["if n < 9:", "if n >= 9:", "if n > 9:", "if n <= 10:", "if n <= 8:"]),
        ("if not ready and open:", ["if ready and open:", "if not ready or open:"]),
        ("return min(a, b)", ["return max(a, b)"]),
        ('print("1 + 2")  # 3 < 4', []),
        ("import a - b", []),
        ("def f(a) -> int:", []),
        ("x = a.b0", []),
    ],
)
def test_a_small_change_is_of_one_token_of_code(line: str, changed: list[str]) -> None:
    assert [text for _, text in small_changes(line, "")] == changed


def test_the_small_changes_nearest_to_what_is_missing_come_first() -> None:
    text = "def one(x):\n    return x - 1\n\n\ndef two(x):\n    return x * x\n"
    first, *_ = small_changes(text, "test_a::test_two: assert 4 == 8")
    assert first[1] == "    return x + x"


@given(st.text(max_size=200))
def test_a_small_change_changes_one_line_only(text: str) -> None:
    for part, changed in small_changes(text, text):
        assert part.first == part.last
        assert changed != part.text
        assert "\n" not in changed.replace(part.text, "")


async def test_a_model_that_only_copies_code_to_be_mended_may_choose_a_small_change() -> None:
    text = "def area(a, b):\n    return a + b\n"
    copied = "def area(a, b):\n    return a + b"
    client = Answers(copied, copied, copied, "return a + b → return a * b")
    hints = Hints(paths=["a.py"], files={"a.py": text}, claims=True)
    ((name, arguments),) = told(await ask(client, "A test fails. Fix the bug in a.py.", hints))
    assert name == "edit_file"
    assert text.replace(arguments["old_text"], arguments["new_text"]) == "def area(a, b):\n    return a * b\n"
    assert client.slots == ["new_text", "new_text", "new_text", "change"]


async def test_a_small_change_that_did_not_do_is_taken_back_and_not_offered_again() -> None:
    tried = [{"path": "a.py", "old_text": "return a + b", "new_text": f"return {other}"} for other in ("b", "a * b")]
    past = acted(
        ("edit_file", tried[0]),
        ("edit_file", taken_back(tried[0])),
        ("edit_file", tried[1]),
    )
    client = Answers()
    hints = Hints(paths=["a.py"], files={"a.py": "return a * b\n"}, claims=True)
    undo, change = told(await ask(client, "Fix the bug in a.py", hints, past))
    assert undo == ("edit_file", taken_back(tried[1]))
    assert change == ("edit_file", {**tried[1], "new_text": "return a - b"})


DEMAND = "file_contains: sum.txt :: \\A\\s*48\\s*\\Z"


async def test_what_a_criterion_says_of_a_whole_file_is_written_once_drafts_failed() -> None:
    goal, files = "Put the sum of a.csv into sum.txt", {"a.csv": "20\n28\n", "sum.txt": "40\n"}
    hints = Hints(paths=[*files], files=files, claims=True, unmet=[DEMAND])
    client = Answers("46")
    ((_, own),) = told(await ask(client, goal, hints))
    assert own["new_text"] == "46"
    drafts = [("write_file", {"path": "sum.txt", "content": text}) for text in ("46\n", "47\n")]
    assert told(await ask(Answers(), goal, hints, acted(*drafts))) == [
        ("write_file", {"path": "sum.txt", "content": "48\n"})
    ]


async def test_what_a_criterion_says_takes_a_draft_in_another_file_back() -> None:
    goal = "Put the sum of a.csv into sum.txt"
    edit = {"path": "a.csv", "old_text": "28", "new_text": "26"}
    past = acted(("edit_file", {**edit, "new_text": "28"}), ("edit_file", edit))
    hints = Hints(paths=["a.csv"], files={"a.csv": "20\n26\n"}, claims=True, unmet=[DEMAND])
    undo, write = told(await ask(Answers(), goal, hints, past))
    assert undo == ("edit_file", taken_back(edit))
    assert write == ("write_file", {"path": "sum.txt", "content": "48\n"})


async def test_only_the_file_that_is_not_as_it_must_be_is_edited() -> None:
    files = {"a.csv": "20\n28\n", "sum.txt": "40\n"}
    hints = Hints(paths=[*files], files=files, claims=True, unmet=[DEMAND])
    client = Answers("48")
    ((_, arguments),) = told(await ask(client, "Put the sum of a.csv into sum.txt", hints))
    assert arguments == {"path": "sum.txt", "old_text": "40", "new_text": "48"}
