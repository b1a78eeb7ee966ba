"""Whether the names in code, commands and replies stand for something: EXISTS, MISSING or UNKNOWN.

Pure: what is on the disk and in registries comes through protocols, which `services/tool_loop/grounding` fulfils.
A doubt is UNKNOWN, never MISSING: a rule that cries wolf costs more than a name that slips through.
"""

from typing import Final

RULE: Final = "grounding/11"
"""Name and version of these rules, recorded with each of their verdicts."""
