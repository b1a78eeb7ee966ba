"""Whether a task makes what people see, so that taste is told: its contract says so, or what it names does. Pure.

What it touches later is seen by the context-builder.
"""

from arreio_contracts.task import TaskContract

from shared.ui_files import named_ui_file, ui_file


def why_ui(contract: TaskContract, goal: str) -> str:
    """Why it counts as such a task; empty where it does not, or is not known to."""
    if contract.ui is not None:
        return "its contract says so" if contract.ui else ""
    paths = [path for one in contract.criteria if isinstance(path := getattr(one, "path", None), str)]
    judged = ui_file(paths)
    if judged is not None:
        return f"a criterion is about {judged}"
    named = named_ui_file(goal)
    return f"its goal names {named}" if named is not None else ""
