"""A file of taste rules takes a rule, and gives it back, and is else left as it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.taste_rules_text import CannotEdit, with_rule, without_rule
from shared.yaml_text import load_yaml

RULE = "name: 'our: blue'\ncheck: model\nwhy: Use only our blue."
NEW = {"name": "our: blue", "check": "model", "why": "Use only our blue."}
FILES = [
    "",
    "# nothing yet\n",
    "# rules: none\n",
    "returns: 1\nrules: []\n",
    "returns: 1\nrules:\n",
    "rules:\n- {name: a, check: alt_text}  # why\n\n# the end\nreturns: 2\n",
    "rules:\n  - name: a\n    check: model\n    why: |\n      Two\n      lines\n\n# behind\nmodel: {calls: 1}",
    "rules:\n- name: a\n  check: contrast\n  files:\n  - '*.css'\n",
]


@pytest.mark.parametrize("text", FILES)
def test_a_rule_comes_last_and_all_else_stays(text: str) -> None:
    found = with_rule(text, RULE)
    before, after = load_yaml(text) or {}, load_yaml(found)
    assert after["rules"] == [*(before.get("rules") or []), NEW]
    assert {**after, "rules": 0} == {**before, "rules": 0}
    assert all(line in found for line in text.splitlines() if line.startswith("#") or "# why" in line)
    back = load_yaml(without_rule(found, "our: blue"))
    assert (back.get("rules") or []) == (before.get("rules") or [])


def test_rules_in_brackets_and_what_is_no_yaml_are_refused() -> None:
    for text in ("rules: [{name: a, check: alt_text}]", "rules: [", "- a\n"):
        with pytest.raises(CannotEdit):
            with_rule(text, RULE)


@given(st.sampled_from(FILES), st.text(max_size=20))
def test_taking_out_what_is_not_there_changes_nothing(text: str, name: str) -> None:
    assert name == "a" or without_rule(text, name) == text
