"""A prompt for a person to look at: the layers of a workspace and an agent, or layers out of a file."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from arreio_contracts.messages import ContextManifest

from shared.prompt import HEADING

from .agents import identity
from .assembler import Assembled, assemble
from .collectors import project_context
from .instruction_cache import InstructionCache, load
from .instruction_copies import told_once
from .instruction_files import Ignored, InstructionFiles, Skipped
from .layers import Layer, LayerName, Unit
from .render import DEFAULT_BUDGETS, HEADINGS, cut_off
from .rows import FromDatabase, rule_units, rules_for
from .tokenizers import Tokenizer

_DEEPEST: Final = 32


class BadLayers(ValueError):
    """A file of layers that is not `{layer: {"units": [...]} | {"blob": TEXT}}`; the message names the place."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An assembled prompt and the files that were skipped while collecting."""

    assembled: Assembled
    skipped: tuple[Skipped, ...]

    def as_json(self) -> dict[str, Any]:
        """The answer of `arreio context show --json`."""
        return {
            "layers": [
                {
                    "name": layer.report.name.value,
                    "strategy": layer.report.strategy.value,
                    "budget": layer.report.budget,
                    "tokens": layer.report.tokens,
                    "estimated": layer.report.estimated,
                    "kept": list(layer.report.kept),
                    "dropped": [{"id": one.id, "tokens": one.tokens, "why": one.why} for one in layer.report.dropped],
                    "truncated": layer.report.truncated,
                }
                for layer in self.assembled.layers
            ],
            "skipped": [{"path": file.path, "why": file.why} for file in self.skipped],
            "sha256": self.assembled.sha256,
            "prompt": self.assembled.prompt,
        }


def show(
    workspace: Path,
    agent: str,
    tokenizer: Tokenizer,
    *,
    budgets: Mapping[LayerName, int] | None = None,
    layers: Mapping[LayerName, Sequence[Unit]] | None = None,
    rows: FromDatabase | None = None,
    ignored: Ignored = "skip",
    touched: Sequence[str] | None = None,
) -> Shown:
    """Assemble what `workspace`, `agent` and the database's rows give.

    `layers` replaces collected ones, which then stand as they are given, without a heading; `budgets` replaces the
    defaults. `touched`: only the instruction files on the way to these paths.

    Raises:
        UnknownAgent: the roster does not hold the agent, and its layer is not replaced.
        ContextUnfittable: pinned units are over their layer's budget.
    """
    given, known, limits = dict(layers or {}), rows or FromDatabase(), {**DEFAULT_BUDGETS, **(budgets or {})}
    units: dict[LayerName, Sequence[Unit]] = dict.fromkeys(LayerName, ())
    files = InstructionFiles()
    if not {LayerName.INSTRUCTION_FILES, LayerName.PROJECT_CONTEXT} <= given.keys():
        loaded = load(InstructionCache(), known.project, workspace, known.instructions, ignored=ignored)
        files = loaded.files if touched is None else loaded.files.touched(touched)
        files = told_once(files, partial(cut_off, LayerName.INSTRUCTION_FILES, limits, tokenizer))
        project = project_context(workspace, loaded.walked)
        units[LayerName.INSTRUCTION_FILES] = files.units
        units[LayerName.PROJECT_CONTEXT] = (project,) if project is not None else ()
    if LayerName.IDENTITY not in given:
        units[LayerName.IDENTITY] = (identity(agent),)
    units[LayerName.BUSINESS_RULES] = rule_units(rules_for(known.rules, str(workspace.resolve())))
    units.update(given)
    headings = {**HEADINGS, **dict.fromkeys(given, "")}
    cut = [Layer(name, tuple(units[name]), limits[name], headings[name]) for name in LayerName]
    return Shown(assemble(cut, tokenizer), () if LayerName.INSTRUCTION_FILES in given else files.skipped)


def recorded(manifest: ContextManifest) -> dict[str, Any]:
    """The report of a recorded prompt in the form of `Shown.as_json`."""
    return {
        "layers": [
            {
                "name": layer.name,
                "strategy": layer.strategy,
                "budget": layer.budget,
                "tokens": layer.tokens,
                "estimated": layer.estimated,
                "kept": [unit.id for unit in layer.units if unit.id != HEADING],
                "dropped": [{"id": one.id, "tokens": one.tokens, "why": one.why} for one in layer.dropped],
                "truncated": layer.truncated,
            }
            for layer in manifest.layers
        ],
        "skipped": [{"path": file.path, "why": file.why} for file in manifest.skipped],
        "changed": [change.model_dump() for change in manifest.changed],
    }


def read_layers(content: object) -> dict[LayerName, tuple[Unit, ...]]:
    """Layers out of parsed JSON.

    Raises:
        BadLayers: it has another form.
    """
    if not isinstance(content, dict):
        raise BadLayers("expected an object of layers")
    found: dict[LayerName, tuple[Unit, ...]] = {}
    for key, layer in content.items():
        if key not in set(LayerName):
            raise BadLayers(f"{key}: no such layer; known are {', '.join(LayerName)}")
        if not isinstance(layer, dict) or layer.keys() not in ({"units"}, {"blob"}):
            raise BadLayers(f'{key}: expected {{"units": [...]}} or {{"blob": TEXT}}')
        if "blob" in layer:
            if not isinstance(layer["blob"], str):
                raise BadLayers(f"{key}.blob: expected a text")
            found[LayerName(key)] = (Unit(key, layer["blob"]),)
        else:
            if not isinstance(layer["units"], list):
                raise BadLayers(f"{key}.units: expected a list")
            units = tuple(_unit(f"{key}.units[{n}]", unit) for n, unit in enumerate(layer["units"]))
            id_, times = next(iter(Counter(one.id for one in units).most_common(1)), ("", 0))
            if times > 1:
                raise BadLayers(f"{key}.units: the id {id_!r} is given twice")
            found[LayerName(key)] = units
    return found


def _unit(place: str, unit: object) -> Unit:
    if not isinstance(unit, dict):
        raise BadLayers(f"{place}: expected an object")
    for name in ("id", "text", "order"):
        if name not in unit:
            raise BadLayers(f"{place}.{name}: missing")
    unknown = sorted(unit.keys() - {"id", "text", "order", "pinned"})
    if unknown:
        raise BadLayers(f"{place}.{unknown[0]}: no such field; a unit has id, text, order and pinned")
    if not isinstance(unit["text"], str):
        raise BadLayers(f"{place}.text: expected a text")
    if not isinstance(unit["id"], str):
        raise BadLayers(f"{place}.id: expected a text")
    if not isinstance(unit.get("pinned", False), bool):
        raise BadLayers(f"{place}.pinned: expected true or false")
    return Unit(unit["id"], unit["text"], _order(place, unit["order"]), unit.get("pinned", False))


def _order(place: str, order: object, depth: int = 0) -> Any:
    if depth > _DEEPEST:
        raise BadLayers(f"{place}.order: lists in lists, more than {_DEEPEST} deep")
    if isinstance(order, list):
        return tuple(_order(place, part, depth + 1) for part in order)
    if order is None or (isinstance(order, int | float | str) and not isinstance(order, bool) and order == order):
        return order
    raise BadLayers(f"{place}.order: expected a number, a text or a list of them")
