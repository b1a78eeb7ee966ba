"""Secrets are masked whole wherever they stand, what only looks random is left as it is, and it is done in one pass."""

import base64
import json
import uuid
from hashlib import sha1, sha256

import pytest
from arreio_contracts.events import ToolCall
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.secret_arguments import without_secrets
from shared.sandbox.output import MARGIN, HeadTail
from shared.secrets import MASK, holds_key, mask, masked, secrets_in

BODY = base64.b64encode(bytes(range(256)) * 4).decode()
PEM = "-----BEGIN RSA PRIVATE KEY-----\n" + "\n".join(BODY[at : at + 64] for at in range(0, len(BODY), 64))
TOKENS = [
    "sk-proj-abcDEF1234567890abcdef",
    "sk-ant-api03-" + "aB3_" * 20,
    "sk_live_" + "a1B2" * 6,
    "ghp_" + "a1B2" * 9,
    "github_pat_" + "11AB" * 15,
    "glpat-" + "x1Y2" * 6,
    "xoxb-123456789012-abcdefGHIJKL",
    "AKIAIOSFODNN7EXAMPLE",
    "AIza" + "Sy1" * 11 + "Ab",
    "hf_" + "aB3" * 11,
    "npm_" + "aB3" * 12,
    "nvapi-" + "aB3" * 20,
    "SG." + "aB3" * 7 + "." + "aB3" * 7,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
]
"""Keys of the shapes that their providers give them; none was ever one."""
FRAMES = ["{}", "key={}", 'key: "{}"', "export K={}\n", "[{}]", "curl -H 'X: {}' http://x", "({})", "1| {}"]


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("frame", FRAMES)
def test_a_key_of_a_known_shape_is_masked_whole_wherever_it_stands(token: str, frame: str) -> None:
    assert mask(frame.format(token)) == frame.format(MASK)
    assert holds_key({"a": [frame.format(token)]}) is not token.startswith("eyJ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Authorization: Bearer abc123def456", "Authorization: Bearer ***"),
        ("authorization: Basic dXNlcjpwYXNzMQ==", "authorization: Basic ***"),
        ('{"Authorization": "Bearer abc.123-def_456"}', '{"Authorization": "Bearer ***"}'),
        ("x-api-key: 0123456789abcdef", "x-api-key: ***"),
        ("Bearer abcdefghijklmnop1234567", "Bearer ***"),
        ("postgres://app:s3cr3t-Pw@db:5432/x", "postgres://app:***@db:5432/x"),
        ("https://me:hunter22@example.org/a", "https://me:***@example.org/a"),
        (f"aws_secret_access_key = {'aB3/' * 10}", "aws_secret_access_key = ***"),
    ],
)
def test_what_stands_where_a_secret_stands_is_masked(text: str, expected: str) -> None:
    assert mask(text) == expected


HASHES = [sha1(b"x").hexdigest(), sha256(b"x").hexdigest(), str(uuid.UUID(int=2**100)), BODY]


@pytest.mark.parametrize(
    "text",
    [
        *HASHES,
        f"data:image/png;base64,{BODY}",
        "sk-toggleable__label-arrow sk-estimator-doc-link task-sk-learn",
        "postgres://postgres:postgres@localhost/db",
        "redis://:password@cache:6379",
        "https://user:$TOKEN@example.org/ https://x:${PASSWORD}@y https://a:<password>@b",
        "http://localhost:8080/@scope/package",
        "Authorization: Bearer $TOKEN",
        'headers={"Authorization": f"Bearer {token}"}',
        "the bearer of this letter",
        'if "-----BEGIN PRIVATE KEY-----" in text:',
        "-----BEGIN CERTIFICATE-----\n" + BODY + "\n-----END CERTIFICATE-----",
        "eyJ is how they begin. eyJhbGciOi is half of one.",
        "AKIA is a prefix; ghp_short; xoxb-none",
        "password = input()",
        "index sha512-" + "aB3/" * 21 + "==",
    ],
)
def test_what_is_no_secret_stays_as_it_is(text: str) -> None:
    assert mask(text) == text


