"""Whether code says itself where a file of the tests lies, or is handed it."""

import pytest

from services.gate_runner.judging_twice import added_lines, reaches

GOLDEN = "tests/golden/discount.txt"


@pytest.mark.parametrize(
    "added",
    [
        "(HERE / 'tests' / 'golden' / 'discount.txt').write_text(text)",
        "open('tests/golden/discount.txt', 'w').write(text)",
        'os.path.join(d, "tests", "golden", f"{name}.txt")',
        "path.join(__dirname, 'tests', 'golden', `${name}.txt`)",
        "for file in ROOT.rglob('*.txt'):\n    file.write_text(text)",
        "for file in glob('**/golden/*'):\n    open(file, 'w')",
    ],
)
def test_code_that_says_where_a_golden_file_lies_reaches_for_it(added: str) -> None:
    assert reaches("shop.py", added, GOLDEN)


@pytest.mark.parametrize(
    "added",
    [
        "def save(path, value):\n    path.write_text(value)",
        "CACHE = 'golden.json'",
        "raise ValueError('the tests say otherwise')",
        "for line in text.splitlines():\n    print('discount', line)",
    ],
)
def test_code_that_does_not_is_handed_it(added: str) -> None:
    assert not reaches("shop.py", added, GOLDEN)


def test_the_folder_of_the_code_itself_says_nothing_of_a_file_beside_it() -> None:
    assert not reaches("src/shop/save.py", "PARTS = 'src', 'shop'", "src/shop/data/list.json")
    assert reaches("src/shop/save.py", "HERE / 'data' / name", "src/shop/data/list.json")


def test_only_lines_that_were_not_there_as_often_are_new() -> None:
    assert added_lines("a\nb\n", "b\na\na\nc\n") == "a\nc"
