"""What a person may get wrong with `arreio context show`: one clear line each; nothing hangs or is passed over."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arreio.__main__ import main
from services.context_builder.tokenizers import Approximate, UnknownTokenizer, tokenizer


@pytest.fixture(autouse=True)
def no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data directory on which nothing runs."""
    monkeypatch.setenv("ARREIO_HOME", str(tmp_path / "home"))


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 1
    line = capsys.readouterr().err
    assert line.count("\n") == 1 and "unexpected" not in line
    return line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--tokenizer", "approx:1e308"], "between 0.01 and 100"),
        (["--tokenizer", "approx:1e-308"], "between 0.01 and 100"),
        (["--tokenizer", "approx:nan"], "between 0.01 and 100"),
        (["--tokenizer", "approx:" + "9" * 5_000], "between 0.01 and 100"),
        (["--budget", "identity=" + "9" * 400], "more than 9 digits"),
        (["--budget", "identity=" + "9" * 5_000], "more than 9 digits"),
        (["--session", "s", "--at", str(1 << 63)], "--at"),
        (["--session", "s", "--budget", "identity=1"], "--budget does not go with --session"),
        (["--session", "s", "--agent", "developer"], "--agent does not go with --session"),
        (["--session", "s", "--touched", "a"], "--touched does not go with --session"),
        (["--session", "s", "-w", "."], "--workspace does not go with --session"),
        (["--touched", "../elsewhere"], "it is not in"),
        (["--touched", "/etc/passwd"], "it is not in"),
        (["--touched", "a/../../b"], "it is not in"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    tmp_path: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place = [] if "--session" in arguments else ["-w", str(tmp_path)]
    assert said in refused(capsys, "context", "show", *place, *arguments)


@pytest.mark.parametrize("value", ["approx:0", "approx:1000", "words"])
def test_a_tokenizer_of_the_environment_that_cannot_be_used_is_refused(
    tmp_path: Path, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ARREIO_TOKENIZER", value)
    refused(capsys, "context", "show", "-w", str(tmp_path))


@pytest.mark.parametrize("command", [["context", "show"], ["run", "--model", "x/y", "hello"]])
def test_a_current_directory_that_is_gone_is_said(
    tmp_path: Path, command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert "the current directory" in refused(capsys, *command)


def unit(**fields: object) -> str:
    return json.dumps({"task_state": {"units": [{"id": "a", "text": "b", "order": 0, **fields}]}})


DEEP = '{"task_state": {"units": [{"id": "a", "text": "b", "order": ' + "[" * 900 + "]" * 900 + "}]}}"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (unit(weight=3), "task_state.units[0].weight: no such field"),
        (unit(id=3), "task_state.units[0].id: expected a text"),
        ('{"identity": {"blob": "a"}, "identity": {"blob": "b"}}', "'identity' is given twice"),
        ('{"identity": {"blob": "a", "other": 1}}', "identity: expected"),
        (DEEP, "lists in lists"),
    ],
)
def test_layers_that_cannot_be_meant_are_refused(
    tmp_path: Path, content: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "layers.json").write_text(content)
    assert said in refused(capsys, "context", "show", "-w", str(tmp_path), "--layers", str(tmp_path / "layers.json"))


def test_a_pipe_that_nobody_writes_to_does_not_hold_the_command_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "nothing came" in refused(capsys, "context", "show", "-w", str(tmp_path), "--layers", str(tmp_path / "pipe"))


def test_a_pipe_is_read_to_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reader, writer = os.pipe()
    os.write(writer, b'{"identity": {"blob": "from a pipe"}}')
    os.close(writer)
    assert main(["context", "show", "-w", str(tmp_path), "--layers", f"/dev/fd/{reader}", "--json"]) == 0
    os.close(reader)
    assert "from a pipe" in json.loads(capsys.readouterr().out)["prompt"]


@pytest.mark.parametrize("path", ["a/x.txt", "./a/x.txt", "b/../a/x.txt", "{workspace}/a/x.txt"])
def test_a_touched_path_is_one_of_the_workspace_however_it_is_written(
    tmp_path: Path, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "AGENTS.md").write_text(f"rules of {folder}")
    touched = path.format(workspace=tmp_path)
    assert main(["context", "show", "-w", str(tmp_path), "--touched", touched, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["layers"][1]["kept"] == ["a/AGENTS.md"]


def test_a_touched_directory_counts_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in (".", "a", "b"):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "AGENTS.md").write_text(f"rules of {folder}")
    for touched, kept in (("a", ["AGENTS.md", "a/AGENTS.md"]), (".", ["AGENTS.md"]), ("c/x", ["AGENTS.md"])):
        assert main(["context", "show", "-w", str(tmp_path), "--touched", touched, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["layers"][1]["kept"] == kept


@pytest.mark.parametrize("command", [["context", "show"], ["instructions", "set", "developer", "x"], ["run", "x"]])
def test_an_empty_workspace_is_not_the_current_folder(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "--workspace is empty" in refused(capsys, *command, "--workspace", "")


def test_a_folder_whose_path_is_no_text_has_no_instructions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = tmp_path / "by\udcffte"
    odd.mkdir()
    assert "is not UTF-8" in refused(capsys, "instructions", "set", "developer", "x", "-w", str(odd))


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("ARREIO_DATABASE_URL", "postgresql://[::1/x"),
        ("ARREIO_DATABASE_URL", "postgresql://a:b@h/x?nonsense=1"),
        ("ARREIO_NATS_URL", "nats://h:port"),
        ("ARREIO_NATS_URL", "nats://"),
        ("ARREIO_NATS_URL", "nats://[::1"),
    ],
)
def test_a_url_that_is_none_is_one_line_that_names_its_variable(
    name: str, url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ARREIO_DATABASE_URL", "postgresql://a:b@127.0.0.1:1/x")
    monkeypatch.setenv("ARREIO_NATS_URL", "nats://127.0.0.1:1")
    monkeypatch.setenv(name, url)
    line = refused(capsys, "tasks", "list")
    assert f"{name}: give a URL such as" in line


@pytest.mark.parametrize("order", ["NaN", "true", "[1, NaN]", "[false]"])
def test_an_order_that_orders_nothing_is_refused(
    tmp_path: Path, order: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "layers.json").write_text(
        f'{{"identity": {{"units": [{{"id": "a", "text": "x", "order": {order}}}]}}}}'
    )
    line = refused(capsys, "context", "show", "-w", str(tmp_path), "--layers", str(tmp_path / "layers.json"))
    assert ".order: expected a number" in line


def test_two_units_of_one_id_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    units = [{"id": "a", "text": text, "order": 1} for text in ("x", "y")]
    (tmp_path / "layers.json").write_text(json.dumps({"identity": {"units": units}}))
    line = refused(capsys, "context", "show", "-w", str(tmp_path), "--layers", str(tmp_path / "layers.json"))
    assert "the id 'a' is given twice" in line


def test_what_does_not_fit_says_where_to_raise_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "layers.json").write_text(unit(pinned=True, text="x" * 99))
    options = ["--layers", str(tmp_path / "layers.json"), "--budget", "task_state=1"]
    line = refused(capsys, "context", "show", "-w", str(tmp_path), *options)
    assert "layer_budgets.task_state" in line and "--budget task_state=N" in line


@pytest.mark.parametrize("command", [["tasks", "list"], ["instructions", "show"], ["events", "show", "s"]])
def test_a_database_that_does_not_answer_is_one_line(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ARREIO_DATABASE_URL", "postgresql://a:b@127.0.0.1:1/x")
    monkeypatch.setenv("ARREIO_NATS_URL", "nats://127.0.0.1:1")
    assert "PostgreSQL cannot be reached" in refused(capsys, *command)


def test_a_message_bus_that_does_not_answer_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ARREIO_DATABASE_URL", "postgresql://a:b@127.0.0.1:1/x")
    monkeypatch.setenv("ARREIO_NATS_URL", "nats://127.0.0.1:1")
    assert "NATS cannot be reached" in refused(capsys, "instructions", "set", "developer", "Be brief.")


@given(st.floats(), st.text(max_size=30), st.integers(0, 10**30))
def test_an_estimate_never_raises(factor: float, text: str, budget: int) -> None:
    try:
        counter = Approximate(factor)
    except UnknownTokenizer:
        return
    assert counter.count(text).tokens >= 0 and counter.room(budget) >= 0


@pytest.mark.parametrize("name", ["tiktoken:cl100k_base", "tiktoken:o200k_base"])
def test_blank_runs_just_short_of_absurd_are_counted_in_time(name: str) -> None:
    # Looked for from every place in a run, its end took minutes to find.
    assert tokenizer(name).count((" " * 199_999 + "a") * 5).tokens > 0
