"""The subcommands of package managers that install, and what their options mean."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from arreio_contracts.grounding import Ecosystem


@dataclass(frozen=True, slots=True)
class Form:
    """A subcommand that installs: whose packages, which options take a value, and which option makes it another thing.

    `first`: only the first word is a package, the rest is the package's own (`npx NAME …`). `only_options`: not even
    that one is. `packages`, `files`, `index`: options whose values are packages, files of requirements, a registry;
    `elsewhere`: options of more places than one registry; `unasked`: no client here asks its registry. `lists`: its
    words are files of requirements. `manifest`: the file that it installs from where it names no package. `creates`:
    its word is the end of a package's name (`npm create NAME`).
    """

    ecosystem: Ecosystem
    valued: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()
    unasked: bool = False
    first: bool = False
    packages: frozenset[str] = frozenset()
    index: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    only_options: bool = False
    lists: bool = False
    manifest: str = ""
    creates: bool = False


_PIP_VALUED = """
-r --requirement -c --constraint -e --editable -t --target --prefix --root --src -i --index-url --extra-index-url -f
--find-links --platform --python-version --implementation --abi --progress-bar --cache-dir --log --proxy --timeout
--retries --exists-action --trusted-host --cert --client-cert --no-binary --only-binary --python --config-settings -C
--global-option --report --root-user-action --upgrade-strategy --keyring-provider -p --index --default-index
--index-strategy --exclude-newer --resolution --prerelease --link-mode --group --extra --optional --package --script
--source --platforms --markers -m -b --build
"""
_NPM_VALUED = """
--registry --prefix -C --workspace -w --filter --cwd --cache --tag --loglevel --omit --include --userconfig --dir
--network-timeout --modules-folder --os --cpu --libc --before --otp
"""
PIP = Form(
    "pypi",
    valued=frozenset(_PIP_VALUED.split()),
    elsewhere=frozenset({"--extra-index-url", "-f", "--find-links", "--no-index", "--index", "--source"}),
    index=frozenset({"-i", "--index-url", "--default-index"}),
    files=frozenset({"-r", "--requirement", "--requirements"}),
)
_POETRY = replace(PIP, valued=PIP.valued | {"-G", "-E", "--extras"})
_CONDA_VALUED = frozenset({"-c", "--channel", "-n", "--name", "-p", "--prefix", "--file", "--solver"})
_CONDA = replace(PIP, valued=_CONDA_VALUED, unasked=True)
_RUN_PYPI = replace(
    PIP,
    valued=PIP.valued | {"--with-editable", "--with-requirements", "-w"},
    first=True,
    packages=frozenset({"--from", "--with", "--spec"}),
    files=frozenset({"--with-requirements"}),
)
UV_RUN = replace(_RUN_PYPI, packages=frozenset({"--with"}), only_options=True)
NPM = Form(
    "npm",
    valued=frozenset(_NPM_VALUED.split()),
    elsewhere=frozenset({"--offline"}),
    index=frozenset({"--registry"}),
)
_NPM_PROJECT = replace(NPM, manifest="package.json")
_PNPM = replace(_NPM_PROJECT, valued=NPM.valued - {"-w", "--workspace"})
_RUN_NPM = replace(NPM, first=True, packages=frozenset({"-p", "--package"}))
_CREATE = replace(NPM, first=True, creates=True)
_DOWNLOAD = replace(PIP, valued=PIP.valued | {"-w", "--wheel-dir", "-d", "--dest"})
_PROJECT = replace(PIP, manifest="pyproject.toml", only_options=True)
_SYNC = replace(PIP, lists=True)

RUNNERS: Final = frozenset({"uv", "poetry", "pipenv", "pdm", "rye", "hatch", "conda", "mamba", "micromamba"})
"""Tools whose `run` starts another program."""

_NPM_INSTALLS = ("install", "i", "in", "ins", "inst", "isnt", "isntall", "add", "install-test", "it")

GLOBAL_VALUED: Final[Mapping[str, frozenset[str]]] = {
    "uv": PIP.valued | {"--directory", "--project", "--config-file", "--color", "--allow-insecure-host"},
    "pnpm": _PNPM.valued,
    "bun": _PNPM.valued,
    "yarn": _PNPM.valued,
}
"""The options with a value before a tool's subcommand, where they are not those of pip and npm."""

FORMS: Final[Mapping[tuple[str, ...], Form]] = {
    ("pip", "install"): PIP,
    **{("pip", verb): _DOWNLOAD for verb in ("download", "wheel")},
    ("uv", "pip", "install"): PIP,
    ("uv", "pip", "sync"): _SYNC,
    ("pip-sync",): _SYNC,
    ("easy_install",): PIP,
    ("uv", "add"): PIP,
    ("uv", "run"): UV_RUN,
    ("uv", "tool", "install"): _RUN_PYPI,
    ("uv", "tool", "run"): _RUN_PYPI,
    ("uvx",): _RUN_PYPI,
    ("poetry", "add"): _POETRY,
    ("pdm", "add"): _POETRY,
    **{(tool, verb): _CONDA for tool in ("conda", "mamba", "micromamba") for verb in ("install", "create")},
    ("rye", "add"): PIP,
    ("hatch", "dep", "add"): PIP,
    ("pipenv", "install"): replace(PIP, manifest="Pipfile"),
    **{(tool, "sync"): _PROJECT for tool in ("uv", "pdm", "rye")},
    **{(tool, "lock"): _PROJECT for tool in ("uv", "pdm", "poetry")},
    **{(tool, "install"): _PROJECT for tool in ("pdm", "poetry")},
    ("yarn", "install"): _NPM_PROJECT,
    ("pipx", "install"): PIP,
    ("pipx", "inject"): PIP,
    ("pipx", "run"): _RUN_PYPI,
    **{("npm", verb): _NPM_PROJECT for verb in _NPM_INSTALLS},
    **{(tool, verb): _PNPM for tool in ("pnpm", "bun") for verb in ("add", "install", "i")},
    ("yarn", "add"): NPM,
    ("yarn", "global", "add"): NPM,
    ("yarn", "dlx"): _RUN_NPM,
    ("pnpm", "dlx"): _RUN_NPM,
    ("npx",): _RUN_NPM,
    ("bunx",): _RUN_NPM,
    ("pnpx",): _RUN_NPM,
    ("bun", "x"): _RUN_NPM,
    ("pixi", "add"): _CONDA,
    **{(tool, "create"): _CREATE for tool in ("npm", "pnpm", "yarn", "bun")},
    **{("npm", verb): _CREATE for verb in ("init", "innit")},
    ("npm", "exec"): _RUN_NPM,
    ("npm", "x"): _RUN_NPM,
}
