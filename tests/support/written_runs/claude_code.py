"""Runs in the style of Claude Code: Bash, Read, Edit, Write, Grep, Glob, TodoWrite, BashOutput, WebFetch."""

from .writing import Good, Steps, Stuck, call, rounds

_TODOS = "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress."


def _bash(command: str, result: str, failed: bool = False):  # type: ignore[no-untyped-def]
    return call("Bash", result, failed, command=command, description=command.split()[0])


def _read(path: str, first: int = 1, count: int = 2000, lines: int = 60):  # type: ignore[no-untyped-def]
    last = min(lines, first + count - 1)
    text = "\n".join(f"{line:>6}→const v{line} = {line * 3};" for line in range(first, last + 1))
    more = {} if (first, count) == (1, 2000) else {"offset": first, "limit": count}
    return call("Read", text, file_path=path, **more)


def _edit(path: str, old: str, new: str):  # type: ignore[no-untyped-def]
    return call("Edit", f"The file {path} has been updated. Here's the result of running `cat -n`:\n1→{new}",
                file_path=path, old_string=old, new_string=new)  # fmt: skip


def _missed(path: str, old: str, new: str):  # type: ignore[no-untyped-def]
    return call("Edit", f"<tool_use_error>String to replace not found in file.\nString: {old}</tool_use_error>", True,
                file_path=path, old_string=old, new_string=new)  # fmt: skip


def _begin() -> Steps:
    return [
        call("Glob", "/app/src/cart.ts\n/app/src/price.ts\n/app/test/cart.test.ts", pattern="**/*.ts"),
        _read("/app/src/cart.ts"),
        call("Grep", "src/cart.ts:12:export function total(", pattern="function total", output_mode="content"),
    ]


def _a_list_that_is_ticked_off() -> Steps:
    def one(number: int) -> Steps:
        todos = [{"content": f"step {at}", "status": "completed" if at <= number else "pending"} for at in range(8)]
        return [_edit(f"/app/src/part{number}.ts", "var", "const"), call("TodoWrite", _TODOS, todos=todos)]

    return [*_begin(), *rounds(8, one), _bash("npm test", "Tests: 18 passed, 18 total\nTime: 2.01 s")]


def _read_before_edit() -> Steps:
    def one(number: int) -> Steps:
        path = f"/app/src/page{number}.tsx"
        told = "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>"
        return [
            call("Edit", told, True, file_path=path, old_string="a", new_string="b"),
            _read(path),
            _edit(path, "const v3 = 9;", "const v3 = 10;"),
        ]

    return [*_begin(), *rounds(8, one)]


def _a_build_in_the_background() -> Steps:
    def look(number: int) -> Steps:
        out = f"<status>running</status>\n<stdout>{'compiling…' if number % 3 else f'[{number}/12] linked'}</stdout>"
        return [call("BashOutput", out, bash_id="b1")]

    return [*_begin(), _bash("npm run build", "Command running in background with ID: b1"), *rounds(14, look),
            call("BashOutput", "<status>completed</status>\n<exit_code>0</exit_code>", bash_id="b1")]  # fmt: skip


def _types_that_get_fewer() -> Steps:
    def one(number: int) -> Steps:
        left = 9 - number
        errors = "\n".join(
            f"src/m{at}.ts({at + 3},7): error TS2322: Type 'string' is not assignable" for at in range(left)
        )
        return [_bash("npx tsc --noEmit", errors, bool(left)), _edit(f"/app/src/m{left}.ts", "string", "number")]

    return [*_begin(), *rounds(9, one), _bash("npx tsc --noEmit", "")]


def _one_rename_in_many_files() -> Steps:
    def one(number: int) -> Steps:
        return [_read(f"/app/src/view{number}.ts"), _edit(f"/app/src/view{number}.ts", "getTotal(", "total(")]

    return [*_begin(), *rounds(15, one), _bash("npm test", "Tests: 18 passed, 18 total")]