@pytest.mark.parametrize("end", ["\n-----END RSA PRIVATE KEY-----\n", "\n", ""])
def test_a_private_key_is_masked_line_by_line_with_its_end_or_without(end: str) -> None:
    shown = mask(f"before\n{PEM}{end}\nafter!")
    assert not any(line in shown for line in PEM.splitlines()[1:])
    assert shown.startswith("before\n***") and shown.endswith("after!" if "END" in end else "!")
    assert shown.count("\n") == f"before\n{PEM}{end}\nafter!".count("\n")
    numbered = "\n".join(f"{number}| {line}" for number, line in enumerate(f"{PEM}{end}".splitlines(), 1))
    assert BODY[:64] not in mask(numbered) and BODY[-64:] not in mask(numbered)
    assert BODY[:64] not in mask(json.dumps({"private_key": PEM + end}))


@pytest.mark.parametrize("code", ["\x1b[0m", "\x1b[38;5;196m", "\x1b]8;;http://x\x1b\\", "\x1b(B", "\x1b[K"])
@pytest.mark.parametrize("token", TOKENS)
def test_a_key_that_a_terminals_code_cuts_is_masked_with_the_code(token: str, code: str) -> None:
    for at in range(1, len(token)):
        said = mask(f"the key {token[:at]}{code}{token[at:]} is {code}here{code}")
        assert said == f"the key {MASK} is {code}here{code}"


def test_values_of_secret_variables_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEPLOY_TOKEN", "correct horse battery")
    monkeypatch.setenv("GITHUB_PAT", "plain-looking")
    monkeypatch.setenv("SIGNING_KEY", "first line of it\nsecond line of the key")
    monkeypatch.setenv("SHORT_KEY", "abc")
    text = "abc: correct horse battery, plain-looking, second line of the key"
    assert mask(text) == "abc: ***, ***, ***"


@given(st.lists(st.sampled_from([*TOKENS, PEM]) | st.text(max_size=30), max_size=8), st.sampled_from(" \n,;\"'"))
def test_no_key_ever_gets_through_and_masking_again_changes_nothing(parts: list[str], between: str) -> None:
    text = between.join(parts)
    shown = mask(text)
    for token in TOKENS:
        if any(part == token for part in parts):
            assert f"{between}{token}{between}" not in f"{between}{shown}{between}"
    assert PEM not in shown
    assert mask(shown) == shown


@given(st.sampled_from(TOKENS), st.integers(0, 200), st.integers(0, 200), st.integers(2, 160), st.integers(1, 64))
def test_a_key_that_the_cut_of_an_output_goes_through_is_masked_too(
    token: str, before: int, after: int, limit: int, chunk: int
) -> None:
    raw = f"{'.' * before} {token} {'.' * after}".encode()
    kept = HeadTail(limit)
    for at in range(0, len(raw), chunk):
        kept.feed(raw[at : at + chunk])
    shown = kept.text()
    pieces = {token[at : at + 7] for at in range(4, len(token) - 6)}
    assert not any(piece in shown for piece in pieces)


@given(st.integers(0, 40), st.integers(0, 40))
def test_a_key_at_the_border_of_what_is_dropped_is_masked_however_much_is_dropped(left: int, right: int) -> None:
    token = TOKENS[0]
    limit = 100
    text = "." * (limit // 2 - left) + f" {token} " + "." * (4 * MARGIN) + f" {token} " + "." * (limit // 2 - right)
    kept = HeadTail(limit)
    kept.feed(text.encode())
    assert not any(token[at : at + 7] in kept.text() for at in range(4, len(token) - 6))


@given(st.text(alphabet="ab\n", max_size=20), st.integers(0, 20), st.integers(0, 20))
def test_a_part_of_a_text_without_secrets_is_itself(text: str, begin: int, length: int) -> None:
    end = min(len(text), begin + length)
    assert masked(text, secrets_in(text), min(begin, end), end) == text[min(begin, end) : end]


def test_a_call_that_holds_a_key_is_recorded_without_it_and_not_executed() -> None:
    call = ToolCall(id="c", name="write_file", arguments={"path": ".env", "content": f"KEY={TOKENS[0]}\n"})
    stored = without_secrets(call)
    assert stored.arguments == {"path": ".env", "content": "KEY=***\n"} and stored.problem is not None
    signal = without_secrets(ToolCall(id="c", name="task_complete", arguments={"reply": f"It is {TOKENS[0]}."}))
    assert (signal.arguments, signal.problem) == ({"reply": "It is ***."}, None)
    plain = ToolCall(id="c", name="write_file", arguments={"path": "a", "content": "postgres://a:s3cret99@db"})
    assert without_secrets(plain) is plain
