"""Runs in the style of mini-swe-agent: a shell and nothing else, its status written into the result."""

from .writing import Good, Steps, Stuck, call, listing, rounds


def sh(command: str, output: str, code: int = 0):  # type: ignore[no-untyped-def]
    """A command; the harness marks no failure."""
    return call("bash", f"<returncode>{code}</returncode>\n<output>\n{output}\n</output>", command=command)


def _begin() -> Steps:
    return [
        sh("ls -la", "README.rst\nsetup.py\nsrc\ntests"),
        sh("grep -rn 'def quote' src | head -20", "src/lib/url.py:88:def quote(text, safe='/'):"),
        sh("sed -n '80,110p' src/lib/url.py", listing(80, 110)),
    ]


def _edits_by_script() -> Steps:
    def one(number: int) -> Steps:
        script = f"cat <<'EOF' > fix{number}.py\np = 'src/lib/url.py'\ns = open(p).read()\nopen(p, 'w').write(s.replace('a{number}', 'b'))\nEOF\npython fix{number}.py"
        return [
            sh(script, ""),
            sh("git diff", f"diff --git a/src/lib/url.py\n+b{number}"),
            sh("python -m pytest tests -q", f"{5 - number} failed, 40 passed in 1.{number}s", 1),
        ]

    return [*_begin(), *rounds(5, one), sh("python -m pytest tests -q", "45 passed in 1.02s"),
            sh("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git add -A && git diff --cached", "diff")]  # fmt: skip


def _paging_by_numbers() -> Steps:
    def page(number: int) -> Steps:
        first, last = 1 + 60 * number, 60 + 60 * number
        return [sh(f"nl -ba src/lib/url.py | sed -n '{first},{last}p'", listing(first, last))]

    return [*_begin(), *rounds(14, page)]


def _an_edit_that_takes_a_few_tries() -> Steps:
    return [
        *_begin(),
        sh(
            'sed -i \'s/safe="/"/safe=""/\' src/lib/url.py',
            "sed: -e expression #1, char 14: unterminated `s' command",
            1,
        ),
        sh("sed -i 's|safe=./.|safe=None|' src/lib/url.py", ""),
        sh("sed -n '86,90p' src/lib/url.py", listing(86, 90)),
        sh(
            "python -c 'from lib.url import quote; print(quote(\"a b\"))'",
            "Traceback (most recent call last):\nTypeError: argument of type 'NoneType' is not iterable",
            1,
        ),
        sh("sed -i 's|in safe|in (safe or \"\")|' src/lib/url.py", ""),
        sh("python -c 'from lib.url import quote; print(quote(\"a b\"))'", "a%20b"),
        sh("python -m pytest -q", "45 passed in 1.11s"),
    ]


def _searches_that_narrow_down() -> Steps:
    words = ("urlencode", "percent", "iri_to_uri", "quote_plus", "unquote", "reserved")
    return [*_begin(), *[step for word in words for step in (
        sh(f"grep -rn '{word}' src --include=*.py | head", f"src/lib/{word}.py:3:import {word}"),
        sh(f"cat src/lib/{word}.py", listing(1, 30, word)),
    )]]  # fmt: skip


def _the_same_check_on_many_inputs() -> Steps:
    texts = ("a b", "é", "%", "/", "?", "#", "&", "+", "~", "*", "'", "[")
    return [*_begin(), *[sh(f"python -m lib.url {text!r}", "ok") for text in texts]]


def _small_questions_of_python() -> Steps:
    names = ("posixpath", "urllib.parse", "html", "codecs", "string")
    return [*_begin(), *[step for name in names for step in (
        sh(f"python -c 'import {name}; print({name}.quote)'", f"Traceback (most recent call last):\nAttributeError: module '{name}' has no attribute 'quote'", 1),
        sh(f"python -c 'import {name}; print(dir({name}))'", f"['{name}_a', '{name}_b']"),
    )][:8], sh("python -c 'import shlex; print(shlex.quote)'", "<function quote at 0x7f11aa22bb33>")]  # fmt: skip


