"""What a call is, and what a result says: digits of arguments are identity, volatile parts of results are nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.rules.error_class import error_class, failing_tests, symptom
from services.tool_loop.rules.fingerprint import fingerprint, shell_text
from services.tool_loop.rules.loops.observation import digested
from services.tool_loop.rules.normalising import normalise

_WORDS = st.sampled_from([
    "12:01:02", "2026-08-03T10:01:11Z", "pid 4117", "took", "1.1s", "/tmp/ab12/x", "0x7fff12ab", "line 12", "attempt 3",
    ":", "Aug 3", "10:01:02", "[4117]:", "deadbeefcafe12", "request id: a1b2", "5432", "503", "\n",
    "\t", "retry 3 of 9",
])  # fmt: skip
_TEXTS = st.lists(_WORDS | st.text(max_size=8), max_size=30).map(" ".join)
_ARGUMENTS = st.dictionaries(
    st.sampled_from(["path", "command", "query", "n", "edits", "text"]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=12),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    ),
)


@given(_TEXTS)
def test_normalising_twice_is_normalising_once(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2026-08-03T10:01:11Z failed", "2026-08-03T10:05:15.123+02:00 failed"),
        ("[10:01:11] pid 4117 gone", "[10:02:12] pid 4217 gone"),
        ("took 1.1s, attempt 1", "took 22.25s, attempt 2"),
        ("12 passed in 0.12s", "12 passed in 3.4 seconds"),
        ("server[411]: refused", "server[5120]: refused"),
        ("no such file /tmp/build-a1b2/x.o", "no such file /tmp/build-ff00/x.o"),
        ("<Obj object at 0x7f1234abcd>", "<Obj object at 0x7f9999abcd>"),
        ("request id: 8f-2, denied", "request id: 77a1, denied"),
        ("trace 550e8400-e29b-41d4-a716-446655440000", "trace 123e4567-e89b-12d3-a456-426614174000"),
        ("Aug  3 10:01:11 host sshd: no", "Aug 12 11:01:11 host sshd: no"),
        ("a  b\r\n\n c", "a b\nc"),
        ("speed 812 kB/s", "speed 3.1 MB/s"),
    ],
)
def test_what_differs_each_time_is_masked(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("connect ECONNREFUSED 127.0.0.1:5432", "connect ETIMEDOUT 127.0.0.1:5432"),
        ("connect ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED 127.0.0.1:5433"),
        ("HTTP 500", "HTTP 503"),
        ("3 failed", "2 failed"),
        ("… 24% compiled", "… 37% compiled"),
        ("exit status 1", "exit status 2"),
        ("HEAD is now at 3f2a1b9", "HEAD is now at 77aa1b9"),
    ],
)
def test_what_tells_one_outcome_from_another_stays(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)
    assert error_class(normalise(one)) != error_class(normalise(other)) or "%" in one or "HEAD" in one


@given(_ARGUMENTS, st.integers(0, 10**6), st.integers(0, 10**6))
def test_digits_of_arguments_are_identity(arguments: dict[str, object], one: int, other: int) -> None:
    same = fingerprint("solve", {**arguments, "id": f"W{one}"}) == fingerprint(
        "solve", {**arguments, "id": f"W{other}"}
    )
    assert same == (one == other)


@given(_ARGUMENTS)
def test_the_order_of_arguments_is_no_identity(arguments: dict[str, object]) -> None:
    turned = dict(reversed(arguments.items()))
    assert fingerprint("tool", arguments) == fingerprint("tool", turned)


@pytest.mark.parametrize(
    ("tool", "one", "other"),
    [
        ("bash", {"command": "pytest   -q  && ls"}, {"command": "pytest -q && ls ;"}),
        ("bash", {"command": "make # once more"}, {"command": "make"}),
        ("bash", {"command": "make", "description": "Build it"}, {"command": "make", "description": "Build again"}),
        ("read_file", {"path": "/w/src/a.py"}, {"path": "./src/a.py"}),
        ("bash", {"command": "cd /w && pytest"}, {"command": "pytest"}),
        ("write", {"path": "caf\u00e9.txt"}, {"path": "cafe\u0301.txt"}),
        ("send", {"to": "p", "text": "Please look"}, {"to": "p", "text": "Could you look?"}),
    ],
)
def test_the_same_call_in_other_words_is_the_same(tool: str, one: dict[str, str], other: dict[str, str]) -> None:
    assert fingerprint(tool, one, "/w") == fingerprint(tool, other, "/w")


@pytest.mark.parametrize(
    ("tool", "one", "other"),
    [
        ("bash", {"command": "echo 'a  b'"}, {"command": "echo 'a b'"}),
        ("bash", {"command": 'grep "# x" f'}, {"command": 'grep "# y" f'}),
        ("bash", {"command": "python <<E\nif 1:\n  a\nE"}, {"command": "python <<E\nif 1:\n a\nE"}),
        ("bash", {"command": "echo a#b"}, {"command": "echo a#c"}),
        ("send", {"to": "p", "text": "x"}, {"to": "q", "text": "x"}),
        ("note", {"description": "x"}, {"description": "y"}),
        ("think", {"thought": "x"}, {"thought": "y"}),
        ("read_file", {"path": "a", "offset": 0}, {"path": "a", "offset": 200}),
        ("read_file", {"path": "a"}, {"path": "A"}),
    ],
)
def test_another_call_is_another(tool: str, one: dict[str, object], other: dict[str, object]) -> None:
    assert fingerprint(tool, one) != fingerprint(tool, other)


@given(
    st.lists(
        st.sampled_from(
            ["sudo ", "A=1 ", "cd /w", " && ", "; ", "|", "'", '"', "\\", "#", "\n", "<<E", "timeout 5 ", "ls"]
        )
    )
    .map("".join)
    .flatmap(lambda text: st.text(max_size=20).map(lambda more: text + more)),
    st.text(max_size=20),
)
def test_any_shell_text_is_normalised_to_itself_again(command: str, cwd: str) -> None:
    once = shell_text(command)
    assert shell_text(once) == once
    assert fingerprint("bash", {"command": command}, cwd)
    assert digested("bash", {"command": command}, "", failed=True).call


@given(st.text(max_size=20), _ARGUMENTS, st.text(max_size=80), st.booleans())
def test_any_call_can_be_digested(tool: str, arguments: dict[str, object], result: str, failed: bool) -> None:
    seen = digested(tool, arguments, result, failed=failed)
    assert (seen.error is None) == (not failed)


def test_arguments_that_no_json_holds_are_a_call_all_the_same() -> None:
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    assert digested("t", {"a": deep}, "", failed=True).call != digested("u", {"a": deep}, "", failed=True).call
    assert fingerprint("t", {"a": float("nan")})


def test_an_error_class_leaves_out_what_the_call_itself_named() -> None:
    def failing(flight: str, date: str) -> str | None:
        error = f"Error: flight {flight} not available on date {date}"
        return digested("book", {"flight": flight, "date": date}, error, failed=True).error

    assert failing("HAT030", "2024-05-13") == failing("HAT223", "2024-05-14")


def test_signs_of_failure_are_read_from_the_result() -> None:
    assert failing_tests("1 failed, 3 passed\n… 2 failed, 9 passed in 1s") == 2
    assert failing_tests("9 passed") is None
    assert symptom("all is well") is None
    assert symptom("Traceback\n  x\nValueError: bad") == "ValueError: bad"


@pytest.mark.parametrize(
    ("command", "changing"),
    [
        ("cat <<'EOF' > a.py\nx > y\nEOF", True),
        ("cat > a.py << EOF\nx\nEOF", True),
        ("sed -i 's/a/b/' x.py && pytest -q", True),
        ("python - <<'E'\nprint(1)\nE", True),
        ("pip install -e .", True),
        ("git checkout -- a.py", True),
        ("nohup ./server &", True),
        ("pytest -q 2>&1 | tail -5", False),
        ("pytest -q > /dev/null 2>&1", False),
        ("cd /app && git diff", False),
        ("grep -rn 'a -> b' src", False),
        ("python repro.py", False),
    ],
)
def test_a_command_line_tells_whether_it_is_likely_to_change_something(command: str, changing: bool) -> None:
    assert digested("bash", {"command": command}, "", failed=False).changed is changing
    assert not digested("bash", {"command": command}, "", failed=True).changed
