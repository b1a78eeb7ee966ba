"""Runs in the style of SWE-agent: a windowed viewer or an editor with sub-commands, beside a shell."""

from .writing import Good, Steps, Stuck, call, listing, rounds

EDITOR = "str_replace_editor"
_NO_MATCH = "No replacement was performed, old_str `{}` did not appear verbatim in {}."
_E999 = (
    "Your proposed edit has introduced new syntax error(s). Please read this error message carefully and then retry "
    "editing the file.\n\nERRORS:\n- E999 IndentationError: unindent does not match any outer indentation level\n"
)


def bash(command: str, result: str, failed: bool = False):  # type: ignore[no-untyped-def]
    """A command of the shell."""
    return call("bash", result, failed, command=command)


def view(path: str, first: int, last: int):  # type: ignore[no-untyped-def]
    """A look at some lines."""
    text = f"Here's the result of running `cat -n` on {path}:\n{listing(first, last)}"
    return call(EDITOR, text, command="view", path=path, view_range=[first, last])


def replaced(path: str, old: str, new: str):  # type: ignore[no-untyped-def]
    """An edit that is taken."""
    result = f"The file {path} has been edited. Here's the result of running `cat -n` on a snippet of {path}:\n{new}"
    return call(EDITOR, result, command="str_replace", path=path, old_str=old, new_str=new)


def refused(path: str, old: str, new: str):  # type: ignore[no-untyped-def]
    """An edit whose text is not there."""
    return call(EDITOR, _NO_MATCH.format(old, path), command="str_replace", path=path, old_str=old, new_str=new)


def _begin(path: str = "/repo/pkg/core.py") -> Steps:
    return [
        call(EDITOR, "/repo\n/repo/pkg\n/repo/pkg/core.py\n/repo/tests", command="view", path="/repo"),
        bash("cd /repo && grep -rn 'def parse' pkg", f"{path}:41:def parse(text):\npkg/io.py:9:def parse_line(line):"),
        view(path, 1, 60),
    ]


def _a_fix_with_a_reproduction() -> Steps:
    run = "cd /repo && python reproduce.py"
    trace = "Traceback (most recent call last):\n  File \"reproduce.py\", line 4, in <module>\nValueError: bad unit 'm'"
    return [
        *_begin(),
        call(EDITOR, "File created successfully at: /repo/reproduce.py", command="create", path="/repo/reproduce.py",
             file_text="from pkg import core\ncore.parse('3 m')\n"),
        bash(run, trace),
        view("/repo/pkg/core.py", 30, 60),
        replaced("/repo/pkg/core.py", "value_41 = 84", "value_41 = convert(84)"),
        bash(run, trace.replace("ValueError: bad unit 'm'", "NameError: name 'convert' is not defined")),
        view("/repo/pkg/core.py", 1, 20),
        replaced("/repo/pkg/core.py", "value_2 = 14", "value_2 = 14\nfrom .units import convert"),
        bash(run, "3.0"),
        bash("cd /repo && python -m pytest tests -q", "....................\n20 passed in 1.31s"),
        bash("rm /repo/reproduce.py", ""),
        call("submit", "diff --git a/pkg/core.py b/pkg/core.py\n+from .units import convert"),
    ]  # fmt: skip


def _refusals_in_different_files() -> Steps:
    def one(number: int) -> Steps:
        path = f"/repo/pkg/mod_{number}.py"
        return [
            view(path, 1, 40),
            refused(path, f"value_3={number}", "value_3 = 0"),
            view(path, 1, 12),
            replaced(path, "value_3 = 21", "value_3 = 0"),
        ]

    return [*_begin(), *rounds(7, one), bash("cd /repo && python -m pytest -q", "31 passed in 2.02s")]


def _a_window_that_scrolls() -> Steps:
    def page(number: int) -> Steps:
        text = f"[File: /repo/pkg/models.py (2310 lines total)]\n{listing(100 * number + 1, 100 * number + 100)}"
        return [call("scroll_down", text)]

    return [
        call("find_file", "Found 1 matches for \"models.py\" in /repo:\n/repo/pkg/models.py", file_name="models.py"),
        call("open", f"[File: /repo/pkg/models.py (2310 lines total)]\n{listing(1, 100)}", path="pkg/models.py"),
        *rounds(12, page),
        call("search_file", "Found 2 matches for \"resolve\":\nLine 811: resolve()", search_term="resolve"),
        call("goto", f"[File: /repo/pkg/models.py (2310 lines total)]\n{listing(761, 860)}", line_number=811),
        call("edit", _E999 + listing(805, 812), start_line=811, end_line=811, replacement_text="  return 1"),
        call("edit", "[File: /repo/pkg/models.py]\nFile updated. Please review the changes.", start_line=811,
             end_line=811, replacement_text="        return 1"),
    ]  # fmt: skip


