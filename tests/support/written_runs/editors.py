"""Runs in the style of agents within editors (Cline, Roo) and of Gemini's and Goose's command lines."""

from .writing import Good, Steps, Stuck, call, rounds


def run(command: str, output: str = "", failed: bool = False):  # type: ignore[no-untyped-def]
    """A command as Cline runs it."""
    return call(
        "execute_command", f"Command executed.\nOutput:\n{output}", failed, command=command, requires_approval=False
    )


def gemini(command: str, output: str = "", code: int = 0):  # type: ignore[no-untyped-def]
    """A command as Gemini's command line tells of it."""
    told = f"Command: {command}\nDirectory: (root)\nStdout: {output or '(empty)'}\nStderr: (empty)\nError: (none)\nExit Code: {code}\nSignal: (none)"
    return call("run_shell_command", told, bool(code), command=command, description="run it")


def _begin() -> Steps:
    return [
        call("list_files", "src/\npackage.json\nvite.config.ts", path=".", recursive=False),
        call("read_file", '{\n  "name": "shop",\n  "scripts": {"test": "vitest run"}\n}', path="package.json"),
        call("search_files", "Found 2 results\nsrc/cart.ts\n│ export function total(", path="src", regex="total"),
    ]


def _replace(path: str, old: str, new: str, told: str, failed: bool = False):  # type: ignore[no-untyped-def]
    return call(
        "replace_in_file", told, failed, path=path, diff=f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE"
    )


def _edits_with_the_same_lint_word() -> Steps:
    def one(number: int) -> Steps:
        told = f"The content was successfully saved to src/view{number}.tsx.\n\nNew problems detected after saving the file:\nsrc/view{number}.tsx\n- [ts Error] Line {number + 3}: Cannot find module './cart'"
        return [_replace(f"src/view{number}.tsx", "import a", "import { a } from './cart'", told)]

    return [*_begin(), *rounds(8, one), call("write_to_file", "The content was successfully saved to src/cart.ts.", path="src/cart.ts", content="export const a = 1"),
            run("npx tsc --noEmit", "")]  # fmt: skip


def _questions_with_other_answers() -> Steps:
    asked = (
        ("Which currency?", "EUR"),
        ("Round half up?", "yes"),
        ("Include shipping?", "yes"),
        ("Show tax apart?", "no"),
        ("Which locale?", "pt-BR"),
    )
    return [*_begin(), *[call("ask_followup_question", f"<answer>{answer}</answer>", question=question) for question, answer in asked],
            _replace("src/cart.ts", "return 0", "return sum", "The content was successfully saved to src/cart.ts."), run("npm test", "Tests  12 passed (12)")]  # fmt: skip


def _one_test_file_after_the_other_is_red_then_green() -> Steps:
    def one(number: int) -> Steps:
        return [
            gemini(f"npx vitest run src/m{number}.test.ts", "FAIL  AssertionError: expected 1 to be 2", 1),
            call("replace", f"Successfully modified file: src/m{number}.ts (1 replacements).", file_path=f"src/m{number}.ts", old_string="1", new_string="2"),
            gemini(f"npx vitest run src/m{number}.test.ts", "Test Files  1 passed (1)"),
        ]  # fmt: skip

    return [*_begin(), *rounds(8, one)]


def _a_dev_server_watched_by_the_page() -> Steps:
    def one(number: int) -> Steps:
        return [
            _replace("src/app.css", f"gap: {number}px", f"gap: {number + 1}px", "The content was successfully saved to src/app.css."),
            call("browser_action", "The browser action has been executed. The console logs and screenshot have been captured.\n[vite] hot updated: /src/app.css", action="launch", url="http://localhost:5173"),
            call("browser_action", "The browser has been closed.", action="close"),
        ]  # fmt: skip

    return [*_begin(), *rounds(7, one), call("attempt_completion", "done", result="The gap is right.")]


def _goose_waits_for_an_index_lock() -> Steps:
    told = "fatal: Unable to create '/repo/.git/index.lock': File exists.\n\nAnother git process seems to be running in this repository"
    return [
        *_begin(),
        *rounds(4, lambda n: [call("developer__shell", told, True, command="git add -A && git commit -m 'Round totals'"), call("developer__shell", "", command="sleep 5")]),
        call("developer__shell", "[main 3f2a9bc] Round totals\n 2 files changed", command="git add -A && git commit -m 'Round totals'"),
    ]  # fmt: skip


def _search_blocks_that_do_not_match() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        told = "The tool execution failed with the following error:\n<error>\nThe SEARCH block:\n...does not match anything in the file.\n</error>\nThis is likely because the SEARCH block content doesn't match exactly with what's in the file."
        return [
            _replace(
                "src/cart.ts", f"  return items.reduce((a, b) => a + b.price, {number})", "  return 1", told, True
            ),
            call("read_file", "export function total(items: Item[]) {\n\treturn 0\n}", path="src/cart.ts"),
        ]

    return _begin(), rounds(14, one)


def _edits_that_bring_the_same_lint_error() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            _replace("src/cart.ts", f"const t{number} = 1", f"const t{number + 1} = 1", "The content was successfully saved to src/cart.ts."),
            run("npx tsc --noEmit", f"src/cart.ts({14 + number},3): error TS2322: Type 'string' is not assignable to type 'number'.", True),
        ]  # fmt: skip

    return _begin(), rounds(26, one)


def _completion_attempted_again_and_again() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        said = ("All done.", "The work is finished now.", "I have completed it.", "Everything is in place.")[number % 4]
        told = "The user has provided feedback on the results: [ERROR] 2 problems remain in src/cart.ts"
        return [call("attempt_completion", told, result=said)]

    return _begin(), rounds(16, one)


def _gemini_replaces_to_and_fro() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        old, new = ("let", "const") if number % 2 else ("const", "let")
        return [
            call("replace", "Successfully modified file: src/cart.ts (1 replacements).", file_path="src/cart.ts", old_string=f"{old} t = 0", new_string=f"{new} t = 0"),
            gemini("npx vitest run", "FAIL src/cart.test.ts\nAssertionError: expected 3 to be 4\nTests  1 failed | 11 passed (12)", 1),
        ]  # fmt: skip

    return _begin(), rounds(14, one)


def _a_missing_tool_called_again() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        name = ("use_figma", "figma_get_file", "figma__file", "getFigmaFile", "figma")[number % 5]
        return [
            call(
                name,
                f'Error: Tool "{name}" not found in registry. Tools must use the exact names that are registered.',
                True,
                key=f"k{number}",
            )
        ]

    return _begin(), rounds(25, one)


GOOD: dict[str, Good] = {
    "edits with the same word of a linter": _edits_with_the_same_lint_word,
    "questions with other answers": _questions_with_other_answers,
    "one test file after the other": _one_test_file_after_the_other_is_red_then_green,
    "a page looked at after each change": _a_dev_server_watched_by_the_page,
    "an index lock of git that is let go": _goose_waits_for_an_index_lock,
}
STUCK: dict[str, Stuck] = {
    "search blocks that do not match": _search_blocks_that_do_not_match,
    "edits that bring the same error of types": _edits_that_bring_the_same_lint_error,
    "completion attempted again and again": _completion_attempted_again_and_again,
    "one word replaced to and fro": _gemini_replaces_to_and_fro,
    "tools that are not there": _a_missing_tool_called_again,
}
