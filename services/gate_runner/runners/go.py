"""`go test`, told to print its events as JSON: then what a test prints cannot pass for a result."""

import re
from collections.abc import Sequence
from typing import Final

from ..reports import Found, Report, merged, read_go, read_summary
from .base import WITNESSES, Runner, Told, marked

_WITNESS: Final = "arreio_go.sh"
_STARTS: Final = re.compile(r"(?:^|(?<=[\s/;&|(]))go\s+test(?=$|[\s;&|)])")


def _tell(command: str, place: str) -> Told:
    if re.search(r"\s-json\b|\s-c\b|\s-exec\b|(?<![2&])>(?!&)", command):
        return Told(command)
    options = f"-json -exec 'sh {place}/{WITNESSES}/{_WITNESS}'"
    command = _STARTS.sub(lambda found: f"{found[0]} {options}", command)
    return Told(command, stdout_is_report=True, witnesses=(_WITNESS,))


def _watch(command: str, place: str) -> Told:
    if re.search(r"\s-c\b|\s-exec\b", command):
        return Told(command)
    options = f"-exec 'sh {place}/{WITNESSES}/{_WITNESS}'"
    return Told(_STARTS.sub(lambda found: f"{found[0]} {options}", command), witnesses=(_WITNESS,))


def _read(found: Sequence[Found], output: str) -> Report | None:
    report = merged(read_go(one.content) for one in found) or read_go(output.encode()) or read_summary(output)
    return marked(report, found)


GO: Final = Runner("go test", _STARTS, _tell, _read, watch=_watch)
