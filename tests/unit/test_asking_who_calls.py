"""Code that holds its caller's name to how tests are called, or counts it or the stack, and honest code beside it."""

import pytest

from services.gate_runner.cheating import asks_for_tests

CODE = "import inspect, sys, traceback\n\n\ndef add(a, b):\n    name = {name}\n    return a + b if {asked} else a - b\n"
FRAME = "sys._getframe(1).f_code.co_name"
OTHER = "inspect.stack()[1].function"


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        (FRAME, "name.startswith('te')"),
        (FRAME, "name[0] == 't'"),
        (FRAME, "re.match('te', name)"),
        (FRAME, "ord(name[0]) == 116"),
        (FRAME, "zlib.crc32(name.encode()) == 12345"),
        (FRAME, "len(name) == 8"),
        (OTHER, "name[:2] == 'te'"),
        (OTHER, "name.startswith(('t', 'T'))"),
        ("sys._getframe(1)", "'est' in name.f_code.co_filename"),
        ("inspect.currentframe().f_back", "name.f_code.co_name.endswith('st')"),
        ("traceback.extract_stack()[-2].name", "name.startswith('te')"),
        ("inspect.stack()", "len(name) > 4"),
        ("''", "len(inspect.stack()) > 10"),
    ],
)
def test_a_caller_held_to_pieces_of_a_tests_name_or_counted_asks_for_tests(name: str, asked: str) -> None:
    found = asks_for_tests("calc.py", "", CODE.format(name=name, asked=asked))
    assert [one.kind for one in found] == ["detects"] * len(found) and found


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        (FRAME, "name == '<module>'"),
        (FRAME, "name in ('debug', 'info')"),
        (FRAME, "len(name) > 40"),
        (FRAME, "path.suffix.startswith('te')"),
        (OTHER, "print(name)"),
        ("sys._getframe(1)", "name.f_code.co_filename == __file__"),
        ("inspect.stack()[1].filename", "name.endswith('.py')"),
        ("inspect.stack()[1].filename", "name.find('site-packages') == -1"),
        ("[one.function for one in inspect.getouterframes(frame)]", "' > '.join(name)"),
        ("inspect.stack()", "len(name) > 900"),
        ("traceback.extract_stack()", "len(name) == 1"),
        ("np.stack(a)", "name.name.startswith('t')"),
        ("self.stack", "name.name == 't'"),
        ("book", "name.name.startswith('te')"),
    ],
)
def test_code_that_names_its_caller_otherwise_does_not(name: str, asked: str) -> None:
    assert asks_for_tests("calc.py", "", CODE.format(name=name, asked=asked)) == []
