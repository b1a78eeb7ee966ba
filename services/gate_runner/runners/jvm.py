"""Maven (Surefire, Failsafe) and Gradle, which leave JUnit XML in the build folder of each module."""

from collections.abc import Sequence
from typing import Final

from ..reports import Found, Report
from .base import Runner, Told, junit_of, word

LEAVES: Final = (
    "*target/surefire-reports/TEST-*.xml",
    "*target/failsafe-reports/TEST-*.xml",
    "*build/test-results/*.xml",
)


def _read(found: Sequence[Found], _: str) -> Report | None:
    return junit_of(found)


JVM: Final = Runner(
    "Maven or Gradle",
    word("mvn", "mvnw", "mvnd", "gradle", "gradlew"),
    lambda command, _: Told(command, leaves=LEAVES),
    _read,
)
