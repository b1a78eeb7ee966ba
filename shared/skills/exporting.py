"""A skill as a SKILL.md of the standard's form. Pure."""

import json

import yaml

from shared.skills.frontmatter import Unreadable, front_of
from shared.skills.skill import Skill

_OF_THE_STANDARD = ("license", "compatibility", "allowed-tools", "metadata")


def skill_file(skill: Skill) -> str:
    """Front matter and body: the keys of the standard alone, `name` in its form, and every value quoted as it must."""
    fields: dict[str, object] = {"name": skill.name, "description": skill.description}
    try:
        given = front_of(skill.text)
    except Unreadable:
        given = {}
    for key in _OF_THE_STANDARD:
        value = given.get(key)
        if key == "metadata" and isinstance(value, dict):
            fields[key] = {name: one if isinstance(one, str) else json.dumps(one) for name, one in value.items()}
        elif key != "metadata" and isinstance(value, str) and value:
            fields[key] = value
    head = yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=10_000)
    return f"---\n{head}---\n\n{skill.body}\n"
