"""What is measured on a page as a browser shows it; lengths in CSS pixels."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class _Measure(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Text(_Measure):
    """A text that is seen. `behind` is None where what lies behind it cannot be told."""

    what: str
    size: float
    bold: bool = False
    disabled: bool = False
    colour: tuple[int, int, int]
    behind: tuple[int, int, int] | None


class Target(_Measure):
    """Something that is tapped. `inline`: it stands in a line of text; `native`: the browser alone made its size."""

    what: str
    x: float
    y: float
    width: float
    height: float
    inline: bool = False
    native: bool = False


class Wide(_Measure):
    """Something that reaches beyond the screen."""

    what: str
    right: float


class Unnamed(_Measure):
    """A control that the accessibility tree has no name for."""

    what: str
    role: str


class Measures(_Measure):
    """A page on one screen. `errors` are those of its scripts and what it asked the workspace for and did not get;
    `elsewhere` are the addresses outside the workspace whose styles or scripts it lacks."""

    title: str = ""
    viewport: bool = Field(default=True, description="Whether it says how wide a phone is to lay it out.")
    width: float = 0
    scroll_width: float = 0
    scroll_height: float = 0
    blank: bool = False
    texts: tuple[Text, ...] = ()
    targets: tuple[Target, ...] = ()
    wide: tuple[Wide, ...] = ()
    unnamed: tuple[Unnamed, ...] = ()
    errors: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()


def measures_of(found: Any, **more: Any) -> Measures:
    """The measures from what the page's script answered and what was heard besides."""
    return Measures.model_validate({**found, **more})
