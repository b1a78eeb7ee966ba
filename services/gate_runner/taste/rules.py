"""The rules of taste of a profile, as its YAML file names them."""

from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError


class UnusableTaste(Exception):
    """A file of rules that cannot be read; the text says why, in one line."""


class _Rule(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1, max_length=80)
    why: str = Field(default="", description="What it is good for, as the model is told.")
    good: str = Field(default="", description="An example that follows it.")
    bad: str = Field(default="", description="An example that breaks it.")


class Contrast(_Rule):
    """Text and its background, where one rule or style sets both. Source: WCAG 2.2, 1.4.3."""

    check: Literal["contrast"]
    least: float = Field(default=4.5, ge=1, le=21)


class Colours(_Rule):
    """Only these colours; custom properties (`--name`) may be defined as any."""

    check: Literal["colours"]
    tokens: tuple[str, ...] = Field(min_length=1, description="As `#rgb` or `#rrggbb`.")


class Spacing(_Rule):
    """Only these lengths, in pixels, for margin, padding and gap."""

    check: Literal["spacing"]
    tokens: tuple[float, ...] = Field(min_length=1)


class Markup(_Rule):
    """What needs no setting: images without words, headings that skip a level, controls without a name."""

    check: Literal["alt_text", "headings", "labels"]


Rule = Annotated[Contrast | Colours | Spacing | Markup, Field(discriminator="check")]


class Taste(BaseModel):
    """The rules of one profile, in the order in which they are checked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rules: tuple[Rule, ...] = ()


def taste_of(data_dir: Path, profile: str | None) -> Taste:
    """The rules in `DATA_DIR/taste/PROFILE.yaml` (`default.yaml` without a profile); none where there is no such file.

    Raises:
        UnusableTaste: the file cannot be read as rules.
    """
    name = profile or "default"
    file = data_dir / "taste" / f"{name}.yaml"
    if "/" in name or not file.is_file():
        return Taste()
    try:
        return Taste.model_validate(yaml.safe_load(file.read_text("utf-8")) or {})
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UnusableTaste(f"{file} is not YAML: {str(error).splitlines()[0]}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise UnusableTaste(f"{file}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