def _a_switch_measured_both_ways() -> Steps:
    def one(number: int) -> Steps:
        old, new = ("cache: false", "cache: true") if number % 2 == 0 else ("cache: true", "cache: false")
        mean = (412 if number % 2 else 188) + (number * 37) % 11
        return [_edit("/app/config.ts", old, new), _bash("node bench.js", f"requests/sec: {mean}.{number}, errors: 0")]

    return [*_begin(), *rounds(7, one), _bash("git diff --stat", " config.ts | 2 +-")]


def _mirrors_tried_in_turn() -> Steps:
    hosts = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu")

    def one(number: int) -> Steps:
        url = f"https://{hosts[number]}.example/pub/gcc-13.2.tar.xz"
        return [_bash(f"wget -q {url}", f"{url}:\nERROR 404: Not Found.", True)]

    return [*_begin(), *rounds(12, one), _bash("wget -q https://nu.example/gcc-13.2.tar.xz && ls", "gcc-13.2.tar.xz")]


def _not_found_after_reading() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [_missed("/app/src/cart.ts", f"return  sum{number}", f"return total{number}"), _read("/app/src/cart.ts")]

    return _begin(), rounds(13, one)


def _to_and_fro() -> tuple[Steps, Steps]:
    failing = "FAIL test/cart.test.ts\n  ● total › adds tax\n    Expected: 121\n    Received: 100\nTests: 1 failed, 17 passed, 18 total"

    def one(number: int) -> Steps:
        old, new = ("price * 1", "price * 1.0") if number % 2 == 0 else ("price * 1.0", "price * 1")
        return [
            _edit("/app/src/price.ts", old, new),
            _bash("npm test", f"{failing}\nTime: {2 + number * 0.13:.2f} s", True),
        ]

    return _begin(), rounds(14, one)


def _a_build_that_fails_whatever_is_read() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        error = f'> app@1.0.0 build\n> vite build\n\n✓ 31 modules transformed in {number + 1}.2s\nerror during build:\nRollupError: Could not resolve "./gone" from "src/main.ts"'
        return [_bash("npm run build", error, True), _read(f"/app/src/other{number}.ts")]

    return _begin(), rounds(12, one)


def _the_same_list_again() -> tuple[Steps, Steps]:
    todos = [{"content": "fix tax", "status": "in_progress"}, {"content": "run tests", "status": "pending"}]
    return _begin(), rounds(9, lambda number: [call("TodoWrite", _TODOS, todos=todos)])


def _reading_to_and_fro() -> tuple[Steps, Steps]:
    starts = (1, 20, 8, 33, 15, 2, 27, 11, 40, 5, 19, 30, 9, 22, 36, 3, 14, 28)
    return _begin(), [_read("/app/src/cart.ts", first, 20) for first in starts]


def _listing_and_searching() -> tuple[Steps, Steps]:
    turn = [
        call("Glob", "No files found", pattern="**/*.env"),
        _bash("ls -la /app", "package.json\nsrc\ntest"),
        call("Grep", "No matches found", pattern="API_KEY"),
    ]
    return _begin(), turn * 7


GOOD: dict[str, Good] = {
    "a list that is ticked off": _a_list_that_is_ticked_off,
    "read before edit": _read_before_edit,
    "a build in the background": _a_build_in_the_background,
    "types that get fewer": _types_that_get_fewer,
    "one rename in many files": _one_rename_in_many_files,
    "a switch measured both ways": _a_switch_measured_both_ways,
    "mirrors tried in turn": _mirrors_tried_in_turn,
}
STUCK: dict[str, Stuck] = {
    "not found after reading": _not_found_after_reading,
    "to and fro": _to_and_fro,
    "a build that fails whatever is read": _a_build_that_fails_whatever_is_read,
    "the same list again": _the_same_list_again,
    "reading to and fro": _reading_to_and_fro,
    "listing and searching": _listing_and_searching,
}