def _an_edit_that_matches_nothing() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            sh(f"sed -i 's/def quote(text,safe)/def quote(text, safe, v{number})/' src/lib/url.py", ""),
            sh("grep -n 'def quote' src/lib/url.py", "88:def quote(text, safe='/'):"),
            sh("python -m pytest tests/test_url.py -q", f"1 failed, 11 passed in 0.{31 + number}s", 1),
        ]

    return _begin(), rounds(13, one)


def _programs_that_are_not_there() -> tuple[Steps, Steps]:
    names = ("pyfmt", "autofix", "codemod", "refac", "bowler", "rope", "pycodemod", "fixit", "astor", "reformat",
             "pyedit", "srcfix", "libcst", "astroid-cli", "pychange", "pysed", "patcher", "rewriter")  # fmt: skip
    return _begin(), [sh(f"{name} src/lib/url.py", f"/bin/sh: 1: {name}: not found", 127) for name in names]


def _one_import_by_many_snippets() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        error = f'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n  File "src/lib/__init__.py", line {3 + number}, in <module>\nImportError: libfast.so.1: cannot open shared object file: No such file or directory'
        return [sh(f"python -c 'from lib import url; print(url.quote(\"{number}\", safe={number}))'", error, 1)]

    return _begin(), rounds(13, one)


def _corrupt_patches() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        write = f"cat <<'EOF' > fix.patch\n--- a/src/lib/url.py\n+++ b/src/lib/url.py\n@@ -{88 + number},7 +{88 + number},7 @@\n-old\n+new{number}\nEOF"
        return [sh(write, ""), sh("git apply fix.patch", f"error: corrupt patch at line {5 + number % 3}", 128)]

    return _begin(), rounds(14, one)


def _a_small_file_over_and_over() -> tuple[Steps, Steps]:
    views = ("sed -n '1,4p'", "head -4", "sed -n '2,6p'", "tail -3", "awk 'NR>=1 && NR<=5'", "head -n 6", "sed -n '3p'",
             "awk 'NR==2'", "sed -n '1,6p'", "cat", "tail -n 5", "nl -ba")  # fmt: skip
    shown = ((1, 4), (1, 4), (2, 6), (4, 6), (1, 5), (1, 6), (3, 3), (2, 2), (1, 6), (1, 6), (2, 6), (1, 6))
    reads = [sh(f"{view} setup.cfg", "\n".join(f"key{at} = {at}" for at in range(first, last + 1)))
             for view, (first, last) in zip(views, shown, strict=True)]  # fmt: skip
    return [*_begin(), sh("cat setup.cfg", "\n".join(f"key{at} = {at}" for at in range(1, 7)))], reads * 2


def _four_commands_in_turn() -> tuple[Steps, Steps]:
    turn = [
        sh("git stash", "Saved working directory and index state WIP on main: 77aa1b9 first"),
        sh("python -m pytest -q", "1 failed, 44 passed in 1.2s", 1),
        sh("git stash pop", "On branch main\nDropped refs/stash@{0}"),
        sh("python -m pytest tests -q", "1 failed, 44 passed in 1.1s", 1),
    ]
    return _begin(), turn * 7


GOOD: dict[str, Good] = {
    "edits by script": _edits_by_script,
    "paging by numbers": _paging_by_numbers,
    "an edit that takes a few tries": _an_edit_that_takes_a_few_tries,
    "searches that narrow down": _searches_that_narrow_down,
    "the same check on many inputs": _the_same_check_on_many_inputs,
    "small questions of python": _small_questions_of_python,
}
STUCK: dict[str, Stuck] = {
    "an edit that matches nothing": _an_edit_that_matches_nothing,
    "programs that are not there": _programs_that_are_not_there,
    "one import by many snippets": _one_import_by_many_snippets,
    "corrupt patches": _corrupt_patches,
    "a small file over and over": _a_small_file_over_and_over,
    "four commands in turn": _four_commands_in_turn,
}
