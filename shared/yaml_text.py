"""YAML as people's settings are read: plain values only, no key that stands twice, and nothing that grows when read."""

from typing import Any, Final

import yaml

MOST_VALUES: Final = 100_000
"""Values that a text may hold with its aliases written out: beyond them it is made to fill the memory."""


class _Once(yaml.SafeLoader):
    """A mapping in which a key stands twice would silently lose one of its values."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._values: dict[int, int] = {}

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        mark, alias = self.peek_event().start_mark, self.check_event(yaml.AliasEvent)  # type: ignore[no-untyped-call]
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
    try:
        return yaml.load(text, Loader=_Once)
    except RecursionError as error:
        raise yaml.YAMLError("it is nested too deeply") from error


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [child for pair in node.value for child in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []
