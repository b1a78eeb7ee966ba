"""What a model can be trusted with: the capability profile of a model's name, shipped or overridden in YAML."""

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

import regex
import yaml
from arreio_contracts.task import Budgets, Contract
from pydantic import Field, ValidationError, model_validator

from shared.yaml_text import load_yaml

from .errors import CapabilityError

LayerName = Literal["identity", "instruction_files", "project_context", "business_rules", "task_state"]
ToolCallMode = Literal["native", "json_schema", "slots", "text"]

_SIZE = re.compile(r"(?<![a-z0-9.])(\d+(?:\.\d+)?)([mb])(?![a-z0-9])")
_VENDOR = re.compile(r"\A(?:[a-z]+\.)+(?=[a-z])")
_SHIPPED: Final = "profiles.yaml"
MOST_SAMPLES: Final = 32
ENCODINGS: Final = ("cl100k_base", "o200k_base", "o200k_harmony", "p50k_base", "p50k_edit")
"""Those that the context-builder can count with."""
_TOKENIZER: Final = rf"^(approx(:[0-9]+(\.[0-9]+)?)?|tiktoken:({'|'.join(ENCODINGS)}))$"
_PATTERN_SECONDS: Final = 0.25
_MOST_LETTERS: Final = 40
_MONTH: Final = 31 * 86400


class AntiLoop(Contract):
    """When the harness takes what a model does for a loop."""

    n_repeat: int = Field(ge=1, description="Same call, same result.")
    polling_limit: int = Field(ge=1, description="The same for tools and commands declared as polling.")
    cycle_window: int = Field(ge=4, description="Calls looked at.")
    cycle_repetitions: int = Field(ge=2, description="Repetitions of a period.")
    circuit_breaker: int = Field(ge=1, description="Same command, same error class.")
    progress_budget: int = Field(ge=1, description="Effects without progress.")


class CapabilityProfile(Contract):
    """How a model is asked and how far it is trusted; recorded whole on each task. Durations are seconds."""

    name: str
    tool_call_mode: ToolCallMode
    parallel_tool_calls: bool = False
    context_tokens: int = Field(ge=512, description="Prompt and reply of one step together.")
    max_output_tokens: int = Field(ge=16)
    layer_budgets: dict[LayerName, Annotated[int, Field(ge=0)]]
    temperature: float = Field(ge=0, le=2)
    self_consistency: int = Field(
        default=1, ge=1, le=MOST_SAMPLES, description="Samples of a decision that are voted on."
    )
    rejected_turns: int = Field(default=3, ge=1, description="Rejected turns in a row before the next rung.")
    steps_per_subtask: int | None = Field(default=None, ge=1, description="None: the task is not decomposed.")
    plans_itself: bool = Field(default=True, description="Its plans are its own; else the harness makes them.")
    complete_on_criteria: bool = Field(default=False, description="The harness claims when the cheap criteria hold.")
    tokenizer: str = Field(default="approx", pattern=_TOKENIZER)
    correction: float = Field(default=1.0, ge=0.1, le=100, description="Factor on estimated token counts.")
    summaries: bool = Field(default=False, description="The model sums up history that no longer fits.")
    escalates_to: str | None = Field(default=None, min_length=1, description="The model of the ladder's third rung.")
    request_timeout: float = Field(gt=0, le=_MONTH)
    budgets: Budgets
    anti_loop: AntiLoop
    stall: float = Field(gt=0, le=_MONTH, description="Without an event of the task while it is leased.")
    abstentions: int = Field(ge=1, description="Abstentions in a row before a person is asked.")

    @model_validator(mode="after")
    def _room_for_a_prompt(self) -> Self:
        if self.max_output_tokens >= self.context_tokens:
            raise ValueError("max_output_tokens leaves nothing of context_tokens for a prompt")
        return self


class Family(Contract):
    """Models of one profile: those whose name `pattern` matches at its start, and that are small enough."""

    pattern: str
    profile: str
    max_billions: float | None = Field(default=None, gt=0, description="Only names that tell a size up to this.")


class _ProfileFile(Contract):
    profiles: dict[str, dict[str, Any]] = Field(default_factory=dict)
    families: tuple[Family, ...] = ()


def resolve(model_id: str, capability: str | None = None, overrides: Path | None = None) -> CapabilityProfile:
    """The capability profile of a model, or the one that is named.

    Raises:
        CapabilityError: no profile of that name, or the overrides cannot be used.
    """
    modified = _modified(overrides) if overrides is not None else 0
    profiles, families = _known(overrides, modified)
    name = capability or family_of(model_id, families).profile
    if name not in profiles:
        raise CapabilityError(f"there is no capability profile {name!r}", f"the profiles are {', '.join(profiles)}")
    return profiles[name]


def check_profiles(overrides: Path | None) -> None:
    """Read the overrides, if any, so that a file that cannot be used is told at once.

    Raises:
        CapabilityError: they cannot be used.
    """
    if overrides is None:
        return
    profiles, _ = _known(overrides, _modified(overrides))
    for profile in profiles.values():
        if profile.escalates_to is not None and not _can_be_asked(profile.escalates_to):
            raise CapabilityError(
                f"{overrides}: profiles.{profile.name}.escalates_to: no provider is known for {profile.escalates_to!r}",
                "name it PROVIDER/MODEL as litellm does, or local/NAME",
            )


def _can_be_asked(model: str) -> bool:
    from .client import has_provider
    from .local_models import is_local

    return is_local(model) or has_provider(model)


