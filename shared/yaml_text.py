"""YAML as people's settings are read: plain values only, and no key that stands twice."""

from typing import Any

import yaml


class _Once(yaml.SafeLoader):
    """A mapping in which a key stands twice would silently lose one of its values."""

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
