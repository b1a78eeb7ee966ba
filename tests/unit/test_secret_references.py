"""Secrets by reference: read when they are used, masked from then on, and never said."""

from pathlib import Path

import pytest

from shared.secret_references import NoSecret, mask_from_now, resolve, resolve_all
from shared.secrets import mask


def test_a_secret_of_a_file_or_a_variable_is_read_and_masked_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one").write_text("plain-value-of-a-file\n")
    monkeypatch.setenv("SHOP_WORD", "plain value of a variable")
    said = "it is plain-value-of-a-file, or plain value of a variable"
    assert mask(said) == said
    found = resolve_all({"A": f"file:{tmp_path}/one", "B": "env:SHOP_WORD"})
    assert found == {"A": "plain-value-of-a-file", "B": "plain value of a variable"}
    assert mask(said) == "it is ***, or ***"


def test_each_long_line_of_a_secret_is_masked_too(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("first line of a long key\nx\nsecond line of a long key")
    mask_from_now([f"file:{tmp_path}/key", "env:NOBODY_SET_THIS"])
    assert mask("here: second line of a long key\nx") == "here: ***\nx"


@pytest.mark.parametrize("content", [None, b"", b"  \n", b"a\0b", b"\xff\xfe", b"x" * 100_000])
def test_what_is_no_secret_is_refused_by_its_reference_and_never_by_its_value(
    tmp_path: Path, content: bytes | None
) -> None:
    place = tmp_path / "one"
    if content is not None:
        place.write_bytes(content)
    with pytest.raises(NoSecret) as told:
        resolve(f"file:{place}")
    assert str(place) in told.value.line() and "xxx" not in told.value.line()


def test_a_variable_that_is_not_set_is_named() -> None:
    with pytest.raises(NoSecret, match="env:NOBODY_SET_THIS is not there"):
        resolve("env:NOBODY_SET_THIS")
