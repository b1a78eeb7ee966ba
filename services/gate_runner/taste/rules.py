"""The rules of taste of a profile, as its YAML file names them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, Self

import yaml
from pathspec import GitIgnoreSpec
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from shared.errors import ArreioError
from shared.taste_file import taste_file
from shared.yaml_text import load_yaml

from .colours import colour_of

_MOST_BYTES: Final = 1 << 20


class UnusableTaste(ArreioError):
    """A file of rules that is not there or cannot be read; the text says why, in one line."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Rule(_Part):
    name: str = Field(min_length=1, max_length=80, pattern=r"^[^\[\]\n]+$")
    why: str = Field(default="", max_length=1000, description="What it is good for, as the model is told.")
    good: str = Field(default="", max_length=1000, description="An example that follows it.")
    bad: str = Field(default="", max_length=1000, description="An example that breaks it.")
    files: tuple[str, ...] = Field(default=(), description="Only of these files (as in gitignore); unset: of all.")

    def holds_for(self, path: str) -> bool:
        """Whether it is a rule for this file."""
        return not self.files or GitIgnoreSpec.from_lines(self.files).match_file(path)


class Contrast(_Rule):
    """Text and its background, where the style sheet sets both. Source: WCAG 2.2, 1.4.3."""

    check: Literal["contrast"]
    least: float = Field(default=4.5, ge=1, le=21)


class Colours(_Rule):
    """Only these colours; custom properties (`--name`) may be defined as any."""

    check: Literal["colours"]
    tokens: tuple[str, ...] = Field(
        min_length=1, description="As CSS writes them: `#rgb`, `#rrggbb`, `hsl(…)`, `navy`."
    )

    @field_validator("tokens")
    @classmethod
    def _colours(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for token in value:
            if colour_of(token) is None:
                raise ValueError(f"{token!r} is no colour of sRGB")
        return value


class Spacing(_Rule):
    """Only these lengths, in pixels (a rem is 16), for margin, padding and gap."""

    check: Literal["spacing"]
    tokens: tuple[Annotated[float, Field(ge=0)], ...] = Field(min_length=1)


class Markup(_Rule):
    """What needs no setting: images without words, headings that skip a level, controls without a name."""

    check: Literal["alt_text", "headings", "labels"]


class RenderedContrast(_Rule):
    """Every text of the page as a browser shows it, against what is behind it. Source: WCAG 2.2, 1.4.3."""

    check: Literal["rendered_contrast"]
    least: float = Field(default=4.5, ge=1, le=21)


class Overflow(_Rule):
    """On a phone the page must not be wider than the screen. Source: WCAG 2.2, 1.4.10."""

    check: Literal["overflow"]


class TextSize(_Rule):
    """No text is shown smaller than this, in pixels."""

    check: Literal["text_size"]
    least: float = Field(default=12, ge=1, le=100)


class TapTargets(_Rule):
    """What is tapped on a phone is at least this wide and high, in pixels, or stands apart. Source: WCAG 2.2, 2.5.8."""

    check: Literal["tap_targets"]
    least: float = Field(default=24, ge=1, le=200)


class ControlNames(_Rule):
    """Every control has a name in the browser's accessibility tree. Source: WCAG 2.2, 4.1.2."""

    check: Literal["control_names"]


class Screenshot(_Rule):
    """Nothing but that the page is rendered, its screenshots kept, and its scripts' errors told."""

    check: Literal["screenshot"]


class Judged(_Rule):
    """A rule that only a reader can judge: the model is asked."""

    check: Literal["model"]
    why: str = Field(min_length=1, max_length=1000)


RENDERED: Final = (RenderedContrast, Overflow, TextSize, TapTargets, ControlNames, Screenshot)
Rule = Annotated[
    Contrast
    | Colours
    | Spacing
    | Markup
    | RenderedContrast
    | Overflow
    | TextSize
    | TapTargets
    | ControlNames
    | Screenshot
    | Judged,
    Field(discriminator="check"),
]


class Reader(_Part):
    """The model that judges the rules of `check: model`, and how often and how long it may."""

    name: str | None = Field(default=None, min_length=1, description="As in a contract; unset: the task's own model.")
    api_base: str | None = None
    calls: int = Field(default=3, ge=1, le=20, description="Requests for all claims of one task together.")
    seconds: float = Field(default=60, gt=0, le=300, description="For one request.")
    max_tokens: int = Field(default=800, ge=64, le=8000, description="Of one reply.")
    max_characters: int = Field(default=24_000, ge=500, le=200_000, description="Of the files that one request shows.")


class Taste(_Part):
    """The rules of one profile, in the order in which they are checked."""

    rules: tuple[Rule, ...] = ()
    returns: int = Field(default=2, ge=0, le=5, description="Claims of one task that taste alone may send back.")
    model: Reader | None = None
    pages: tuple[str, ...] = Field(default=(), max_length=5, description="Pages that are rendered whatever changed.")

    @model_validator(mode="after")
    def _named_once(self) -> Self:
        names = [rule.name for rule in self.rules]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two rules are named {twice!r}")
        return self

    @property
    def rendered(self) -> tuple[Rule, ...]:
        """The rules that need a browser."""
        return tuple(rule for rule in self.rules if isinstance(rule, RENDERED))

    @property
    def judged(self) -> tuple[Judged, ...]:
        """The rules that need a model."""
        return tuple(rule for rule in self.rules if isinstance(rule, Judged))


def taste_of(data_dir: Path, name: str | None, profile: str | None = None) -> Taste:
    """The rules in `DATA_DIR/taste/NAME.yaml`, or in the file of that absolute path.

    Without a name those in `PROFILE.yaml` (`default.yaml` without a profile), and none where there is no such file.

    Raises:
        UnusableTaste: the file is not there, or cannot be read as rules.
    """
    file = taste_file(data_dir, name, profile)
    if "/" in (name or profile or "") and not (name or "").startswith("/"):
        raise UnusableTaste(f"{name or profile!r} is neither an absolute path nor the name of a file in {file.parent}")
    if not file.is_file():
        if name is None:
            return Taste()
        raise UnusableTaste(f"there is no file {file}")
    return read_taste(file)


def read_taste(file: Path) -> Taste:
    """The rules that a file holds.

    Raises:
        UnusableTaste: it cannot be read as rules.
    """
    try:
        text = file.read_text("utf-8")
        if len(text) > _MOST_BYTES:
            raise UnusableTaste(f"{file} is larger than {_MOST_BYTES} bytes")
        found = load_yaml(text)
        return Taste.model_validate({} if found is None else found)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        raise UnusableTaste(f"{file} is not YAML: {' '.join(str(error).split())[:300]}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = _place(first["loc"], found)
        raise UnusableTaste(f"{file}: {place}: {first['msg'].removeprefix('Value error, ')}") from error


def _place(loc: Sequence[int | str], found: object) -> str:
    """Where a file is wrong, with the rule's own name, and without the names of our unions."""
    if loc and loc[0] == "rules" and len(loc) > 1 and isinstance(found, dict):
        rule = found["rules"][loc[1]]
        named = rule.get("name") if isinstance(rule, dict) else None
        rest = ".".join(map(str, loc[3:]))
        return f"rule {loc[1]!s}{f' ({named!r})' if named else ''}{f': {rest}' if rest else ''}"
    return ".".join(map(str, loc)) or "the file"
