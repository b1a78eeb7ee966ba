"""What a goal asks to be renamed, and how tests are read by it."""

import pytest

from services.gate_runner.judging_twice import renamed
from services.tool_loop.rules.renames import renames


@pytest.mark.parametrize(
    ("goal", "pairs"),
    [
        ("Rename add to plus in calculator.py.", (("add", "plus"),)),
        ("Rename the function `add()` to `plus()` everywhere.", (("add", "plus"),)),
        ("Renomeie a função somar para adicionar.", (("somar", "adicionar"),)),
        ("Rename calculator.py to calc.py and mend it", (("calculator", "calc"),)),
        ("Please rename Foo.bar to Foo.baz; rename x to y", (("Foo.bar", "Foo.baz"), ("bar", "baz"), ("x", "y"))),
        ("Rename the parameter x of area to radius.", (("x", "radius"),)),
        ("Renomeie o parâmetro x da função area para raio.", (("x", "raio"),)),
        ("Rename Account.put to Account.deposit.", (("Account.put", "Account.deposit"), ("put", "deposit"))),
        ("Rename a.put to b.put.", (("a.put", "b.put"),)),
        ("Do not rename add to plus.", ()),
        ("Rename it to plus", ()),
        ("Mend add, so that plus works", ()),
    ],
)
def test_a_goal_names_what_is_renamed(goal: str, pairs: tuple[tuple[str, str], ...]) -> None:
    assert renames(goal) == pairs


def test_a_name_is_read_as_the_new_one_whole_or_as_a_part_of_names() -> None:
    text = b"from calc import add\n\ndef test_add():\n    assert add(1, 1) == 2  # adder\n"
    whole = renamed(text, [("add", "plus")])
    assert b"import plus" in whole and b"def test_add" in whole and b"# adder" in whole
    assert b"def test_plus" in renamed(text, [("add", "plus")], parts=True)


@pytest.mark.parametrize("content", [b"\xff add", b""])
def test_what_is_no_text_stays_as_it_is(content: bytes) -> None:
    assert renamed(content, [("add", "plus")]) == content
    assert renamed(b"add", []) == b"add"