def is_known(model_id: str, overrides: Path | None = None) -> bool:
    """Whether a family takes a model for what its name says, and not only as any model.

    Raises:
        CapabilityError: the overrides cannot be used.
    """
    modified = _modified(overrides) if overrides is not None else 0
    _, families = _known(overrides, modified)
    return family_of(model_id, families) is not families[-1]


def family_of(model_id: str, families: tuple[Family, ...]) -> Family:
    """The first family that a model belongs to; the last one shipped takes every model."""
    name = own_name(model_id)
    billions = size_in_billions(name)
    for family in families:
        small_enough = family.max_billions is None or (billions is not None and billions <= family.max_billions)
        if small_enough and takes(family, name):
            return family
    raise CapabilityError(f"no family of the capability profiles takes the model {model_id!r}")


def takes(family: Family, name: str) -> bool:
    """Whether a family's pattern matches a model's own name. Raises CapabilityError where it cannot be told in time."""
    try:
        return regex.match(family.pattern, name, timeout=_PATTERN_SECONDS) is not None
    except TimeoutError as error:
        raise CapabilityError(f"the pattern {family.pattern!r} takes too long to match {name[:80]!r}") from error


def _check_pattern(family: Family, source: str) -> None:
    """Match the pattern with names of its own letters over and over, on which one that runs away does."""
    try:
        for letter in sorted({letter for letter in family.pattern.lower() if letter.isalnum()} | {"a"})[:_MOST_LETTERS]:
            takes(family, letter * 64 + "!")
    except regex.error as error:
        raise CapabilityError(f"{source}: the pattern {family.pattern!r} cannot be read: {error}") from error
    except CapabilityError as error:
        raise CapabilityError(f"{source}: {error.message}", "write it without a repetition in a repetition") from error


def own_name(model_id: str) -> str:
    """The name of a model without provider, namespace and file ending: `openai/qwen/Qwen2.5:0.5B` → `qwen2.5:0.5b`."""
    name = model_id.rstrip("/").rsplit("/", 1)[-1].lower().removesuffix(".gguf")
    return _VENDOR.sub("", name)


def size_in_billions(name: str) -> float | None:
    """The number of parameters that a model's name tells, in billions: `smollm2-135m` → 0.135."""
    sizes = [float(number) / (1000 if unit == "m" else 1) for number, unit in _SIZE.findall(name)]
    return max(sizes, default=None)


@lru_cache(maxsize=16)
def _known(overrides: Path | None, _modified: int) -> tuple[dict[str, CapabilityProfile], tuple[Family, ...]]:
    shipped = _parse(files(__package__).joinpath(_SHIPPED).read_text(encoding="utf-8"), _SHIPPED)
    own, source = _ProfileFile(), _SHIPPED
    if overrides is not None:
        source = str(overrides)
        own = _parse(_read(overrides), source)
    raw = {**shipped.profiles, **own.profiles}
    profiles = {name: _profile(name, raw, shipped.profiles, source) for name in raw}
    families = (*own.families, *shipped.families)
    for family in families:
        if family.profile not in profiles:
            raise CapabilityError(f"{source}: the family {family.pattern!r} has no profile {family.profile!r}")
    for family in own.families:
        _check_pattern(family, source)
    return profiles, families


def _profile(
    name: str, raw: Mapping[str, dict[str, Any]], shipped: Mapping[str, dict[str, Any]], source: str
) -> CapabilityProfile:
    values = _inherited(name, raw, shipped, source, ())
    try:
        return CapabilityProfile.model_validate({**values, "name": name}, strict=True)
    except ValidationError as error:
        raise _misfit(source, f"profiles.{name}", error) from error


def _inherited(
    name: str,
    raw: Mapping[str, dict[str, Any]],
    shipped: Mapping[str, dict[str, Any]],
    source: str,
    seen: tuple[str, ...],
) -> dict[str, Any]:
    """The fields of a profile over those it extends; one that extends its own name extends the shipped one."""
    values = dict(raw[name])
    parent = values.pop("extends", None)
    if parent is None:
        return values
    if not isinstance(parent, str):
        raise CapabilityError(f"{source}: profile {name!r} extends {parent!r}, which is no name of a profile")
    if parent == name and name in shipped and raw is not shipped:
        return _merged(_inherited(name, shipped, shipped, source, ()), values)
    if parent not in raw or parent == name or parent in seen:
        raise CapabilityError(f"{source}: profile {name!r} extends {parent!r}, which does not lead to a profile")
    return _merged(_inherited(parent, raw, shipped, source, (*seen, name)), values)


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`over` on `base`; where both hold a mapping, key by key."""
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        merged[key] = _merged(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return merged


def _parse(text: str, source: str) -> _ProfileFile:
    try:
        read = load_yaml(text)
    except yaml.YAMLError as error:
        raise CapabilityError(f"{source} is not YAML: {' '.join(str(error).split())}") from error
    try:
        return _ProfileFile.model_validate(read or {})
    except ValidationError as error:
        raise _misfit(source, "", error) from error


def _misfit(source: str, place: str, error: ValidationError) -> CapabilityError:
    first = error.errors()[0]
    field = ".".join(filter(None, (place, *map(str, first["loc"]))))
    return CapabilityError(f"{source}: {field}: {first['msg']}", "correct that field")


def _modified(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError as error:
        raise CapabilityError(f"the capability profiles {path} cannot be read: {error.strerror}") from error


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CapabilityError(f"the capability profiles {path} cannot be read: {error}") from error
