"""jest, vitest and node's own runner, started by name or by a script of package.json."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from shared.patterns import behind
from shared.workspace import PathRefused, read_regular

from ..reports import Found, Report, read_summary
from .base import WITNESSES, Runner, Told, signed_of, word

_SCRIPT: Final = re.compile(
    r"(?:^|(?<=[\s;&|(]))(?P<start>(?P<client>npm|pnpm|yarn|bun)(?:\s+(?P<run>run(?:-script)?))?\s+(?P<name>[\w:.-]+))"
    r"(?P<dashes>\s+--(?=\s|$))?"
)
_SHORT: Final = {"t": "test", "tst": "test"}
_ABSENT: Final = re.compile(
    behind(
        "npm (?:error|ERR!)",
        "could not determine executable|canceled due to missing packages|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|E404",
    )
    + r"|Command \"(?:jest|vitest)\" not found"
)
_NODE_OPTIONS: Final = (
    "--require={place}/arreio_node_file.cjs --test-reporter=spec --test-reporter-destination=stdout "
    "--test-reporter={place}/arreio_node.mjs --test-reporter-destination=stderr"
)
_QUICKLY_ABSENT: Final = {"npm_config_fetch_retries": "0"}
"""npx looks for what is not installed, and without a network does so for more than a minute."""
_MOST_BYTES: Final = 1 << 20


def script_of(command: str, workspace: Path) -> str | None:
    """The script of package.json that a command starts; None where it starts none."""
    found = _SCRIPT.search(command)
    if found is None:
        return None
    try:
        package = json.loads(read_regular(workspace / "package.json", most_bytes=_MOST_BYTES) or b"")
        script = package["scripts"][_SHORT.get(found["name"], found["name"])]
    except (OSError, PathRefused, ValueError, RecursionError, LookupError, TypeError):
        return None
    return script if isinstance(script, str) else None


def through_script(runner: Runner, script: str) -> Runner:
    """The runner as a script starts it: options are handed on to the script's last command, if that is the runner."""
    last = re.split(r"&&|\|\||[;|&]", script)[-1]
    options = _OPTIONS.get(runner.name)
    if options is None:
        return runner
    if not runner.starts.search(last):
        return replace(runner, tell=lambda command, _: Told(command), read=lambda _, output: read_summary(output))

    def tell(command: str, place: str) -> Told:
        def handed(found: re.Match[str]) -> str:
            dashes = " --" if found["client"] == "npm" else found["dashes"] or ""
            return f"{found['start']}{dashes} {options.format(place=f'{place}/{WITNESSES}')}"

        return Told(_SCRIPT.sub(handed, command, count=1), _QUICKLY_ABSENT, witnesses=_WITNESSES[runner.name])

    return replace(runner, tell=tell)


_OPTIONS: Final = {
    "jest": "--reporters=default --reporters={place}/arreio_jest.cjs",
    "vitest": "--reporter=default --reporter={place}/arreio_vitest.mjs",
}
_WITNESSES: Final = {
    "jest": ("arreio_book.cjs", "arreio_jest.cjs"),
    "vitest": ("arreio_book.cjs", "arreio_vitest.mjs"),
    "node --test": ("arreio_book.cjs", "arreio_node.mjs", "arreio_node_file.cjs", "arreio_anatomy.cjs"),
}


def _telling(runner: str, starts: re.Pattern[str]) -> Runner:
    def tell(command: str, place: str) -> Told:
        options = _OPTIONS[runner].format(place=f"{place}/{WITNESSES}")
        command = starts.sub(lambda found: f"{found[0]} {options}", command)
        return Told(command, _QUICKLY_ABSENT, witnesses=_WITNESSES[runner])

    return Runner(runner, starts, tell, lambda found, _: signed_of(found), absent=_ABSENT)


def _tell_node(command: str, place: str) -> Told:
    if "--test-reporter" in command:
        return Told(command)
    command = re.sub(r"(?<!\S)NODE_OPTIONS=(?=\S)", 'NODE_OPTIONS="$NODE_OPTIONS "', command)
    options = _NODE_OPTIONS.format(place=f"{place}/{WITNESSES}")
    return Told(command, {"NODE_OPTIONS": options}, witnesses=_WITNESSES["node --test"])


def _read(found: Sequence[Found], output: str) -> Report | None:
    return signed_of(found) or read_summary(output)


JEST: Final = _telling("jest", word(r"jest(?:\.js|@[\w.]+)?"))
VITEST: Final = _telling("vitest", word(r"vitest(?:\.mjs|@[\w.]+)?(?:\s+run)?"))
NODE: Final = Runner(
    "node --test",
    re.compile(r"(?:^|[;&|])(?>[^;&|]*?(?<![^\s/;&|(])(?:node|tsx)\s)(?:[^;&|]*\s)?--test(?=$|[\s;&|)])"),
    _tell_node,
    _read,
)
