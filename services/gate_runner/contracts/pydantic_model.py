"""A document against a pydantic model of the workspace's, whose code is run in the sandbox only."""

import json
import shlex
import sys
from collections.abc import Callable, Sequence
from typing import Final

from shared.schemas import Checked, Problem, Unusable
from shared.schemas.json_schema import SHOWN

from ..reports import Found
from ..runners import Told

_RESULT: Final = "contract.json"
_PROGRAM: Final = """
import sys
# What checks is not to be had from the workspace, neither as a module nor as bytecode.
sys.path[:] = [one for one in sys.path if one not in ('', '.')]
sys.pycache_prefix = '/nonexistent'
import importlib, json, os
path, name, out = sys.argv[1:]
def end(**result):
    open(out, 'w').write(json.dumps(result)); sys.exit(0)
from pydantic import TypeAdapter, ValidationError
if path.endswith(('.yaml', '.yml')):
    import yaml
content = open(path, 'rb').read()
sys.path.insert(0, os.getcwd())
module, _, attribute = name.partition(':')
try:
    model = importlib.import_module(module)
    for part in attribute.split('.'):
        model = getattr(model, part)
    adapter = TypeAdapter(model)
except Exception as error:
    end(unusable=f'{name} cannot be used: {type(error).__name__}: {error}')
try:
    if path.endswith(('.yaml', '.yml')):
        adapter.validate_python(yaml.safe_load(content))
    else:
        adapter.validate_json(content)
except ValidationError as error:
    end(problems=[[list(map(str, one['loc'])), one['msg']] for one in error.errors(include_url=False)[:1000]])
end(problems=[])
"""


def telling(path: str, model: str) -> Callable[[str, str], Told]:
    """How a command is made that leaves its findings: by the workspace's own Python, else by the harness's."""

    def tell(_: str, place: str) -> Told:
        words = ["-c", _PROGRAM, path, model, f"{place}/{_RESULT}"]
        choose = f"python=python3; python3 -c 'import pydantic' 2>/dev/null || python={shlex.quote(sys.executable)}"
        return Told(f'{choose}; "$python" {shlex.join(words)}')

    return tell


def checked_by(found: Sequence[Found], output: str) -> Checked:
    """What the command found.

    Raises:
        Unusable: the model cannot be had, or nothing was found out.
    """
    left = next((one for one in found if one.path == _RESULT), None)
    result = json.loads(left.content) if left is not None else {}
    if "problems" not in result:
        raise Unusable(str(result.get("unusable") or output.strip()[-400:] or "nothing was found out"))
    problems = [Problem(".".join(["$", *where]), text) for where, text in result["problems"]]
    return Checked(tuple(problems[:SHOWN]), max(0, len(problems) - SHOWN))
