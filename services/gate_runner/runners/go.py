"""`go test`, told to print its events as JSON: then what a test prints cannot pass for a result."""

import re
from collections.abc import Sequence
from typing import Final

from ..reports import Found, Report, merged, read_go, read_summary
from .base import Runner, Told

_STARTS: Final = re.compile(r"(?:^|(?<=[\s/;&|(]))go\s+test(?=$|[\s;&|)])")


def _tell(command: str, _: str) -> Told:
    if re.search(r"\s-json\b|\s-c\b|\s-exec\b|(?<![2&])>(?!&)", command):
        return Told(command)
    return Told(_STARTS.sub(lambda found: f"{found[0]} -json", command), stdout_is_report=True)


def _read(found: Sequence[Found], output: str) -> Report | None:
    return merged(read_go(one.content) for one in found) or read_go(output.encode()) or read_summary(output)


GO: Final = Runner("go test", _STARTS, _tell, _read)
