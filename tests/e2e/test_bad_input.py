"""What a person can get wrong: one line on standard error that says what and the way out, and exit status 1."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from arreio.__main__ import main
from tests.support.house import House, last_json
from tests.support.programs import call, processes_of, until
from tests.support.scripted_server import ScriptedServer

MODEL = ("--model", "openai/scripted", "--api-base", "http://127.0.0.1:9/v1")

WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "no such workspace": (
        ("-w", "nowhere", *MODEL, "goal"),
        "arreio: there is no workspace nowhere; name an existing folder with -w",
    ),
    "a workspace that is a file": (
        ("-w", "list.yaml", *MODEL, "goal"),
        "arreio: the workspace list.yaml is not a folder; name an existing folder with -w",
    ),
    "no contract file": (
        ("--contract", "nothing.yaml", *MODEL),
        "arreio: nothing.yaml cannot be read: No such file or directory; name a readable file",
    ),
    "a contract that is a folder": (
        ("--contract", ".", *MODEL),
        "arreio: . cannot be read: Is a directory; name a readable file",
    ),
    "a contract that is not YAML": (
        ("--contract", "broken.yaml", *MODEL),
        "arreio: broken.yaml is not YAML: ",
    ),
    "a contract that is no mapping": (
        ("--contract", "list.yaml", *MODEL),
        "arreio: list.yaml holds no task contract; write a mapping with a goal and criteria",
    ),
    "a contract with a field too many": (
        ("--contract", "unknown.yaml", *MODEL),
        "arreio: colour: Extra inputs are not permitted; correct the contract",
    ),
    "a contract with a budget that is no number": (
        ("--contract", "budget.yaml", *MODEL),
        "arreio: budgets.max_steps: Input should be a valid integer",
    ),
    "a budget without an end": (
        ("--max-seconds", "inf", *MODEL, "goal"),
        "arreio: budgets.max_wall_clock: Input should be a finite number",
    ),
    "a criterion of no kind": (
        ("-c", "pytest -q", *MODEL, "goal"),
        "arreio: 'pytest -q' is not 'KIND: SPEC' with one of command, tests, file_exists, ",
    ),
    "a criterion that leads outside": (
        ("-c", "file_exists: ../secret", *MODEL, "goal"),
        "arreio: 'file_exists: ../secret': the path must be relative and stay in the workspace; it is written as "
        "'file_exists: PATH'; correct the criterion",
    ),
    "a criterion without its specification": (
        ("-c", "command:", *MODEL, "goal"),
        "arreio: 'command:': String should have at least 1 character; it is written as 'command: make build'; correct",
    ),
    "an answer with a text to compare": (
        ("-c", "answer: 42", *MODEL, "goal"),
        "arreio: 'answer: 42': an answer is not compared with anything; it is written as 'answer:'; correct",
    ),
    "a criterion whose expression cannot be read": (
        ("-c", "file_contains: a.txt :: [", *MODEL, "goal"),
        "arreio: 'file_contains: a.txt :: [': ",
    ),
    "no goal": (MODEL, "arreio: there is no goal; say what is to be done: arreio run 'GOAL'"),
    "a blank goal": ((*MODEL, "  "), "arreio: contract: the goal is blank; correct the contract"),
    "no model": (("goal",), "arreio: no model was named; give --model or set ARREIO_MODEL"),
    "a model of this machine that is not there": (
        ("--model", "local/genius", "goal"),
        "arreio: there is no local model 'genius'; local/smollm2-135m or local/FILE.gguf",
    ),
    "a model's file that is not there": (
        ("--model", "local/genius.gguf", "goal"),
        "arreio: the model file ",
    ),
    "a capability profile that is not there": (
        (*MODEL, "--capability", "genius", "goal"),
        "arreio: there is no capability profile 'genius'; the profiles are strong, ",
    ),
    "an unknown option": (("--colour", "goal"), "arreio: No such option: --colour"),
    "an option without its value": (("goal", "--model"), "arreio: Option '--model' requires an argument"),
    "a number that is none": (("--max-steps", "many", "goal"), "arreio: Invalid value for '--max-steps'"),
    "a number that is too small": (("--max-steps", "0", "goal"), "arreio: Invalid value for '--max-steps'"),
    "two goals": (("one", "two"), "arreio: Got unexpected extra argument"),
}


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with contract files that cannot be used."""
    place = tmp_path / "here"
    place.mkdir()
    (place / "broken.yaml").write_text("goal: [\n")
    (place / "list.yaml").write_text("- goal\n")
    (place / "unknown.yaml").write_text("goal: g\ncolour: red\n")
    (place / "budget.yaml").write_text("goal: g\nbudgets: {max_steps: many}\n")
    return place


