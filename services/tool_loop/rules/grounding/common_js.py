"""What a CommonJS module exports and takes, as far as literals tell it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

_WHOLE = frozenset({"module.exports", "exports"})
_OF_ANY_OBJECT = frozenset(
    ["constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf"]
)
_MENTION = re.compile(r"\bexports\b")


@dataclass
class CommonExports:
    """The names that assignments to `exports` give, and how many of its mentions are such assignments."""

    names: set[str] = field(default_factory=set)
    mentions: int = 0
    unsaid: bool = False

    def take(self, node: Node) -> None:
        """Take in an assignment; one that makes the exports of anything but plain names may make any."""
        target = text_of(node.child_by_field_name("left"))
        owner, _, name = target.rpartition(".")
        value = node.child_by_field_name("right")
        if target in _WHOLE:
            self.mentions += 1
            inner = value is not None and value.type == "assignment_expression"
            if value is None or not (inner or value.type == "object"):
                self.unsaid = True
            elif not inner:
                self._keys(value)
        elif owner in _WHOLE and name:
            self.mentions += 1
            self.names.add(name)

    def told(self, code: str) -> bool:
        """Whether these are all exports of a source: it mentions them nowhere else."""
        return not self.unsaid and len(_MENTION.findall(code)) == self.mentions

    def _keys(self, value: Node) -> None:
        for child in value.named_children:
            key = child.child_by_field_name("key") or child.child_by_field_name("name") or child
            if key.type in ("property_identifier", "shorthand_property_identifier"):
                self.names.add(text_of(key))
            elif child.type != "comment":
                self.unsaid = True


def taken(call: Node) -> list[str]:
    """The names that a call of `require`, or an awaited `import`, is taken apart into; those with a default may be
    absent.
    """
    return [name for name in _taken(call) if name not in _OF_ANY_OBJECT]


def holder(call: Node) -> str:
    """The name that holds what a call of `require`, or an awaited `import`, gives; empty where none does."""
    loaded = _loaded(call)
    parent = loaded.parent if loaded is not None else None
    name = parent.child_by_field_name("name") if parent is not None and parent.type == "variable_declarator" else None
    return text_of(name) if name is not None and name.type == "identifier" else ""


def _loaded(call: Node) -> Node | None:
    """The expression that stands for the module: of `import("x")` the one that waits for it; None: there is none."""
    function = call.child_by_field_name("function")
    if function is None or function.type != "import":
        return call
    waits = call.parent
    if waits is None or waits.type != "await_expression":
        return None
    around = waits.parent
    return around if around is not None and around.type == "parenthesized_expression" else waits


def _taken(call: Node) -> Iterator[str]:
    loaded = _loaded(call)
    if loaded is None:
        yield from _taken_later(call)
        return
    parent = loaded.parent
    if parent is None:
        return
    if parent.type == "member_expression" and parent.child_by_field_name("object") == loaded:
        yield text_of(parent.child_by_field_name("property"))
    pattern = parent.child_by_field_name("name") if parent.type == "variable_declarator" else None
    yield from _keys(pattern)


def _taken_later(call: Node) -> Iterator[str]:
    """`import("x").then(({ name }) => …)`."""
    then = call.parent
    after = then.parent if then is not None and text_of(then).endswith(".then") else None
    arguments = after.child_by_field_name("arguments") if after is not None else None
    for handler in arguments.named_children[:1] if arguments is not None else ():
        parameters = handler.child_by_field_name("parameters")
        first = parameters.named_children[0] if parameters is not None and parameters.named_children else None
        yield from _keys(first.child_by_field_name("pattern") if first is not None else None)


def _keys(pattern: Node | None) -> Iterator[str]:
    for child in pattern.named_children if pattern is not None and pattern.type == "object_pattern" else ():
        key = child.child_by_field_name("key") if child.type == "pair_pattern" else child
        if key is not None and key.type in ("property_identifier", "shorthand_property_identifier_pattern"):
            yield text_of(key)


def text_of(node: Node | None) -> str:
    """A node as the source has it."""
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")
