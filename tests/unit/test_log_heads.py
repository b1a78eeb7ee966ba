"""A line that a program logs again is the same line, whatever process logged it; what it says stays."""

from collections.abc import Callable

import pytest

from arreio.trajectories import Thresholds
from services.tool_loop.rules.loops.trajectory import Judgement, RecordedStep, judge
from services.tool_loop.rules.normalising import normalise
from tests.support.stuck_runs import step

AGAIN: tuple[tuple[str, Callable[[int], str]], ...] = (
    ("node", lambda n: f"(node:{2200 + n * 7}) UnhandledPromiseRejectionWarning: Error: connect ECONNREFUSED ::1:5432"),
    ("valgrind", lambda n: f"=={2200 + n * 7}== Invalid read of size 4"),
    ("postgres", lambda n: f"2024-05-01 10:{n:02}:00.123 UTC [{20 + n}] FATAL:  data directory has wrong ownership"),
    ("postgres, more lines", lambda n: f"2024-05-01 10:{n:02}:00 UTC [{n}] LOG:  shutting down\n[{90 + n}] ERROR gone"),
    ("gunicorn", lambda n: f"[2024-05-01 10:{n:02}:00 +0000] [{2200 + n * 7}] [ERROR] Connection in use"),
    ("logger of ruby", lambda n: f"E, [2024-05-01T10:{n:02}:00.123456 #{2200 + n * 7}] ERROR -- : no config"),
    ("logcat", lambda n: f"05-01 10:{n:02}:00.123  {1200 + n}  {1300 + n} E App: no config"),
    ("glog", lambda n: f"E0501 10:{n:02}:00.123456 {4000 + n * 7} main.cc:44] cannot open device"),
    ("klog", lambda n: f"E0501 10:{n:02}:00.123456       {n + 1} main.go:44] cannot open device"),
    (
        "nginx",
        lambda n: (
            f"2024/05/01 10:{n:02}:00 [emerg] {2200 + n}#{2200 + n}: *{n + 4} bind() to 0.0.0.0:80 failed (98: in use)"
        ),
    ),
    (
        "apache",
        lambda n: (
            f"[Wed May 01 10:{n:02}:00.{n + 100000} 2024] [core:emerg] "
            f"[pid {2200 + n}:tid 140{n + 100000}] AH00072: used"
        ),
    ),
    ("redis", lambda n: f"{2200 + n * 7}:M 01 May 2024 10:{n:02}:00.{n + 100} # Could not create server TCP socket"),
    ("puma", lambda n: f"[{2200 + n * 7}] ! Unable to load application: LoadError: cannot load such file -- sinatra"),
    ("spring", lambda n: f"2024-05-01 10:{n:02}:00.1  ERROR {2200 + n} --- [nio-8080-exec-{n}] c.a.App : no config"),
    ("chromium", lambda n: f"[{2200 + n}:{2200 + n}:0501/10{n:02}00.123456:ERROR:main.cc(250)] cannot open display"),
    ("kernel", lambda n: f"[ {1000 + n * 31}.{n + 100000}] EXT4-fs error (device sda1): mount failed"),
    ("apple", lambda n: f"2024-05-01 10:{n:02}:00.123 app[{2200 + n * 7}:{40000 + n}] no config"),
    ("elixir", lambda n: f"10:{n:02}:00.123 [error] GenServer App has no config #PID<0.{200 + n * 3}.0>"),
    ("gdb", lambda n: f"[New Thread 0x7ffff{n + 100000:x} (LWP {2200 + n * 7})]\nProgram received signal SIGSEGV"),
    ("jvm", lambda n: f"# SIGSEGV (0xb) at pc=0x00007f{n + 100000:x}, pid={2200 + n}\n# hs_err_pid{2200 + n}.log"),
    (
        "npm",
        lambda n: f"Missing script: x\nA complete log: /root/.npm/_logs/2024-05-01T10_{n:02}_00_{n + 100}Z-debug-0.log",
    ),
    ("werkzeug", lambda n: f" * Debugger PIN: {100 + n}-{200 + n}-{300 + n}\nAddress already in use"),
    ("java", lambda n: f"pool is closed: com.acme.Pool@{n + 0x1B2C3D4:x}"),
    ("go, tcp", lambda n: f"read tcp 10.0.0.5:{40000 + n * 37}->10.0.0.9:443: read: connection reset by peer"),
    ("go, udp", lambda n: f"lookup a: read udp 127.0.0.1:{40000 + n * 37}->127.0.0.53:53: i/o timeout"),
    ("node, local", lambda n: f"Error: connect ETIMEDOUT 10.0.0.9:443 - Local (10.0.0.5:{40000 + n * 37})"),
    ("from", lambda n: f"ECONNREFUSED from 127.0.0.1:{40000 + n * 17} to 127.0.0.1:5432"),
    ("sshd", lambda n: f"Connection closed by authenticating user from 10.0.0.5 port {40000 + n * 17}"),
)


