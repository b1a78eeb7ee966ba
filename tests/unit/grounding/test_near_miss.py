"""Names that are one slip away from a popular package."""

import pytest
from arreio_contracts.grounding import Ecosystem
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.rules.grounding.near_miss import POPULAR, near_misses


@pytest.mark.parametrize(
    ("ecosystem", "name", "meant"),
    [
        ("pypi", "reqeusts", "requests"),
        ("pypi", "requets", "requests"),
        ("pypi", "requestss", "requests"),
        ("pypi", "python_dateutils", "python-dateutil"),
        ("pypi", "py-yaml", "pyyaml"),
        ("pypi", "nunpy", "numpy"),
        ("pypi", "matplotlip", "matplotlib"),
        ("npm", "expresss", "express"),
        ("npm", "lodahs", "lodash"),
        ("npm", "crossenv", "cross-env"),
    ],
)
def test_a_slip_is_near_what_was_meant(ecosystem: Ecosystem, name: str, meant: str) -> None:
    assert meant in near_misses(ecosystem, name)


@pytest.mark.parametrize(
    ("ecosystem", "name"),
    [
        ("pypi", "pypdf"),
        ("pypi", "motor"),
        ("pypi", "tomli"),
        ("pypi", "flask-restx"),
        ("pypi", "nox"),
        ("pypi", "my-company-tools"),
        ("npm", "preact"),
        ("npm", "@types/react"),
        ("npm", "enquirer"),
    ],
)
def test_a_package_of_its_own_is_near_nothing(ecosystem: Ecosystem, name: str) -> None:
    assert near_misses(ecosystem, name) == ()


@given(st.sampled_from([(ecosystem, name) for ecosystem in POPULAR for name in sorted(POPULAR[ecosystem])]))
def test_a_popular_package_is_never_a_near_miss_of_another(known: tuple[Ecosystem, str]) -> None:
    assert near_misses(*known) == ()