def _names_that_are_nowhere() -> Steps:
    names = ("settings.py", "config.py", "conf.py", "options.py")
    return [
        *[call("find_file", f"No matches found for \"{name}\" in /repo", file_name=name) for name in names],
        *[call("search_dir", f"No matches found for \"{name}\" in /repo", search_term=name) for name in ("OPT", "Conf")],
        call("search_dir", "Found 3 matches for \"DEFAULTS\" in /repo:\n/repo/pkg/env.py (3 matches)",
             search_term="DEFAULTS"),
        call("open", f"[File: /repo/pkg/env.py (40 lines total)]\n{listing(1, 40)}", path="pkg/env.py"),
    ]  # fmt: skip


def _a_stubborn_failure_that_gives_in() -> Steps:
    def attempt(number: int) -> Steps:
        said = "AssertionError: expected 4 groups" if number < 6 else f"AssertionError: expected 4 groups, got {number}"
        return [
            view("/repo/pkg/group.py", 10 + number, 60 + number),
            replaced("/repo/pkg/group.py", f"value_{number + 20}", f"fixed_{number + 20}"),
            bash("cd /repo && python reproduce.py", f"Traceback (most recent call last):\n{said}"),
        ]

    return [*_begin(), *rounds(9, attempt), bash("cd /repo && python reproduce.py", "4 groups")]


def _looking_again_between_edits() -> Steps:
    def one(number: int) -> Steps:
        return [
            view("/repo/pkg/core.py", 1, 60),
            replaced("/repo/pkg/core.py", f"value_{number + 2} =", f"VALUE_{number + 2} ="),
            bash("cd /repo && git diff --stat", f" pkg/core.py | {number + 1} +\n 1 file changed"),
        ]

    return [*_begin(), *rounds(10, one)]


def _rejected_with_a_look_between() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            refused("/repo/pkg/core.py", f"def parse(text, {number}):", f"def parse(text, unit={number}):"),
            view("/repo/pkg/core.py", 35, 55),
        ]

    return _begin(), rounds(14, one)


def _syntax_errors_at_moving_lines() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        edit = call(
            "edit", _E999 + f"\nThis is how your edit would have looked if applied\n{listing(40 + number, 50 + number)}",
            start_line=40 + number, end_line=44 + number, replacement_text=f"if x == {number}:\n  return {number}",
        )  # fmt: skip
        return (
            [edit] if number % 2 else [edit, call("goto", f"[File: core.py]\n{listing(1, 9)}", line_number=41 + number)]
        )

    return _begin(), rounds(14, one)


def _scrolling_at_the_end() -> tuple[Steps, Steps]:
    end = f"[File: /repo/pkg/core.py (210 lines total)]\n(110 more lines above)\n{listing(111, 210)}\n(0 more lines below)"
    return _begin(), rounds(10, lambda number: [call("scroll_down", end)])


def _insertions_out_of_range() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            call(EDITOR, f"Invalid `insert_line` parameter: {900 + 10 * number}. It should be within the range of lines "
                 "of the file: [0, 210]", command="insert", path="/repo/pkg/core.py", insert_line=900 + 10 * number,
                 new_str=f"# {number}"),
            view("/repo/pkg/core.py", 180, 210),
        ]  # fmt: skip

    return _begin(), rounds(12, one)


def _creating_what_is_there() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            call(EDITOR, "File already exists at: /repo/pkg/units.py. Cannot overwrite files using command `create`.",
                 command="create", path="/repo/pkg/units.py", file_text=f"FACTOR = {number}\n"),
            call(EDITOR, f"Here's the result of running `cat -n` on /repo/pkg/units.py:\n{listing(1, 9)}",
                 command="view", path="/repo/pkg/units.py"),
        ]  # fmt: skip

    return _begin(), rounds(12, one)


def _three_looks_in_turn() -> tuple[Steps, Steps]:
    turn = [
        call("open", f"[File: /repo/pkg/core.py (210 lines total)]\n{listing(1, 100)}", path="pkg/core.py"),
        call("search_file", 'Found 1 matches for "parse" in pkg/core.py:\nLine 41: def parse', search_term="parse"),
        call("goto", f"[File: /repo/pkg/core.py (210 lines total)]\n{listing(1, 91)}", line_number=41),
    ]
    return _begin(), turn * 8


GOOD: dict[str, Good] = {
    "a fix with a reproduction": _a_fix_with_a_reproduction,
    "refusals in different files": _refusals_in_different_files,
    "a window that scrolls": _a_window_that_scrolls,
    "names that are nowhere": _names_that_are_nowhere,
    "a stubborn failure that gives in": _a_stubborn_failure_that_gives_in,
    "looking again between edits": _looking_again_between_edits,
}
STUCK: dict[str, Stuck] = {
    "rejected with a look between": _rejected_with_a_look_between,
    "syntax errors at moving lines": _syntax_errors_at_moving_lines,
    "scrolling at the end": _scrolling_at_the_end,
    "insertions out of range": _insertions_out_of_range,
    "creating what is there": _creating_what_is_there,
    "three looks in turn": _three_looks_in_turn,
}
