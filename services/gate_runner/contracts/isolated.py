"""Checks a document in this process where that is sure to end soon, else in a process of its own, which is ended."""

import asyncio
import json
import re
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from shared.schemas.checking import Checked, Problem, Unusable, contract_in, form_of, place_of, version_of
from shared.schemas.json_schema import check_schema
from shared.schemas.openapi import check_openapi, check_operations, is_openapi

from ..searching import is_tame

TIME_LIMIT: Final = 30.0
_SMALL: Final = 256 << 10
_UNUSABLE: Final = 3


async def check(document: Any, path: Path, schema: str, workspace: Path) -> Checked:
    """The problems of a document, which was read from `path`, by a contract of the form `file` or `openapi_document`.

    Raises:
        Unusable: nothing can be held against the contract.
    """
    if form_of(schema) == "file":
        place, _ = place_of(schema, workspace)
        contract = contract_in(place)
        small = path.stat().st_size <= _SMALL and place.stat().st_size <= _SMALL
        if small and not is_openapi(contract) and all(map(_ends_soon, _patterns(contract))):
            return check_here(document, path, schema, workspace)
    return await _apart(document, path, schema, workspace)


def check_here(document: Any, path: Path, schema: str, workspace: Path) -> Checked:
    """See `check`; takes as long as it takes."""
    if form_of(schema) == "openapi_document":
        return check_openapi(document, path, workspace, version_of(schema))
    place, fragment = place_of(schema, workspace)
    contract = contract_in(place)
    if not is_openapi(contract) or fragment:
        return check_schema(document, contract, place, fragment, workspace)
    found = check_openapi(document, path, workspace)
    return found if found.problems else check_operations(document, contract)


async def _apart(document: Any, path: Path, schema: str, workspace: Path) -> Checked:
    given = json.dumps({"document": document, "path": str(path), "schema": schema, "workspace": str(workspace)})
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        __package__ or "",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        output, complaint = await asyncio.wait_for(process.communicate(given.encode()), TIME_LIMIT)
    except TimeoutError:
        return Checked((Problem("$", f"checking it did not end within {TIME_LIMIT:.0f} s"),))
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode == _UNUSABLE:
        raise Unusable(output.decode())
    if process.returncode != 0:
        said = complaint.decode("utf-8", "replace").strip().splitlines() or [f"status {process.returncode}"]
        raise Unusable(f"the document could not be checked: {said[-1][:200]}")
    found = json.loads(output)
    return Checked(tuple(Problem(**problem) for problem in found["problems"]), found["more"])


def main() -> int:
    """The process of its own: reads what to check on standard input and prints what was found."""
    given = json.load(sys.stdin)
    try:
        found = check_here(given["document"], Path(given["path"]), given["schema"], Path(given["workspace"]))
    except Unusable as error:
        sys.stdout.write(str(error))
        return _UNUSABLE
    sys.stdout.write(json.dumps(asdict(found)))
    return 0


def _ends_soon(pattern: str) -> bool:
    """Whether a search is sure to end soon; with what is no regular expression it does not even begin."""
    try:
        return is_tame(pattern)
    except re.error:
        return True


def _patterns(schema: Any) -> list[str]:
    """The regular expressions of a schema."""
    found: list[str] = []
    waiting = [schema]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            pattern, properties = value.get("pattern"), value.get("patternProperties")
            found += [pattern] if isinstance(pattern, str) else []
            found += properties if isinstance(properties, dict) else []
            waiting += value.values()
    return found
