"""What a JavaScript source takes from a module that it holds whole: `import * as fs`, `const fs = require("fs")`."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from .common_js import text_of

_TESTS = frozenset({"unary_expression", "binary_expression", "ternary_expression", "parenthesized_expression"})
_BINDS = {
    "variable_declarator": "name",
    "required_parameter": "pattern",
    "optional_parameter": "pattern",
    "catch_clause": "parameter",
    "function_declaration": "name",
    "class_declaration": "name",
    "for_in_statement": "left",
}
_CHAINS = frozenset({"optional_chain", "?."})
_NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern"})


@dataclass
class Members:
    """The members of names, as far as a source uses them without asking first whether they are there."""

    taken: dict[str, dict[str, None]] = field(default_factory=dict)
    doubted: set[tuple[str, str]] = field(default_factory=set)
    bound: Counter[str] = field(default_factory=Counter)

    def take(self, node: Node) -> None:
        """Take in a node of the source."""
        if node.type == "member_expression":
            self._member(node)
        elif node.type in _BINDS:
            pattern = node.child_by_field_name(_BINDS[node.type])
            self.bound.update(names_in(pattern) if pattern is not None else ())
        elif node.type == "arrow_function" and (one := node.child_by_field_name("parameter")) is not None:
            self.bound.update(names_in(one))

    def of(self, name: str, *, declared: int) -> tuple[str, ...]:
        """What is taken from a name with so many declarations; nothing where another one may be meant."""
        if self.bound[name] != declared:
            return ()
        known = (each for each in self.taken.get(name, ()) if (name, each) not in self.doubted)
        return tuple(each for each in known if not each.startswith("_"))

    def _member(self, node: Node) -> None:
        owner, member = node.child_by_field_name("object"), node.child_by_field_name("property")
        if owner is None or owner.type != "identifier" or member is None or member.type != "property_identifier":
            return
        name, taken = text_of(owner), text_of(member)
        parent = node.parent
        asked = any(each.type in _CHAINS for each in (*node.children, *(parent.children if parent is not None else ())))
        set_ = parent is not None and parent.type in ("assignment_expression", "augmented_assignment_expression")
        if asked or set_ or (parent is not None and parent.type in _TESTS):
            self.doubted.add((name, taken))
        else:
            self.taken.setdefault(name, {})[taken] = None


def names_in(pattern: Node) -> Iterator[str]:
    """The names that a pattern binds."""
    if pattern.type in _NAMES:
        yield text_of(pattern)
    for child in pattern.named_children:
        if pattern.type == "pair_pattern" and child == pattern.child_by_field_name("key"):
            continue
        yield from names_in(child)
