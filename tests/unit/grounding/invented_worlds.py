"""Made-up environments of Python for comparing verdicts with what Python itself says of the same code."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.unit.grounding.environments import distribution, write

_TRUTH = """
import json, os, site, sys
roots, folder, codes = json.loads(sys.stdin.read())
sys.path[:0] = roots
site.addsitedir(folder)
for code in codes:
    read, written = os.pipe()
    if os.fork() == 0:
        try:
            exec(code, {"__name__": "asked"})
        except (ImportError, AttributeError, NameError):
            os._exit(1)
        except BaseException:
            os._exit(2)
        os._exit(0)
    os.close(read), os.close(written)
    print(os.waitstatus_to_exitcode(os.wait()[1]))
"""
_BOUND = ("{} = 1", "def {}(): ...", "class {}: ...", "_, {} = 1, 2")
_CONDITIONS = ("TYPE_CHECKING", "sys.platform == 'win32'", "sys.version_info > (3, 5)", "True")
_ODD = {
    "if": "if {1}: {0} = 1",
    "try": "try:\n    import nothing_zz as {0}\nexcept ImportError:\n    {0} = None",
    "gone": "{0} = 1\ndel {0}",
    "lazy": "def __getattr__(name):\n    if name == '{0}':\n        return 1\n    raise AttributeError(name)",
    "made": "globals()['{0}'] = 1",
}
_LISTS = ("__all__ = {}", "__all__ = []\n__all__ += {}", "__all__ = list({})")
_ANY_NAMES = ("util", "sub", "leaf", "__all__", "__version__", "__name__", "__path__")
_QUESTIONS = (
    "import {0}",
    "import {0}.{1}",
    "from {0} import {1}",
    "from {0} import *\n{1}()",
    "import {0}\n{0}.{1}",
    "import {0} as m\nm.{1}",
    "import {2}\n{0}.{1}",
)
_WORDS = "apple berry cedar delta ember flint grove heron"


def truth(workspace: Path, site: Path, codes: Sequence[str]) -> list[bool]:
    """Whether each code runs in a Python of its own, with the workspace and its `src` on the path."""
    asked = json.dumps([[str(workspace), str(workspace / "src")], str(site), list(codes)])
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _TRUTH], input=asked, capture_output=True, text=True, check=True
    )
    said = ran.stdout.split()
    assert len(said) == len(codes) and "2" not in said, ran.stderr
    return [each == "0" for each in said]


class InventedWorld:
    """A workspace with an environment, made by a seed, and questions about it."""

    def __init__(self, workspace: Path, seed: int) -> None:
        self._random = random.Random(seed)
        self.workspace = workspace
        self.site = workspace / f".venv/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
        self.site.mkdir(parents=True)
        version = ".".join(map(str, sys.version_info[:3]))
        (workspace / ".venv/pyvenv.cfg").write_text(f"home = {Path(sys.base_prefix) / 'bin'}\nversion = {version}\n")
        self._modules: dict[str, set[str]] = {}
        tops = self._random.sample(_WORDS.split(), 5)
        for top in tops[:3]:
            files = dict(self._tree(top))
            write(self.site, files) if self._random.random() < 0.3 else distribution(self.site, top, files)
        write(workspace / "elsewhere", dict(self._tree(tops[3])))
        (self.site / "more.pth").write_text(f"{workspace / 'elsewhere'}\n")
        write(workspace / "src", dict(self._tree(tops[4])))
        self.own = tops[4]

    def _tree(self, top: str) -> Iterator[tuple[str, str]]:
        """The files of one package or module; the last may import those before it."""
        if self._random.random() < 0.15:
            yield f"{top}.py", self._source(top, "", [])
            return
        below: list[str] = []
        for name in self._random.sample(("core", "util", "model", "sub"), self._random.randint(1, 4)):
            dotted = f"{top}.{name}"
            if name == "sub":
                yield f"{top}/sub/leaf.py", self._source(f"{dotted}.leaf", dotted, [])
                yield f"{top}/sub/__init__.py", self._source(dotted, dotted, [f"{dotted}.leaf"])
            else:
                yield f"{top}/{name}.py", self._source(dotted, top, list(below))
            below.append(dotted)
        if self._random.random() < 0.8:
            yield f"{top}/__init__.py", self._source(top, top, below)
        else:
            self._modules[top] = set()

    def _source(self, dotted: str, package: str, others: Sequence[str]) -> str:
        choose, stem = self._random, dotted.replace(".", "_")
        bound = [f"{stem}_{size}" for size in range(choose.randint(1, 3))]
        lines = ["import sys", "from typing import TYPE_CHECKING", f"_{stem}_private = 1"]
        lines += [choose.choice(_BOUND).format(name) for name in bound]
        for other in choose.sample(others, min(len(others), choose.randint(0, 2))):
            lines.append(self._taken(other, package, bound))
        listed = [name for name in bound if choose.random() < 0.6]
        for kind, form in _ODD.items():
            if choose.random() < 0.2:
                lines.append(form.format(f"{stem}_{kind}", choose.choice(_CONDITIONS)))
                bound.append(f"{stem}_{kind}")
        if choose.random() < 0.4:
            lines.append(choose.choice(_LISTS).format(listed))
        self._modules[dotted] = {*bound, f"_{stem}_private"}
        return "\n".join([*lines, ""])

    def _taken(self, other: str, package: str, bound: list[str]) -> str:
        """A way to import a module that is there; what it binds may be listed as exported."""
        parent, _, name = other.rpartition(".")
        near = f".{name}" if parent == package else other
        sure = f"{other.replace('.', '_')}_0"
        forms = {
            f"from {near} import *": "",
            f"from {near} import {sure}": sure,
            f"from {other} import {sure} as also_{sure}": f"also_{sure}",
            f"import {other}": "",
            f"import {other} as {name}_too": f"{name}_too",
            f"from {parent} import {name}": name,
        }
        form = self._random.choice(list(forms))
        bound += filter(None, (forms[form],))
        return form

    def questions(self, most: int) -> list[str]:
        """Codes that ask about names that are there, that are elsewhere, and that are nowhere."""
        return [self._question() for _ in range(most)]

    def _question(self) -> str:
        choose = self._random
        module = choose.choice(sorted(self._modules))
        anywhere = sorted(name for names in self._modules.values() for name in names)
        own = sorted(self._modules[module]) or anywhere
        name = choose.choice([*(choose.choice(own) for _ in range(4)), *(choose.choice(anywhere) for _ in range(2))])
        name = choose.choice((*[name] * 5, f"{name[:-1]}q", *_ANY_NAMES))
        return choose.choice(_QUESTIONS).format(module, name, module.partition(".")[0])
