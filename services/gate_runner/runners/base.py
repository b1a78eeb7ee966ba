"""What a test runner is to the gates: how it is recognised, told to leave a report, read, and known to be absent."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath
from typing import Final

from arreio_contracts.messages import TestCounts

from ..reports import Found, Report, merged, read_junit, read_signed, read_summary

PYTEST_OPTIONS: Final = "--junitxml={place}/pytest.xml -o junit_family=xunit2"
WITNESSES: Final = "witness"
_OF_NODE_FILES: Final = ("arreio_node_file.cjs", "arreio_anatomy.cjs")
UNLOADED: Final = re.compile(r"No module named '?arreio_")
_SEEING: Final = ("arreio_witness.py", "arreio_anatomy.py", "arreio_agreeing.py")
_WORD: Final = re.compile(r"[\w./@%+*-]++")
_XML: Final = re.compile(r"\.xml\b")
_NAMED: Final = re.compile(r"(?<![\w./*-])[\w.@%+*-][\w./@%+*-]*")


@dataclass(frozen=True, slots=True)
class Told:
    """A command as it is run so that its runner leaves a report.

    `env` is set for it; `stdout_is_report` says that what it prints is the report; `leaves` are the reports that it
    writes into the workspace: paths or patterns as of `find -path`, without `./`. `witnesses` are the modules that see
    the run from inside and sign what they saw; they are written to `WITNESSES` below the folder for reports. `reads`
    are files of the workspace that the command is to read alone, and `within` folders of such files: they are brought
    out too where the run wrote them.
    """

    command: str
    env: Mapping[str, str] = field(default_factory=dict)
    stdout_is_report: bool = False
    leaves: tuple[str, ...] = ()
    witnesses: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    within: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Runner:
    """A test runner.

    `starts` finds it in a command. `tell` gives the command that leaves a report in the folder `place`, which is secret
    and empty; its meaning to the person who wrote it stays. `read` reads what was left, with the output. `due` says
    that an end with status 0 without a report cannot be right. `nothing` are the statuses by which it says that there
    was no test, and `absent` finds in an output that the runner itself is not installed. `plain` is the same runner
    where no witness can be loaded, which `UNLOADED` finds in an output; `watch` only sees to its end, and
    leaves what it prints as it is.
    """

    name: str
    starts: re.Pattern[str]
    tell: Callable[[str, str], Told]
    read: Callable[[Sequence[Found], str], Report | None]
    due: bool = True
    nothing: frozenset[int] = frozenset()
    absent: re.Pattern[str] | None = None
    plain: "Runner | None" = None
    watch: Callable[[str, str], Told] | None = None


def word(*names: str) -> re.Pattern[str]:
    """Finds one of the expressions as a whole word of a command, with or without a path before it."""
    return re.compile(rf"(?:^|(?<=[\s/;&|(`]))(?:{'|'.join(names)})(?=$|[\s;&|)`])")


def named_reports(command: str) -> tuple[str, ...]:
    """The XML files of the workspace that a command names, without `./`."""
    words = ((word, [*_XML.finditer(word)]) for word in _WORD.findall(command))
    upto = (_NAMED.search(word[: ends[-1].end()]) for word, ends in words if ends)
    found = (str(PurePosixPath(named[0])) for named in upto if named and len(named[0]) > len(".xml"))
    return tuple(dict.fromkeys(path for path in found if ".." not in path.split("/")))


def junit_of(found: Sequence[Found]) -> Report | None:
    """The sum of the JUnit reports that were found; what is none is left out."""
    return merged(read_junit(one.content) for one in found)


def witnessed(command: str, place: str, module: str) -> Told:
    """A command under which Python finds a witness."""
    path = f"{place}/{WITNESSES}"
    command = re.sub(r"(?<!\S)PYTHONPATH=(?=\S)", f"PYTHONPATH={path}:", command)
    return Told(command, {"PYTHONPATH": path}, witnesses=(*_SEEING, module))


def signed_of(found: Sequence[Found]) -> Report | None:
    """The sum of what witnesses signed."""
    return merged(read_signed(one.content) for one in found if one.signed)


def marked(report: Report | None, found: Sequence[Found]) -> Report | None:
    """The report with what was left behind by processes of tests that did not come to their own end."""
    return replace(report, odd=(*report.odd, *marks_of(found))) if report is not None else None


def marks_of(found: Sequence[Found]) -> tuple[str, ...]:
    """What processes of tests left behind that did not come to their own end, a line each."""
    return tuple(one.content.decode("utf-8", "replace").strip() for one in found if one.path.endswith(".open"))


def unknown(report: str | None = None) -> Runner:
    """Whatever else runs tests: by the JUnit report it leaves, or the summary line that it prints."""
    leaves = (str(PurePosixPath(report)),) if report is not None else ("*.xml",)

    def tell_plainly(command: str, place: str) -> Told:
        return Told(command, {"PYTEST_ADDOPTS": PYTEST_OPTIONS.format(place=place)}, leaves=leaves)

    def read(found: Sequence[Found], output: str) -> Report | None:
        own = [one for one in found if "/" not in one.path and one.path == "pytest.xml"]
        other = junit_of(own or found) or (None if report is not None else read_summary(output))
        return _marked_at_least(signed_of(found) or other, found)

    name, starts, due = f"what leaves {report}" if report else "", re.compile(r"(?!)"), report is not None
    plain = Runner(name, starts, tell_plainly, read, due)
    return replace(plain, tell=partial(_witnessed_wholly, leaves=leaves), plain=plain)


def witnessed_pytest(command: str, place: str, leaves: tuple[str, ...] = ()) -> Told:
    """A command in which each session of pytest is seen, whatever starts it."""
    told = witnessed(command, place, "arreio_pytest.py")
    return replace(told, env={**told.env, "PYTEST_PLUGINS": "arreio_pytest"}, leaves=leaves)


def _witnessed_wholly(command: str, place: str, leaves: tuple[str, ...]) -> Told:
    """A command in which whatever programs of Python and node start is seen to its end."""
    told, seen = witnessed_pytest(command, place, leaves), watched_starts(command, place)
    options = f"--require={place}/{WITNESSES}/{_OF_NODE_FILES}"
    witnesses = (*dict.fromkeys([*told.witnesses, *seen.witnesses, *_OF_NODE_FILES]),)
    return replace(told, env={**told.env, **seen.env, "NODE_OPTIONS": options}, witnesses=witnesses)


def watched_starts(command: str, place: str) -> Told:
    """A command under which processes of Python and node tell of the runners of tests that they start."""
    told = witnessed(command, place, "arreio_starting.py")
    path = f"{place}/{WITNESSES}"
    command = re.sub(r"(?<!\S)NODE_OPTIONS=(?=\S)", 'NODE_OPTIONS="$NODE_OPTIONS "', told.command)
    env = {**told.env, "ARREIO_STARTING": "1", "NODE_OPTIONS": f"--require={path}/arreio_starting.cjs"}
    return replace(
        told, command=command, env=env, witnesses=("sitecustomize.py", *told.witnesses, "arreio_starting.cjs")
    )


def started_tests(found: Sequence[Found]) -> bool:
    """Whether a process of a run that was told by `watched_starts` started a runner of tests."""
    return any(one.path.endswith(".runner") and "/" not in one.path for one in found)


def _marked_at_least(report: Report | None, found: Sequence[Found]) -> Report | None:
    """The report with such marks; where there is none, the marks alone."""
    return marked(report or (Report(TestCounts()) if marks_of(found) else None), found)
