"""Whether a contract can be used at all, said before a task begins; and which files make it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.schemas.files import contract_files
from shared.schemas.impossible import impossible
from shared.schemas.usable import why_unusable

OPENAPI = {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {}}


def why(place: Path, content: object, schema: str = "s.json") -> str | None:
    name = schema.partition("#")[0]
    (place / name).write_text(content if isinstance(content, str) else json.dumps(content))
    return why_unusable(place, schema)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ("{", "it is not JSON"),
        ("", "it is empty"),
        ({"type": "strang"}, "'strang' is not valid"),
        ({"properties": {"a": {"pattern": "("}}}, "$.properties.a.pattern"),
        ({"$ref": "https://example.com/x.json"}, "nothing is fetched"),
        ({"properties": {"a": {"$ref": "#/$defs/none"}}}, "$.properties.a"),
        ({"$ref": "none.json"}, "leads nowhere"),
        ({"$ref": "#"}, "refers to itself"),
        ({"swagger": "2.0"}, "Swagger 2.0"),
        (False, "allows nothing"),
        ({"enum": []}, "$.enum"),
        ({"type": "string", "enum": [1, 2]}, "of type string"),
        ({"type": "integer", "minimum": 5, "maximum": 1}, "more than maximum"),
        ({"type": "object", "required": ["a"], "additionalProperties": False}, "'a' is required"),
        ({"type": "object", "required": ["a"], "properties": {"a": {"not": {}}}}, "$.properties.a.not"),
        ({"allOf": [{"type": "string"}, {"type": "number"}]}, "different types"),
        ({"anyOf": [False, {"enum": []}]}, "none of its parts"),
        ({"type": "array", "minItems": 1, "items": False}, "$.items"),
    ],
)
def test_a_broken_or_impossible_schema_is_told_with_its_place(tmp_path: Path, schema: object, said: str) -> None:
    assert said in (why(tmp_path, schema) or "")


@pytest.mark.parametrize(
    "schema",
    [
        {},
        True,
        {"type": "integer", "enum": [1.0]},
        {"minimum": 5, "maximum": 1},
        {"required": ["a"], "additionalProperties": False},
        {"type": "object", "properties": {"child": {"$ref": "#"}}},
        {"type": "object", "required": ["a"], "patternProperties": {"^a": {}}, "additionalProperties": False},
        {"allOf": [{"type": "integer"}, {"type": "number"}]},
        {"type": "object", "properties": {"$ref": {"type": "string"}}},
        {"anyOf": [False, {}]},
        {"default": {"$ref": "nowhere.json"}},
        {"$id": "https://example.com/schemas/s.json", "$ref": "t.json"},
        {"$schema": "http://json-schema.org/draft-04/schema#", "maximum": 5, "exclusiveMaximum": True},
    ],
)
def test_a_schema_that_something_fits_is_left_alone(tmp_path: Path, schema: object) -> None:
    (tmp_path / "t.json").write_text('{"type": "object"}')
    assert why(tmp_path, schema) is None


SCHEMAS = st.recursive(
    st.booleans()
    | st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["string", "integer", "object", "array", "null"]),
            "enum": st.lists(st.sampled_from([1, "a", None, {}, []]), min_size=1, max_size=2),
            "minimum": st.integers(0, 3),
            "maximum": st.integers(0, 3),
            "minItems": st.integers(0, 2),
            "required": st.lists(st.sampled_from(["a", "b"]), max_size=2, unique=True),
            "additionalProperties": st.booleans(),
        },
    ),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "array"]),
            "required": st.lists(st.sampled_from(["a", "b"]), max_size=2, unique=True),
            "properties": st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
            "items": inner,
            "minItems": st.integers(0, 2),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
        },
    ),
    max_leaves=5,
)
VALUES = st.recursive(
    st.sampled_from([None, True, 0, 1, 2, "a", "", 1.0]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
    max_leaves=4,
)


@given(SCHEMAS, st.lists(VALUES, min_size=1, max_size=8))
def test_what_some_document_fits_is_never_called_impossible(schema: object, documents: list[object]) -> None:
    def nowhere(ref: str) -> object:
        raise LookupError(ref)

    if impossible(schema, nowhere) is not None:
        assert not any(jsonschema.Draft202012Validator(schema).is_valid(one) for one in documents)  # type: ignore[arg-type]


def test_names_of_contracts_that_are_none_are_refused_and_one_that_is_not_there_is_the_tasks(tmp_path: Path) -> None:
    assert "not fetched" in (why_unusable(tmp_path, "https://example.com/s.json") or "")
    assert "3.0, 3.1" in (why_unusable(tmp_path, "openapi:9.9") or "")
    assert why_unusable(tmp_path, "openapi:3.1") is None and why_unusable(tmp_path, "none.json") is None
    (tmp_path / "d").mkdir()
    assert "folder" in (why_unusable(tmp_path, "d") or "")
    (tmp_path / "m.py").write_text("class Order(:\n")
    assert "line 1" in (why_unusable(tmp_path, "m:Order") or "")


def test_a_schema_inside_an_openapi_document_must_be_there(tmp_path: Path) -> None:
    api = {**OPENAPI, "components": {"schemas": {"Pet": {"type": "object", "nullable": True}}}}
    assert why(tmp_path, api, "api.json#/components/schemas/Pet") is None
    assert "leads nowhere" in (why(tmp_path, api, "api.json#/components/schemas/Toy") or "")
    assert why(tmp_path, api, "api.json") is None


def test_a_schema_is_made_of_all_that_it_refers_to(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s/a.json").write_text('{"$ref": "b.yaml#/x", "items": {"$ref": "../c.json"}}')
    (tmp_path / "s/b.yaml").write_text("x:\n  $ref: 'd e.json'\ny: {$ref: https://example.com/f.json}\n")
    (tmp_path / "c.json").write_text('{"$ref": "../out.json", "x": {"$ref": "#/y"}}')
    assert contract_files(tmp_path, "./s/a.json#/items") == ["s/a.json", "s/b.yaml", "c.json", "s/d e.json"]
    assert contract_files(tmp_path, f"{tmp_path}/c.json") == ["c.json"]


def test_a_model_is_made_of_the_modules_of_what_it_uses_and_of_no_others(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app/__init__.py").write_text("from .base import Base as Root\n")
    (tmp_path / "app/base.py").write_text("from pydantic import BaseModel\nclass Base(BaseModel): n: int\n")
    (tmp_path / "parts.py").write_text("from kinds import *\nclass Part: kind: Kind\n")
    (tmp_path / "kinds.py").write_text("Kind = int\n")
    (tmp_path / "rules.py").write_text("def rule(): ...\n")
    (tmp_path / "other.py").write_text("def other(): ...\n")
    (tmp_path / "m.py").write_text(
        "from app import Root\nfrom parts import Part\nimport rules\nfrom other import other\n"
        "class Order(Root):\n    parts: 'list[Part]'\n    def check(self): return rules.rule()\n"
        "def unused(): return other()\n"
    )
    found = contract_files(tmp_path, "m:Order")
    there = [path for path in found if (tmp_path / path).is_file()]
    assert sorted(there) == ["app/__init__.py", "app/base.py", "kinds.py", "m.py", "parts.py", "rules.py"]
    assert found[:2] == ["m.py", "m/__init__.py"] and "pydantic.py" in found
