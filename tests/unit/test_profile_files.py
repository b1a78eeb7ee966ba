"""What the command line knows of profiles before anything is up."""

from pathlib import Path

import pytest

from arreio.profile_files import given_by
from shared.errors import ArreioError
from shared.settings import Settings


def test_the_fields_that_a_profile_gives_are_known_before_anything_is_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(home=tmp_path, profiles=tmp_path / "mine")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "shop.yaml").write_text("model: openai/x\nworkspace: /srv/shop\n")
    (tmp_path / "mine" / "bad.yaml").write_text("[")
    assert given_by(settings, "shop") == {"model", "workspace"}
    assert given_by(settings, None) == given_by(settings, "default") == frozenset()
    assert {"model", "workspace"} <= given_by(settings, "bad"), "the gateway may know a version that is good"
    assert "bad.yaml" in capsys.readouterr().err
    with pytest.raises(ArreioError, match="there is no profile 'nobody'; there is shop"):
        given_by(settings, "nobody")
