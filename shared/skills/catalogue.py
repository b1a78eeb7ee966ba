"""All skills that a task may use, each name once. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from shared.skills.skill import Problem, Skill, called


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The skills in force, by name, and what is wrong with files that are none, or not as they should be."""

    skills: tuple[Skill, ...] = ()
    problems: tuple[Problem, ...] = ()

    def find(self, name: str) -> Skill | None:
        """The skill of a name, however it is spelt."""
        wanted = called(name)
        return next((skill for skill in self.skills if skill.name == wanted), None)

    def near(self, name: str) -> tuple[str, ...]:
        """At most five names, the most like one that there is not first."""
        names = [skill.name for skill in self.skills]
        return tuple(get_close_matches(called(name), names, 5, 0.5)) or tuple(names[:5])


def catalogue(*sources: tuple[Iterable[Skill], Iterable[Problem]]) -> Catalogue:
    """One catalogue of several sources: where two skills have a name, the earlier source's is meant."""
    found: dict[str, Skill] = {}
    problems: list[Problem] = []
    for skills, troubles in sources:
        problems.extend(troubles)
        for skill in skills:
            first = found.setdefault(skill.name, skill)
            if first is not skill:
                problems.append(Problem(skill.path, f"{first.path} has the name {skill.name} too, and comes first"))
    return Catalogue(tuple(found[name] for name in sorted(found)), tuple(problems))