def _judged(steps: list[RecordedStep]) -> Judgement:
    thresholds = Thresholds.of("strong")
    return judge(steps, thresholds.limits, thresholds.caps())


@pytest.mark.parametrize(("program", "line"), AGAIN, ids=[program for program, _ in AGAIN])
def test_what_a_program_logs_again_is_the_same_line(program: str, line: Callable[[int], str]) -> None:
    assert normalise(line(1)) == normalise(line(13)) == normalise(f"{line(29)}\n")


@pytest.mark.parametrize("failed", [True, False])
@pytest.mark.parametrize(("program", "line"), AGAIN, ids=[program for program, _ in AGAIN])
def test_a_command_that_logs_the_same_failure_again_and_again_is_a_loop(
    program: str, line: Callable[[int], str], failed: bool
) -> None:
    judged = _judged([step("bash", line(n), failed=failed, command="./run.sh") for n in range(20)])
    assert judged.halt_step is not None


def test_a_service_started_and_its_same_last_words_read_in_turn_are_a_cycle() -> None:
    line = dict(AGAIN)["postgres"]
    steps = [
        one
        for n in range(20)
        for one in (
            step("bash", "db", command="docker start db"),
            step("bash", line(n), command="docker logs --tail 1 db"),
        )
    ]
    assert _judged(steps).halt_step is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("[12] apples", "[13] apples"),
        ("[12/40] compiling a.c", "[13/40] compiling a.c"),
        ("10:00:01 [12] rows are done", "10:00:01 [13] rows are done"),
        ("10:00:01 12 rows", "10:00:01 13 rows"),
        ("[0.731234, 0.2]", "[0.731235, 0.2]"),
        ("== 12 ==", "== 13 =="),
        ("12 == 12", "12 == 13"),
        ("0.0.0.0:40001->80/tcp", "0.0.0.0:40002->80/tcp"),
        ("read tcp 10.0.0.5:40037->10.0.0.9:443: reset", "read tcp 10.0.0.5:40037->10.0.0.9:444: reset"),
        ("dial tcp 10.0.0.9:50051: connection refused", "dial tcp 10.0.0.9:50052: connection refused"),
        ("connect ECONNREFUSED 127.0.0.1:50051", "connect ECONNREFUSED 127.0.0.1:50052"),
        ("moved from a:3000 to a:4000", "moved from a:3001 to a:4000"),
        ("connect to 10.0.0.5 port 40037", "connect to 10.0.0.5 port 40038"),
        ("2024-05-01 10:00:00 UTC [20] FATAL: no role a", "2024-05-01 10:00:00 UTC [20] FATAL: no role b"),
        ("2024-05-01 10:00:00 UTC [20] LOG: ready", "2024-05-01 10:00:00 UTC [20] FATAL: ready"),
        ("2024-05-01 10:00:00 [emerg] 7#7: bind() to :80", "2024-05-01 10:00:00 [emerg] 7#7: bind() to :81"),
        ("issue acme/app#12: open", "issue acme/app#13: open"),
        ("x[1:4] is 3", "x[2:4] is 3"),
        ("needs <1.2.3>", "needs <1.2.4>"),
        ("see bob.Smith@1abcde.com", "see bob.Smith@2abcde.com"),
        ("uses: actions/checkout@1b2c3d4", "uses: actions/checkout@2b2c3d4"),
        ("PIN: 103-203-303", "PIN: 103-203-304"),
        ("(node:22) Warning: a", "(node:22) Warning: b"),
    ],
)
def test_what_a_line_says_is_not_masked(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


def test_a_log_that_is_followed_while_it_gets_on_is_no_loop() -> None:
    """The same process, and other words each time."""
    steps = [
        step("bash", f"2024-05-01 10:{n:02}:00 UTC [20] LOG:  restored segment {n} of 40", command="docker logs -n1 db")
        for n in range(20)
    ]
    assert _judged(steps).step is None


def test_servers_that_each_warn_and_then_listen_are_no_loop() -> None:
    steps = [
        step("bash", f"(node:{2200 + n}) Warning: experimental\nlistening on 300{n}", command=f"node s{n}.js")
        for n in range(10)
    ]
    assert _judged(steps).step is None
