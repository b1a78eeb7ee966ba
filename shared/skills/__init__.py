"""Agent Skills: what a SKILL.md says, where skills come from, and which of two with one name is meant."""

from shared.skills.catalogue import Catalogue, catalogue
from shared.skills.folders import folder_skills
from shared.skills.learned import learned_skills
from shared.skills.skill import FILE_NAME, Broken, Problem, Skill, Source, called

__all__ = [
    "FILE_NAME",
    "Broken",
    "Catalogue",
    "Problem",
    "Skill",
    "Source",
    "called",
    "catalogue",
    "folder_skills",
    "learned_skills",
]
