"""The version of the code that runs, as it is recorded with every event."""

from importlib.metadata import PackageNotFoundError, version


def _installed() -> str:
    try:
        return version("arreio")
    except PackageNotFoundError:
        return "unknown"


CODE_VERSION = _installed()
