"""What a command line or a call shows of a file, and when reading goes round in what was read."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arreio.trajectories import Thresholds
from services.tool_loop.rules.lines_of_command import TO_THE_END, lines_of_command
from services.tool_loop.rules.lines_read import lines_read
from services.tool_loop.rules.loops.trajectory import Judgement, RecordedStep, judge
from services.tool_loop.rules.tool_kinds import changes, polls, probes, searches, speaks
from tests.support.stuck_runs import step

FINE = Judgement()


def judged(steps: list[RecordedStep]) -> Judgement:
    thresholds = Thresholds.of("strong")
    return judge(steps, thresholds.limits, thresholds.caps())


@pytest.mark.parametrize(
    ("command", "first", "last"),
    [
        ("sed -n '5p' a", 5, 5),
        ("sed -n 5,8p a", 5, 8),
        ("sed -n '5,+3p' a", 5, 8),
        ("sed -n '5,$p' a", 5, TO_THE_END),
        ("awk 'NR>=2 && NR<=9' a", 2, 9),
        ("awk 'NR > 2 && NR < 9 {print}' a", 3, 8),
        ("awk 'NR==4' a", 4, 4),
        ("awk 'NR==2,NR==6' a", 2, 6),
        ("awk 'NR<=6' a", 1, 6),
        ("awk 'NR>6' a", 7, TO_THE_END),
        ("head a", 1, 10),
        ("head -n 20 a", 1, 20),
        ("head -20 a | tail -5", 16, 20),
        ("tail -n +7 a", 7, TO_THE_END),
        ("tail -n +7 a | head -3", 7, 9),
        ("tail -4 a", -4, -1),
        ("cat a", 1, TO_THE_END),
        ("cat -n a | sed -n '3,9p'", 3, 9),
        ("nl -ba a | head -4", 1, 4),
        ("bat -r 5:10 a", 5, 10),
        ("bat --line-range=:7 --plain a", 1, 7),
        ("cd /srv && sed -n '1,3p' a 2>/dev/null", 1, 3),
    ],
)
def test_which_lines_a_command_shows(command: str, first: int, last: int) -> None:
    assert lines_of_command(command) == ("a", first, last)


@pytest.mark.parametrize(
    "command",
    [
        "sed -i 's/a/b/' a",
        "sed -n '/main/p' a",
        "awk '{print $1}' a",
        "cat a b",
        "cat a > b",
        "cat <<E\nx\nE",
        "tail -f a",
        "head -c 20 a",
        "cat a | grep x",
        "sed -n 1,5p a; rm a",
        "grep x a",
        "",
    ],
)
def test_what_shows_no_lines_of_one_file(command: str) -> None:
    assert lines_of_command(command) is None


@given(st.text(st.sampled_from("sed -n'1,2p|headtiawk NR=<>&;$\"\n"), max_size=60))
def test_any_command_line_can_be_asked_for_its_lines(command: str) -> None:
    found = lines_of_command(command)
    assert found is None or (found[0] and found[2] >= found[1])


@given(st.integers(1, 400), st.integers(1, 400), st.integers(2, 60))
def test_a_read_covers_no_more_than_it_shows(first: int, count: int, shown: int) -> None:
    text = "\n".join(f"line {number}" for number in range(shown))
    found = lines_read({}, f"sed -n '{first},{first + count - 1}p' a", shown=text)
    assert found is not None and found.last == min(first + count, first + shown) - 1


def test_a_text_that_was_cut_in_the_middle_covers_nothing() -> None:
    for mark in ("<output_head>\na\n</output_head>", "[210 lines omitted]", "… 4,021 characters truncated …"):
        assert lines_read({}, "cat a", shown=f"a\nb\n{mark}\ny\nz") is None
    assert lines_read({}, "cat a", shown="is_truncated = True\nb\nc") is not None


_READERS: tuple[Callable[[int, int], str], ...] = (
    lambda first, last: f"sed -n '{first},{last}p' conf",
    lambda first, last: f"awk 'NR>={first} && NR<={last}' conf",
    lambda first, last: f"head -n {last} conf | tail -n {last - first + 1}",
    lambda first, last: f"bat -r {first}:{last} conf",
    lambda first, last: f"nl -ba conf | sed -n {first},{last}p",
)


def _read(rng: random.Random, size: int) -> RecordedStep:
    first = rng.randint(1, size - 1)
    last = rng.randint(first + 1, size)
    return step(
        "bash", "\n".join(f"k{at} = 1" for at in range(first, last + 1)), command=rng.choice(_READERS)(first, last)
    )


@pytest.mark.parametrize("size", [4, 9, 60])
def test_reading_to_and_fro_in_a_file_of_any_size_is_a_sweep_whatever_reads_it(size: int) -> None:
    for seed in range(10):
        rng = random.Random(seed)
        found = judged([_read(rng, size) for _ in range(40)])
        assert found.step is not None and found.step < 20 and found.halt_step is not None
        work = [step("bash", f"{n}: main", command=f"grep -n main f{n}.c") for n in range(160)]
        looks = [one for at in range(0, 160, 4) for one in (*work[at : at + 4], _read(rng, size))]
        assert judged(looks[:150]) == FINE


def test_one_read_made_again_between_new_work_is_a_look() -> None:
    head = step("bash", "\n".join("abcdefgh"), command="head -20 a.py")
    work = [step("bash", f"{n}: f", command=f"grep -n f{n} a.py") for n in range(14)]
    assert judged([one for new in work for one in (head, new)]) == FINE
    assert judged([one for new in work for one in (head, work[0])]).halt_step is not None


def test_a_comparison_in_quotes_writes_no_file() -> None:
    for looking in (
        "awk 'NR>=3 && NR<=9' a",
        "awk '$3 > 100 {print}' a",
        "grep -c '=> {' a",
        "jq '.[] | select(.n>1)' a",
    ):
        assert not changes("bash", {"command": looking}, looking)
    for writing in ("awk 'NR>3' a > b", "echo 'x' >> a", "bash -c 'echo x > a'", "python -m app 'a' &"):
        assert changes("bash", {"command": writing}, writing)


def test_paging_by_any_reader_is_no_sweep() -> None:
    for reader in _READERS:
        firsts = range(1, 400, 20)
        texts = ["\n".join(f"v{at} = {at}" for at in range(first, first + 20)) for first in firsts]
        pages = [step("bash", text, command=reader(at, at + 19)) for at, text in zip(firsts, texts, strict=True)]
        assert judged(pages) == FINE


def test_the_end_of_what_grows_is_another_each_time() -> None:
    def end(number: int) -> RecordedStep:
        return step("bash", f"row {number}\nrow {number + 1}\nrow {number + 2}", command="tail -3 table.csv")

    assert judged([end(number) for number in range(20)]) == FINE
    assert judged([end(0)] * 20).halt_step is not None


@pytest.mark.parametrize(
    ("arguments", "kinds"),
    [
        ({"action": "get", "key": "A-1"}, "looks"),
        ({"command": "view", "path": "a"}, "looks"),
        ({"operation": "search", "query": "a"}, "looks searches"),
        ({"action": "status", "id": "1"}, "looks polls"),
        ({"action": "wait", "id": "1"}, "polls"),
        ({"action": "set_status", "id": "1"}, "changes"),
        ({"subcommand": "create", "path": "a"}, "changes"),
        ({"method": "POST", "url": "/a"}, "changes"),
        ({"method": "GET", "url": "/a"}, "looks"),
        ({"action": "send_message", "to": "a", "text": "b"}, "speaks"),
        ({"action": "list_messages", "text": "b"}, "looks"),
        ({"tool_name": "get_issue", "arguments": {}}, "looks"),
        ({"action": "take the first one", "id": "1"}, ""),
    ],
)
def test_what_a_tool_does_that_does_several_things_is_told_by_its_sub_command(
    arguments: dict[str, object], kinds: str
) -> None:
    found = {
        "looks": probes("hub", arguments, None),
        "searches": searches("hub", arguments, None),
        "polls": polls("hub", arguments, None),
        "changes": changes("hub", arguments, None),
        "speaks": speaks("hub", arguments),
    }
    assert " ".join(kind for kind, is_so in found.items() if is_so) == kinds