@pytest.mark.parametrize("case", WRONG)
def test_misuse_of_run_is_one_line_with_the_way_out_and_starts_nothing(
    case: str, tmp_path: Path, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, line = WRONG[case]
    monkeypatch.chdir(here)
    monkeypatch.setenv("ARREIO_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("ARREIO_MODEL", raising=False)
    assert main(["run", *arguments]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith(line)
    assert "; " in said.err
    assert not (tmp_path / "data").exists()


def test_misuse_is_exit_status_1_of_the_process_too(tmp_path: Path) -> None:
    done = call(["run", "--colour", "goal"], tmp_path / "data", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "arreio: No such option: --colour; see `arreio run --help`\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("frobnicate",), "arreio: No such command 'frobnicate'"),
        (("serve", "kitchen"), "arreio: there is no service 'kitchen'; the services are gateway, context_builder, "),
        (("serve", "gateway"), "arreio: no engine is up on "),
        (("up", "--only", "kitchen"), "arreio: there is no service 'kitchen'; the services are gateway, "),
        (("replay",), "arreio: no session was named; give one or more, --since TIME or --all"),
        (("send", "hello"), "arreio: Missing option '--channel'"),
    ],
)
def test_misuse_of_other_commands_is_one_line_too(tmp_path: Path, arguments: tuple[str, ...], line: str) -> None:
    done = call(arguments, tmp_path / "data", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("answer", "t_none", "yes"), "arreio: there is no task t_none; see 'arreio tasks list'\n"),
        (("tasks", "show", "t_none"), "arreio: there is no task t_none; see 'arreio tasks list'\n"),
        (("tasks", "cancel", "t_none"), "arreio: there is no task t_none; see 'arreio tasks list'\n"),
        (("events", "show", "s_none"), "arreio: there is no session s_none; see 'arreio tasks list'\n"),
        (("replay", "s_none"), "arreio: there is no session s_none; see 'arreio tasks list'\n"),
        (
            ("send", "hello", "--channel", "a.b", "--conversation", "c", "--message-id", "m"),
            "arreio: channel: 'a.b' is not 1 to 128 of A-Z a-z 0-9 _ -",
        ),
    ],
)
def test_names_that_do_not_exist_are_one_line_too(house: House, arguments: tuple[str, ...], line: str) -> None:
    done = house.arreio(*arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1


def test_a_second_up_on_the_same_data_directory_says_who_holds_it(house: House) -> None:
    done = house.arreio("up")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert str(house.place) in done.stderr
    assert "pid " in done.stderr


def test_an_engine_port_that_is_taken_is_named(tmp_path: Path, workspace: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for arguments in (("up",), ("run", "-w", str(workspace), *MODEL, "goal")):
            done = call(arguments, tmp_path / "data", {"ARREIO_NATS_PORT": port})
            assert done.returncode == 1
            assert done.stderr.startswith(f"arreio: port {port} ")
            assert "; " in done.stderr
            assert done.stderr.count("\n") == 1
    until(lambda: not processes_of(tmp_path / "data"), what="the end of the background process")


@pytest.mark.parametrize("arguments", [("up",), ("run", *MODEL, "goal"), ("provision",)])
def test_a_file_in_the_place_of_the_data_directory_is_named(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    place = tmp_path / "data"
    place.write_text("")
    work = tmp_path / "work"
    work.mkdir()
    done = call(arguments, place, cwd=work)
    assert done.returncode == 1
    assert done.stderr.startswith(f"arreio: {place} is not a directory; ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("inside", [".", "data", "data/logs"])
def test_a_workspace_that_holds_the_data_directory_or_lies_in_it_is_refused(tmp_path: Path, inside: str) -> None:
    (tmp_path / "data" / "logs").mkdir(parents=True)
    done = call(["run", *MODEL, "-w", str(tmp_path / inside), "goal"], tmp_path / "data")
    assert done.returncode == 1
    assert "lie one in the other; work in another folder" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_data_directory_that_cannot_be_written_is_named() -> None:
    place = Path("/proc/arreio-data") if os.geteuid() == 0 else Path("/arreio-data")
    done = call(["run", *MODEL, "goal"], place)
    assert done.returncode == 1
    assert done.stderr.startswith(f"arreio: cannot use {place}: ")
    assert done.stderr.count("\n") == 1


def test_broken_credentials_are_named(tmp_path: Path) -> None:
    place = tmp_path / "data"
    place.mkdir()
    (place / "credentials.json").write_text("{")
    work = tmp_path / "work"
    work.mkdir()
    done = call(["run", *MODEL, "goal"], place, cwd=work)
    assert done.returncode == 1
    assert done.stderr.startswith(f"arreio: the credentials file {place / 'credentials.json'} is broken; move it away")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("variable", "value", "line"),
    [
        ("ARREIO_LEASE_TTL", "soon", "arreio: ARREIO_LEASE_TTL: "),
        ("ARREIO_LEASE_TTLS", "5", "arreio: ARREIO_LEASE_TTLS is not a setting; did you mean ARREIO_LEASE_TTL?"),
        ("ARREIO_NATS_URL", "nats://localhost", "arreio: ARREIO_DATABASE_URL is not set: set "),
    ],
)
def test_a_wrong_variable_is_named(tmp_path: Path, variable: str, value: str, line: str) -> None:
    done = call(["run", *MODEL, "goal"], tmp_path / "data", {variable: value}, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith(line)


@pytest.mark.parametrize("command", ["run", "up"])
def test_a_file_of_capability_profiles_that_cannot_be_used_is_named_at_once(tmp_path: Path, command: str) -> None:
    (tmp_path / "profiles.yaml").write_text("profiles: {house: {extends: nobody}}")
    work = tmp_path / "work"
    work.mkdir()
    arguments = ["run", *MODEL, "goal"] if command == "run" else ["up"]
    done = call(arguments, tmp_path / "data", {"ARREIO_CAPABILITIES": "../profiles.yaml"}, cwd=work)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "profile 'house' extends 'nobody', which does not lead to a profile" in done.stderr
    assert str(tmp_path / "profiles.yaml") in done.stderr


def test_a_model_that_the_endpoint_does_not_know_ends_the_task_blocked(house: House, workspace: Path) -> None:
    gone = {"status": 404, "error": "The model `scripted` does not exist"}
    with ScriptedServer([gone], cycle=True) as server:
        named = ("--model", "openai/scripted", "--api-base", server.url)
        done = house.arreio("run", "-w", str(workspace), "-c", "file_exists: a", *named, "--json", "goal")
    outcome = last_json(done.stdout)
    assert (done.returncode, outcome["state"], outcome["reason"]["code"]) == (2, "BLOCKED", "unknown_model")
    assert "does not exist" in outcome["reason"]["text"]
    assert done.stderr == ""


def test_a_model_of_no_provider_ends_the_task_blocked_with_the_way_out(house: House, workspace: Path) -> None:
    done = house.arreio("run", "-w", str(workspace), "--model", "no-such-model", "goal")
    assert done.returncode == 2
    assert "unknown_model" in done.stdout
    assert "--api-base" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_a_key_that_the_services_lack_ends_the_task_blocked_and_names_the_variable(
    house: House, workspace: Path
) -> None:
    done = house.arreio("run", "-w", str(workspace), "--model", "openai/gpt-4o-mini", "--json", "goal")
    outcome = last_json(done.stdout)
    assert (done.returncode, outcome["reason"]["code"]) == (2, "provider_auth")
    assert "OPENAI_API_KEY" in outcome["reason"]["text"]


def test_a_criterion_that_nothing_can_satisfy_ends_the_task_before_it_starts(house: House, workspace: Path) -> None:
    criterion = "contract: a.json :: /nowhere/b.json"
    done = house.arreio("run", "-w", str(workspace), *MODEL, "-c", criterion, "--json", "goal")
    outcome = last_json(done.stdout)
    assert (done.returncode, outcome["reason"]["code"], outcome["steps"]) == (2, "unsatisfiable_gate", 0)
