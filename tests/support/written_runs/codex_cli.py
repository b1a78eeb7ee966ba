"""Runs in the style of Codex's command line: a shell that takes an array, patches, and a plan."""

from .writing import Good, Steps, Stuck, call, rounds


def sh(command: str, output: str = "", code: int = 0):  # type: ignore[no-untyped-def]
    """A command, with what the harness says of how it ended."""
    told = f"Exit code: {code}\nWall time: 0.4 seconds\nOutput:\n{output}"
    return call("shell", told, bool(code), command=["bash", "-lc", command])


def patch(path: str, old: str, new: str):  # type: ignore[no-untyped-def]
    """A patch of one line."""
    text = f"*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch"
    told = f"Exit code: 0\nOutput:\nSuccess. Updated the following files:\nM {path}"
    return call("apply_patch", told, input=text)


def _begin() -> Steps:
    return [
        sh("ls", "Cargo.toml\nREADME.md\nsrc\ntests"),
        sh("sed -n '1,80p' src/lib.rs", "pub mod parse;\npub mod emit;\npub fn run() {}"),
        sh("rg -n 'fn parse' src", "src/parse.rs:14:pub fn parse(text: &str) -> Ast {"),
    ]


def _waiting_for_cargos_lock() -> Steps:
    held = "    Blocking waiting for file lock on build directory"
    return [
        *_begin(),
        *rounds(6, lambda n: [sh("timeout 20 cargo test", held, 124)]),
        sh("timeout 20 cargo test", "running 41 tests\ntest result: ok. 41 passed; 0 failed"),
        patch("src/parse.rs", "a", "b"),
        sh("timeout 20 cargo test", "running 41 tests\ntest result: ok. 41 passed; 0 failed"),
    ]


def _formatters_in_turn() -> Steps:
    tools = (
        "isort .",
        "black -q .",
        "ruff check --fix -q .",
        "npx prettier --write web",
        "npx eslint --fix web",
        "stylua .",
    )
    return [
        *_begin(),
        *[step for tool in tools for step in (sh(tool), sh("python -m pytest -q 2>&1 | tail -1", "3 failed, 88 passed in 4.1s"))],
        patch("src/a.py", "x", "y"),
        sh("python -m pytest -q 2>&1 | tail -1", "91 passed in 4.0s"),
    ]  # fmt: skip


def _checking_that_things_are_gone() -> Steps:
    names = ("dist", "build", ".cache", "old.cfg", "legacy.py", "tmp.db", "core.1", "out.log", "a.bak")
    return [
        *_begin(),
        *[sh(f"git rm -rq {name}") for name in names],
        *[sh(f"test ! -e {name}") for name in names],
        *[sh(f"ls {name}", f"ls: cannot access '{name}': No such file or directory", 2) for name in names],
        sh("git commit -qm 'Remove what is not used'"),
    ]


def _a_server_that_comes_up_late() -> Steps:
    return [
        *_begin(),
        sh("nohup cargo run --bin serve > serve.log 2>&1 &"),
        *rounds(8, lambda n: [
            sh("sleep 5 && curl -sS http://localhost:7000/health", "curl: (7) Failed to connect to localhost port 7000: Connection refused", 7),
            sh("tail -n 1 serve.log", f"   Compiling crate_{n} v0.{n}.1"),
        ]),
        sh("sleep 5 && curl -sS http://localhost:7000/health", "ok"),
    ]  # fmt: skip


def _notes_beside_real_work() -> Steps:
    return [
        *_begin(),
        *rounds(9, lambda n: [
            sh(f"echo 'case {n} is about spans' >> NOTES.md"),
            patch("src/parse.rs", f"step{n}", f"step{n + 1}"),
            sh("cargo test 2>&1 | tail -2", f"test result: FAILED. {40 + n} passed; {9 - n} failed" if n < 8 else "test result: ok. 49 passed; 0 failed"),
        ]),
    ]  # fmt: skip


def _a_server_that_never_comes_up() -> tuple[Steps, Steps]:
    refused = "curl: (7) Failed to connect to localhost port 7000 after 0 ms: Connection refused"
    return [*_begin(), sh("nohup cargo run --bin serve > serve.log 2>&1 &")], rounds(
        30, lambda n: [sh("sleep 5"), sh("curl -sS http://localhost:7000/health", refused, 7)]
    )


def _notes_between_the_same_failures() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        told = "test parse::spans ... FAILED\ntest result: FAILED. 40 passed; 1 failed; finished in 0.3s"
        return [sh(f"echo 'attempt {number}: still looking at spans' >> notes.txt"), sh("cargo test", told, 101)]

    return _begin(), rounds(20, one)


def _a_scratch_file_between_the_same_failures() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            call("apply_patch", "Success. Updated the following files:\nA scratch/plan.md",
                 input=f"*** Begin Patch\n*** Add File: scratch/plan_{number}.md\n+Idea {number}: look at the spans again\n*** End Patch"),
            sh("go test ./...", "--- FAIL: TestSpans (0.00s)\n    spans_test.go:14: got 3, want 4\nFAIL\nFAIL\tx/parse\t0.004s", 1),
        ]  # fmt: skip

    return _begin(), rounds(20, one)


def _cargo_lock_for_ever() -> tuple[Steps, Steps]:
    held = "    Blocking waiting for file lock on package cache"
    return _begin(), rounds(36, lambda n: [sh("timeout 30 cargo build", held, 124)])


def _patches_that_do_not_apply() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        text = f"*** Begin Patch\n*** Update File: src/parse.rs\n@@\n-let spans = {number};\n+let spans = vec![];\n*** End Patch"
        told = f"apply_patch verification failed: Failed to find expected lines in src/parse.rs:\nlet spans = {number};"
        return [
            call("apply_patch", told, True, input=text),
            sh("sed -n '10,20p' src/parse.rs", "let span = 1;\nlet other = 2;"),
        ]

    return _begin(), rounds(14, one)


GOOD: dict[str, Good] = {
    "a lock of cargo that is let go": _waiting_for_cargos_lock,
    "formatters one after the other": _formatters_in_turn,
    "checks that things are gone": _checking_that_things_are_gone,
    "a server that comes up late": _a_server_that_comes_up_late,
    "notes beside real work": _notes_beside_real_work,
}
STUCK: dict[str, Stuck] = {
    "a server that never comes up": _a_server_that_never_comes_up,
    "notes between the same failures": _notes_between_the_same_failures,
    "a scratch file between the same failures": _a_scratch_file_between_the_same_failures,
    "a lock that is never let go": _cargo_lock_for_ever,
    "patches that do not apply": _patches_that_do_not_apply,
}
