"""What is in the image, and what is known to be wrong with it: an SBOM, and an audit that says what it could not ask.

`make audit` runs it. Exit status 1: a package with a known vulnerability; 2: a package that could not be audited.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).resolve().parent.parent
LOCK: Final = ROOT / "requirements.image.lock"
BIN: Final = Path(sys.executable).parent


@dataclass(frozen=True)
class Audit:
    """What an auditor answered: vulnerable packages with the ids of their faults, sound ones, those not asked about."""

    vulnerable: dict[str, tuple[str, ...]]
    sound: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def status(self) -> int:
        """The exit status."""
        if self.vulnerable:
            return 1
        return 2 if self.unknown or not self.sound else 0


def read_audit(report: dict[str, Any]) -> Audit:
    """An audit out of pip-audit's JSON report. Raises KeyError where it is none."""
    vulnerable, sound, unknown = {}, [], []
    for one in report["dependencies"]:
        if "skip_reason" in one:
            unknown.append(one["name"])
        elif one["vulns"]:
            vulnerable[f"{one['name']} {one['version']}"] = tuple(vuln["id"] for vuln in one["vulns"])
        else:
            sound.append(one["name"])
    return Audit(vulnerable, tuple(sound), tuple(unknown))


def pinned(lock: str) -> tuple[str, ...]:
    """The names of all packages of a lock, given its text."""
    return tuple(re.findall(r"^([A-Za-z0-9][\w.-]*)(?:\[.*?\])?==", lock, re.MULTILINE))


def audit_of(answer: str, names: Iterable[str]) -> Audit:
    """The audit of the packages `names`: those that the auditor's answer does not speak of are unknown.

    An auditor that found no network answers nothing at all.
    """
    try:
        audit = read_audit(json.loads(answer))
    except (ValueError, KeyError):
        audit = Audit({}, (), ())
    vulnerable = (one.partition(" ")[0] for one in audit.vulnerable)
    spoken_of = {canonicalize_name(one) for one in (*vulnerable, *audit.sound, *audit.unknown)}
    silent = (one for one in names if canonicalize_name(one) not in spoken_of)
    return replace(audit, unknown=(*audit.unknown, *silent))


def say(audit: Audit) -> list[str]:
    """The audit in lines for people."""
    lines = [f"{name}: {', '.join(ids)}" for name, ids in sorted(audit.vulnerable.items())]
    lines.append(f"{len(audit.vulnerable)} vulnerable, {len(audit.sound)} with nothing known against them")
    if audit.unknown:
        names = ", ".join(sorted(audit.unknown))
        lines.append(
            f"NOT AUDITED, for the feed of known vulnerabilities said nothing of them: {len(audit.unknown)} ({names})"
        )
    return lines


def main() -> int:
    """Write `build/sbom.cdx.json` (CycloneDX), audit the image's lock, and say what came of it."""
    sbom = ROOT / "build" / "sbom.cdx.json"
    sbom.parent.mkdir(exist_ok=True)
    subprocess.run([BIN / "cyclonedx-py", "requirements", LOCK, "--of", "JSON", "-o", sbom], check=True)
    parts = len(json.loads(sbom.read_text())["components"])
    print(f"{sbom.relative_to(ROOT)}: {parts} components")  # noqa: T201
    asked = subprocess.run(
        [BIN / "pip-audit", "-r", LOCK, "--disable-pip", "--require-hashes", "--format", "json", "--timeout", "15"],
        capture_output=True,
        text=True,
        check=False,
    )
    audit = audit_of(asked.stdout, pinned(LOCK.read_text()))
    if audit.unknown and asked.stderr.strip():
        print(f"pip-audit: {asked.stderr.strip().splitlines()[-1]}", file=sys.stderr)  # noqa: T201
    print("\n".join(say(audit)))  # noqa: T201
    return audit.status


if __name__ == "__main__":
    sys.exit(main())
