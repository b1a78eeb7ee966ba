"""YAML as people's settings are read: plain values only, no key that stands twice, and nothing that grows when read."""

from typing import Any, Final

import yaml
from yaml._yaml import CParser
from yaml.composer import Composer
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

MOST_VALUES: Final = 100_000
"""Values that a text may hold with its aliases written out: beyond them it is made to fill the memory."""
_TOO_DEEP: Final = "it is nested too deeply"


class PlainLoader(Composer, SafeConstructor, Resolver, CParser):
    """PyYAML's safe loader upon the scanner in C, which takes a time in proportion to the text, whatever stands in it.

    What cannot be the value that it is written as (`2020-13-45`) is a `ConstructorError`, whatever PyYAML makes of it.
    """

    def __init__(self, stream: str) -> None:
        CParser.__init__(self, stream)
        Composer.__init__(self)
        SafeConstructor.__init__(self)
        Resolver.__init__(self)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except (ValueError, AttributeError, OverflowError) as error:
            kind = node.tag.rpartition(":")[2]
            raise yaml.constructor.ConstructorError(
                None, None, f"{str(node.value)[:40]!r} is no {kind}", node.start_mark
            ) from error


class _Once(PlainLoader):
    """A mapping in which a key stands twice would silently lose one of its values."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._values: dict[int, int] = {}

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event, alias = self.peek_event(), self.check_event(yaml.AliasEvent)
        mark: Any = event.start_mark if event is not None else None
        node = super().compose_node(parent, index)
        if node is None:
            return None
        if alias and id(node) not in self._values:
            raise yaml.composer.ComposerError(None, None, "a value holds itself", mark)
        if not alias:
            self._values[id(node)] = 1 + sum(self._values[id(child)] for child in _children(node))
        if self._values[id(node)] > MOST_VALUES:
            raise yaml.composer.ComposerError(None, None, f"with its aliases it holds over {MOST_VALUES} values", mark)
        return node

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[tuple[str, str]] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if (key.tag, key.value) in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {key.value!r} stands twice", key.start_mark
                    )
                seen.add((key.tag, key.value))
        return super().construct_mapping(node, deep)


def load_yaml(text: str) -> Any:
    """What a YAML text holds.

    Raises:
        yaml.YAMLError: it is no YAML, a key stands twice, or it is nested too deeply to be read.
    """
    return loaded(text, _Once)


def loaded(text: str, loader: type[PlainLoader]) -> Any:
    """The one document of a text, read by a loader of ours.

    Raises:
        yaml.YAMLError: it is no YAML, it holds more than one document, or it is nested too deeply to be read.
    """
    try:
        return loader(text).get_single_data()
    except RecursionError as error:
        raise yaml.YAMLError(_TOO_DEEP) from error
    except yaml.scanner.ScannerError as error:
        if "nesting depth" in str(error.problem):
            raise yaml.YAMLError(_TOO_DEEP) from error
        raise


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [child for pair in node.value for child in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []
