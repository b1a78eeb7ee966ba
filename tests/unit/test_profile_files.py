"""What the command line knows of the operator's profile before anything is up."""

from pathlib import Path

import pytest
from arreio_contracts.messages import InboundMessage

from arreio.commands.work import default_model
from arreio.profile_files import given_to
from shared.errors import ArreioError
from shared.settings import Settings

MESSAGE = InboundMessage(conversation="run-1", message_id="m", sender="ana")


def settings_with(place: Path, **files: str) -> Settings:
    (place / "mine").mkdir()
    for name, text in files.items():
        (place / "mine" / f"{name}.yaml").write_text(text)
    return Settings(
        home=place, profiles=place / "mine", model="openai/env", api_base="https://env/v1", capability="weak"
    )


def test_the_fields_that_a_named_profile_gives_are_known_before_anything_is_up(tmp_path: Path) -> None:
    settings = settings_with(tmp_path, shop="model: openai/x\nworkspace: /srv/shop\n")
    assert given_to(settings, "cli", MESSAGE, "shop", False) == {"model", "workspace"}
    assert given_to(settings, "cli", MESSAGE, "default", False) == frozenset()
    with pytest.raises(ArreioError, match="there is no profile 'nobody'; there is shop"):
        given_to(settings, "cli", MESSAGE, "nobody", False)


@pytest.mark.parametrize(
    ("channel", "sender", "given"),
    [
        ("cli", "ana", {"model", "workspace"}),
        ("cli", "bob", {"agent"}),
        ("terminal", "ana", {"agent"}),
    ],
)
def test_without_a_name_the_operator_has_what_fits_him_or_the_default(
    tmp_path: Path, channel: str, sender: str, given: set[str]
) -> None:
    settings = settings_with(
        tmp_path,
        mine="match: {channel: cli, sender: ana}\nmodel: openai/x\nworkspace: /srv/shop\n",
        other="match: {sender: ana}\nnetwork: true\n",
        default="agent: support\n",
    )
    message = MESSAGE.model_copy(update={"sender": sender})
    assert given_to(settings, channel, message, None, False) == given


def test_without_profiles_nothing_is_given(tmp_path: Path) -> None:
    assert given_to(Settings(home=tmp_path), "cli", MESSAGE, None, False) == frozenset()


@pytest.mark.parametrize(
    ("given", "left"),
    [
        (set(), ("openai/env", "https://env/v1", "weak")),
        ({"agent"}, ("openai/env", "https://env/v1", "weak")),
        ({"model"}, (None, None, None)),
        ({"api_base"}, ("openai/env", None, None)),
        ({"capability"}, ("openai/env", "https://env/v1", None)),
    ],
)
def test_the_environment_speaks_only_where_the_profile_says_nothing(
    tmp_path: Path, given: set[str], left: tuple[str | None, ...]
) -> None:
    assert tuple(default_model(settings_with(tmp_path), given).values()) == left
