"""Nobody takes all timelines, and whoever gets none is told why."""

from contextlib import ExitStack

import pytest

from services.console.followers import Followers
from services.console.workings import Busy


def test_one_person_has_a_few_and_the_others_have_theirs() -> None:
    followers = Followers(most=3, most_of_one=2)
    with ExitStack() as followed:
        for _ in range(2):
            followed.enter_context(followers.place("vera"))
        with pytest.raises(Busy, match="you follow 2 timelines already") as refused, followers.place("vera"):
            pass
        assert refused.value.hint == "close one of them"
        with followers.place("olga"), pytest.raises(Busy) as full, followers.place("otto"):
            pass
        assert "by several people" in full.value.message and "close" not in (full.value.hint or "")
        with followers.place("otto"):  # olga has gone
            pass
    with followers.place("vera"), followers.place("vera"), followers.place("olga"):
        pass


def test_a_place_is_free_again_however_its_timeline_ended() -> None:
    followers = Followers(most=1)
    for _ in range(3):
        with pytest.raises(OSError, match="gone"), followers.place("vera"):
            raise OSError("gone")
