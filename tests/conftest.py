"""What every test may ask for: one embedded engine for the whole run, provisioned."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import pytest

from shared.engine.engine import running_engine
from shared.provision import provision
from shared.settings import Settings
from tests.support.provisioned import lay


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of a running, provisioned engine in a directory of this run; its servers end with the run."""
    settings = Settings(home=tmp_path_factory.mktemp("engine"), database_url=None, nats_url=None)
    lay(settings.home)
    with running_engine(settings):
        provision(settings)
        yield settings


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Lone surrogates in captured logs are escaped: a worker of xdist cannot send them, and would end."""
    report = yield
    report.sections = [(name, text.encode("utf-8", "backslashreplace").decode()) for name, text in report.sections]
    return report
