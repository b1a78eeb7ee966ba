"""Which proposal an operator means."""

from typing import Any

import pytest

from arreio.commands.proposals import meant_by
from shared.errors import ArreioError


def row(proposal_id: str, state: str, name: str = "use-tabs") -> dict[str, Any]:
    return {"proposal_id": proposal_id, "state": state, "name": name}


def test_an_id_or_its_beginning_means_one_proposal() -> None:
    rows = [row("p_abc1", "proposed"), row("p_abd2", "proposed")]
    assert meant_by(rows, "p_abc1", "proposed") is rows[0] and meant_by(rows, "p_abd", "proposed") is rows[1]
    with pytest.raises(ArreioError, match="begins 2 ids"):
        meant_by(rows, "p_ab", "proposed")


def test_a_name_means_the_one_in_the_state_that_fits_the_command() -> None:
    rows = [row("p_1", "approved"), row("p_2", "proposed")]
    assert meant_by(rows, "use-tabs", "approved") is rows[0] and meant_by(rows, "use-tabs", "proposed") is rows[1]


def test_a_name_that_several_wordings_wait_under_means_none_of_them() -> None:
    rows = [row("p_1", "proposed"), row("p_2", "proposed"), row("p_3", "approved")]
    with pytest.raises(ArreioError, match="p_1, p_2"):
        meant_by(rows, "use-tabs", "proposed")
