"""What can be read as a criterion and cannot be meant as one: told where it is written, and again at admission.

It is no part of the models' validation, so that what was recorded once can be read for ever.
"""

import re
import shlex
from typing import Final

_ADDRESS: Final = re.compile(r"[A-Za-z][\w+.-]*:/|(?:about|blob|data|file|javascript):|[\w.-]+:\d+(?:/|$)")
"""How an address begins where a path is meant."""
_PART_OF_ADDRESS: Final = re.compile(r"\.x?html?[?#]", re.IGNORECASE)


def why_no_path(path: str) -> str | None:
    """Why a path of the workspace cannot be meant; None where it can."""
    return "it names a path of the workspace, and no address" if _ADDRESS.match(path) else None


def why_no_page(path: str) -> str | None:
    """Why a page to be shown cannot be meant; None where it can."""
    if _PART_OF_ADDRESS.search(path):
        return "a page is named by its file, without what follows `?` or `#` in an address"
    return why_no_path(path)


def why_no_test_command(command: str) -> str | None:
    """Why a command that runs tests cannot be meant: `::` stands alone, with no report after it; None where it can."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None  # For a shell to tell.
    if "::" not in words:
        return None
    return "after ' :: ' stands the JUnit XML that the command leaves, a path that ends in .xml"
