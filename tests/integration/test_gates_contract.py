"""Produced files held against JSON Schema, OpenAPI and pydantic models, on real workspaces."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import parse_criterion

from services.gate_runner.commands import SandboxedCommands
from services.gate_runner.contracts import isolated
from services.gate_runner.criteria import judge
from services.gate_runner.criteria.base import Bench
from services.gate_runner.missing import missing
from shared.sandbox import Limits, sandbox_works
from shared.schemas.files import contract_files
from shared.verifiers import snapshot

needs_sandbox = pytest.mark.skipif(sandbox_works() is not None, reason=str(sandbox_works()))

Ask = Callable[..., CriterionResult]

PERSON = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string"}, "born": {"type": "string", "format": "date"}, "age": {"minimum": 0}},
}
API = """
openapi: 3.0.3
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      responses:
        200: {description: all}
components:
  schemas:
    Pet: {type: object, required: [name], properties: {name: {type: string, nullable: true}}}
"""
MODEL = "from pydantic import BaseModel\nclass Order(BaseModel):\n    id: int\n    lines: list[str]\n"


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    def asked(spec: str, files: dict[str, object], **bench: object) -> CriterionResult:
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(content if isinstance(content, str) else json.dumps(content))
        commands = SandboxedCommands(tmp_path, limits=Limits(seconds=60))
        return asyncio.run(judge(parse_criterion(f"contract: {spec}"), Bench(tmp_path, commands, **bench)))  # type: ignore[arg-type]

    return asked


def test_a_file_that_does_not_fit_is_told_where(ask: Ask) -> None:
    assert (
        ask("a.json :: s.json", {"s.json": PERSON, "a.json": {"name": "Ana", "born": "1990-02-28"}}).verdict == "PASS"
    )
    result = ask("a.json :: s.json", {"a.json": {"name": 1, "born": "1990-02-31", "age": -1}})
    assert result.verdict == "FAIL"
    assert result.seen.splitlines() == [
        "$.age: -1 is less than the minimum of 0",
        "$.born: '1990-02-31' is not a 'date'",
        "$.name: 1 is not of type 'string'",
    ]


def test_yaml_is_read_as_json_means_it(ask: Ask) -> None:
    text = "name: Ana\nborn: 1990-02-28\n"
    assert ask("a.yaml :: s.yaml", {"s.yaml": json.dumps(PERSON), "a.yaml": text}).verdict == "PASS"


@pytest.mark.parametrize(
    ("name", "text", "seen"),
    [
        ("a.json", '{"name": "a", "name": "b"}', "the key 'name' is there twice"),
        ("a.json", '{"name": NaN}', "NaN"),
        ("a.json", '{"name": ', "it is not JSON"),
        ("a.json", "[" * 100_000, "nested too deep"),
        ("a.yaml", "name: *x", "it is not YAML"),
        ("a.yaml", "---\na: 1\n---\nb: 2\n", "more than one document"),
        ("a.yaml", "name: a\nname: b", "the key 'name' is there twice"),
        ("a.yaml", "a: &a [x]\nb: [" + "*a, " * 1_500 + "]", "aliases"),
        ("a.yaml", "a: &a [*a]", "nested too deep"),
        ("a.yaml", "a: &a0 [x, x]\n" + "\n".join(f"b{n}: &a{n + 1} [*a{n}, *a{n}]" for n in range(40)), "values"),
        ("a.yaml", "a: !!python/object:os.system {}", "it is not YAML"),
    ],
)
def test_what_is_no_document_fails_and_says_why(ask: Ask, name: str, text: str, seen: str) -> None:
    result = ask(f"{name} :: s.json", {"s.json": {}, name: text})
    assert result.verdict == "FAIL" and seen in result.seen


def test_the_first_ten_problems_are_shown(ask: Ask) -> None:
    result = ask("a.json :: s.json", {"s.json": {"items": {"type": "string"}}, "a.json": list(range(25))})
    assert len(result.seen.splitlines()) == 11 and result.seen.endswith("… and 15 more")


@pytest.mark.parametrize("draft", ["draft-04/schema#", "draft-06/schema#", "draft-07/schema#", "draft/2019-09/schema"])
def test_each_draft_has_its_own_meaning(ask: Ask, draft: str) -> None:
    schema = {"$schema": f"http{'s' if '20' in draft else ''}://json-schema.org/{draft}", "type": "number"}
    limit = {"maximum": 5, "exclusiveMaximum": True} if "04" in draft else {"exclusiveMaximum": 5}
    assert ask("a.json :: s.json", {"s.json": {**schema, **limit}, "a.json": 4}).verdict == "PASS"
    assert ask("a.json :: s.json", {"a.json": 5}).verdict == "FAIL"


def test_a_schema_may_refer_to_others_of_the_workspace_and_to_nothing_else(ask: Ask) -> None:
    files = {"schemas/s.json": {"$ref": "name.json#/definitions/name"}, "a.json": 1}
    files["schemas/name.json"] = {"definitions": {"name": {"type": "string"}}}
    assert ask("a.json :: schemas/s.json", files).verdict == "FAIL"
    for ref in ("https://example.com/s.json", "../../../etc/passwd", "none.json"):
        result = ask("a.json :: s.json", {"s.json": {"$ref": ref}})
        assert result.verdict == "NOT_RUN" and "nothing is fetched" in result.seen


def test_a_pattern_that_never_ends_is_ended(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "TIME_LIMIT", 4.0)
    result = ask("a.json :: s.json", {"s.json": {"pattern": "^(a|aa)+$"}, "a.json": json.dumps("a" * 60 + "!")})
    assert result.verdict == "FAIL" and "did not end within" in result.seen


def test_a_contract_that_is_none_is_for_whoever_made_it(ask: Ask, tmp_path: Path) -> None:
    files = {"s.json": {"type": "strin"}, "a.json": 1}
    made = ask("a.json :: s.json", files)
    assert (made.verdict, made.environment) == ("NOT_RUN", False) and "no valid schema" in made.seen
    given = ask("a.json :: s.json", files, verifiers=snapshot(tmp_path, ["s.json"]))
    assert (given.verdict, given.environment) == ("NOT_RUN", True)


@pytest.mark.parametrize("schema", [{"pattern": "("}, {"type": 1}, {"properties": 3}, [], "x", {"multipleOf": 0}])
def test_a_schema_that_cannot_be_applied_is_said_to_be_so(ask: Ask, schema: object) -> None:
    result = ask("a.json :: s.json", {"s.json": json.dumps(schema), "a.json": json.dumps("text")})
    assert result.verdict == "NOT_RUN" and "s.json" in result.seen


def test_a_contract_that_was_turned_fails_where_nothing_opens_it(ask: Ask, tmp_path: Path) -> None:
    ask("a.json :: s.json", {"s.json": PERSON, "a.json": {}})
    began = snapshot(tmp_path, ["s.json"])
    turned = ask("a.json :: s.json", {"s.json": {}}, verifiers=began)
    assert turned.verdict == "FAIL" and turned.seen.startswith("s.json was changed")
    assert ask("a.json :: s.json", {}, verifiers=began, editable=("*.json",)).verdict == "PASS"


def test_an_openapi_document(ask: Ask) -> None:
    assert ask("api.yaml :: openapi", {"api.yaml": API}).verdict == "PASS"
    assert ask("api.yaml :: openapi:3.1", {}).seen == "$.openapi: version 3.1 is asked for, this is 3.0.3"
    bad = ask("bad.json :: openapi", {"bad.json": {"openapi": "3.1.0", "info": {"title": "t"}, "paths": {}}})
    assert (bad.verdict, bad.seen) == ("FAIL", "$.info: 'version' is a required property")
    afar = API.replace("description: all", "$ref: 'https://example.com/r.yaml'")
    assert "nothing is fetched" in ask("afar.yaml :: openapi", {"afar.yaml": afar}).seen


def test_an_openapi_document_against_the_one_that_is_given(ask: Ask) -> None:
    more = API.replace("paths:", "paths:\n  /toys:\n    get:\n      responses:\n        200: {description: all}")
    assert ask("more.yaml :: api.yaml", {"api.yaml": API, "more.yaml": more}).verdict == "PASS"
    less = ask("api.yaml :: more.yaml", {})
    assert (less.verdict, less.seen) == ("FAIL", "$.paths['/toys'].get: this operation of the contract is missing")


def test_a_schema_inside_an_openapi_document(ask: Ask) -> None:
    spec = "a.json :: api.yaml#/components/schemas/Pet"
    assert ask(spec, {"api.yaml": API, "a.json": {"name": None}}).verdict == "PASS"
    assert ask(spec, {"a.json": {}}).seen == "$: 'name' is a required property"
    nowhere = ask("a.json :: api.yaml#/components/schemas/Toy", {})
    assert nowhere.verdict == "NOT_RUN" and "leads nowhere" in nowhere.seen


@needs_sandbox
def test_a_pydantic_model_of_the_workspaces(ask: Ask) -> None:
    files = {"app/__init__.py": "", "app/models.py": MODEL, "a.json": {"id": 1, "lines": []}}
    assert ask("a.json :: app.models:Order", files).verdict == "PASS"
    result = ask("a.json :: app.models:Order", {"a.json": {"id": "x", "lines": [1]}})
    assert result.verdict == "FAIL"
    assert [line.partition(":")[0] for line in result.seen.splitlines()] == ["$.id", "$.lines.0"]
    gone = ask("a.json :: app.models:Nothing", {})
    assert gone.verdict == "NOT_RUN" and "has no attribute 'Nothing'" in gone.seen


@needs_sandbox
def test_a_models_code_runs_in_the_sandbox_and_leaves_nothing(ask: Ask, tmp_path: Path) -> None:
    outside = tmp_path.parent / "outside.txt"
    places = ["inside.txt", str(outside)]
    writing = f"import contextlib, pathlib\nfor place in {places}:\n    with contextlib.suppress(OSError):\n"
    writing += "        pathlib.Path(place).write_text('x')\n"
    result = ask("a.json :: m:Order", {"m.py": writing + MODEL, "a.json": {"id": 1, "lines": []}})
    assert result.verdict == "PASS"
    assert not outside.exists() and not (tmp_path / "inside.txt").exists()


BASED = {
    "m.py": "from base import Base\nclass Order(Base):\n    pass\n",
    "base.py": "from pydantic import BaseModel\nclass Base(BaseModel):\n    n: int\n",
}
REFERRING = {"s.json": {"$ref": "t.json"}, "t.json": {"type": "object", "required": ["n"]}}
PLANTED = (
    "class TypeAdapter:\n    def __init__(self, *_): ...\n    def validate_json(self, *_): ...\nBaseModel = object\n"
)


@needs_sandbox
@pytest.mark.parametrize(
    ("schema", "files", "turned", "said"),
    [
        ("s.json", REFERRING, {"t.json": {}}, "t.json was changed"),
        ("m:Order", BASED, {"base.py": "class Base: ...\n"}, "base.py was changed"),
        ("m:Order", BASED, {"base/__init__.py": "class Base: ...\n"}, "base/__init__.py is new"),
        ("m:Order", BASED, {"pydantic.py": PLANTED}, "pydantic.py is new"),
        ("m:Order", BASED, {"pydantic/__init__.py": PLANTED}, "pydantic/__init__.py is new"),
        ("s.json", REFERRING, {"other.json": {}}, ""),
        ("m:Order", BASED, {"helper.py": "x = 1\n", "json.py": "x = 1\n"}, ""),
    ],
)
def test_whatever_makes_a_contract_stays_as_it_was(
    ask: Ask, tmp_path: Path, schema: str, files: dict[str, object], turned: dict[str, object], said: str
) -> None:
    ask(f"a.json :: {schema}", {**files, "a.json": {"n": 1}})
    began = snapshot(tmp_path, contract_files(tmp_path, schema))
    held = {path: (tmp_path / path).read_bytes() for path in files}
    found = ask(f"a.json :: {schema}", turned, verifiers=began, began=held.get)
    assert found.verdict == ("FAIL" if said else "PASS")
    assert said in found.seen


@needs_sandbox
def test_what_checks_a_model_is_never_taken_from_the_workspace(ask: Ask) -> None:
    files = {**BASED, "pydantic.py": PLANTED, "a.json": {"n": "x"}}
    assert ask("a.json :: m:Order", files).seen.startswith("$.n: ")


@pytest.mark.parametrize(("text", "said"), [("\ufeff{}", "byte order mark"), (" \n", "it is empty")])
def test_a_produced_json_file_with_a_mark_or_with_nothing_in_it_fails(ask: Ask, text: str, said: str) -> None:
    result = ask("a.json :: s.json", {"s.json": "\ufeff{}", "a.json": text})
    assert result.verdict == "FAIL" and said in result.seen
    assert ask("a.yaml :: s.json", {"a.yaml": "\ufeffx: 1"}).verdict == "PASS"
    assert "no number" in ask("b.yaml :: s.json", {"b.yaml": "x: .nan"}).seen


def test_a_schema_that_is_published_elsewhere_is_read_from_here(ask: Ask) -> None:
    files: dict[str, object] = {"s.json": {"$id": "https://example.com/v1/s.json", "$ref": "t.json"}}
    assert ask("a.json :: s.json", {**files, "t.json": {"type": "string"}, "a.json": 1}).verdict == "FAIL"
    assert ask("a.json :: s.json", {"a.json": '"x"'}).verdict == "PASS"


ENGLISH = re.compile(r"\b(?:the|is|not|was|does|of|to|it|and|only|required|exist)\b", re.I)


@pytest.mark.parametrize(
    "criterion",
    [
        *(
            "file_exists: no.txt",
            "file_exists: a.json/",
            "file_exists: s",
            "file_exists: out",
            "file_contains: s :: x",
        ),
        *("file_contains: no.txt :: x", "file_contains: e.txt :: x", "contract: a.json :: s.json", "answer:"),
        *("contract: no.json :: s.json", "contract: e.txt :: s.json", "contract: two.json :: s.json"),
        *("contract: a.json :: openapi", "contract: a.json :: nowhere.json", "diff: a", "screenshot: no.html"),
    ],
)
def test_a_claim_that_fails_is_told_of_in_portuguese_alone(tmp_path: Path, criterion: str) -> None:
    for name, text in {"a.json": '{"x": 1}', "e.txt": "", "two.json": '{"x": 1, "x": 2}'}.items():
        (tmp_path / name).write_text(text)
    schema = {"required": ["y"], "properties": {"x": {"type": "string"}}, "additionalProperties": False}
    (tmp_path / "s.json").write_text(json.dumps(schema))
    (tmp_path / "s").mkdir()
    (tmp_path / "out").symlink_to("/etc/passwd")
    bench = Bench(tmp_path, SandboxedCommands(tmp_path), language="pt")
    result = asyncio.run(judge(parse_criterion(criterion), bench))
    assert result.verdict != "PASS"
    _, _, told = missing([result], "pt").partition(" — ")
    assert ENGLISH.search(told) is None, told
