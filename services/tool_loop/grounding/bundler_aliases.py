"""Where bundlers, test runners and Node.js itself are told to look for modules: roots, patterns and aliases."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from .listings import Remembered, entries, text_of

CONFIGURED: Final = re.compile(
    r"(vite|vitest|webpack|rollup|jest|babel|next|nuxt|astro|svelte|metro|craco|rspack|esbuild|tsup|gatsby-\w+)"
    r"(?:\.[\w-]+)?\.config\.\w+|(?:webpack|jest|vite)\.[\w.-]+\.(?:js|ts|cjs|mjs|json)|\.babelrc(\.\w+)?"
    r"|import_?map\.json|deno\.jsonc?|package\.json"
)
_ROOTS: Final = re.compile(
    r"""["']?\b(?:moduleDirectories|modulePaths|modules|roots?)["']?\s*:\s*(?:\[([^\]]{0,2000})\]|(["'][^"'\n]+["']))"""
)
_NODE_PATH: Final = re.compile(r"\bNODE_PATH=\\?[\"']?([^\s\"'\\;&]+)")
_JOINED: Final = re.compile(r"(?:resolve|join)\(\s*(?:__dirname|import\.meta\.dirname|process\.cwd\(\))\s*,([^)]*)\)")
_STRING: Final = re.compile(r"""["']([^"'\n]*)["']""")
_MAPPER: Final = re.compile(r"""["']?moduleNameMapper["']?\s*:\s*\{(.{0,4000}?)\}""", re.DOTALL)
_KEY: Final = re.compile(r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')\s*:""")
_PLACE: Final = (
    r"""(?:(?:path\.)?(?:resolve|join)\(\s*(?:__dirname|import\.meta\.dirname|process\.cwd\(\))\s*,(?P<joined>[^)]*)\)"""
    r"""|fileURLToPath\(\s*new URL\(\s*["'](?P<url>[^"'\n]+)["']\s*,\s*import\.meta\.url\s*\)\s*\)"""
    r"""|new URL\(\s*["'](?P<bare>[^"'\n]+)["']\s*,\s*import\.meta\.url\s*\)\.pathname)"""
)
_ALIAS: Final = re.compile(
    rf"""(?:(?:["'](?P<quoted>[@~#$\w][\w@/.-]*|[@~#$])["']|\b(?P<plain>\w+))\s*:"""
    rf"""|\bfind\s*:\s*["'](?P<find>[^"'\n]+)["']\s*,\s*replacement\s*:)\s*{_PLACE}"""
)
_LONGEST_PATTERN: Final = 300


@dataclass(frozen=True, slots=True)
class Told:
    """What a configuration says, by paths from its folder.

    `roots`: folders in which bare names are looked for; `mapped`: patterns of modules that become others; `aliases`:
    beginnings of modules, and the folders or files that they stand for.
    """

    roots: tuple[str, ...] = ()
    mapped: tuple[re.Pattern[str], ...] = ()
    aliases: tuple[tuple[str, str], ...] = field(default=())


def _read(path: str) -> Told:
    text = text_of(path)
    return Told(tuple(dict.fromkeys(_roots(text))), tuple(_mapped(text)), tuple(_aliases(text)))


_told = Remembered(_read)


def told(folder: str) -> Iterator[Told]:
    """What each configuration of a folder says of where modules lie."""
    for name in entries(folder) or ():
        found = _told(f"{folder}/{name}") if CONFIGURED.fullmatch(name) or name == ".env" else None
        if found is not None:
            yield found


def _roots(text: str) -> Iterator[str]:
    for many, one in _ROOTS.findall(text):
        listed = many or one
        for joined in _JOINED.findall(listed):
            yield "/".join(part.strip("/") for part in _STRING.findall(joined))
        yield from map(_below_root, _STRING.findall(_JOINED.sub("", listed)))
    for places in _NODE_PATH.findall(text):
        yield from filter(None, places.split(":"))


def _below_root(place: str) -> str:
    return re.sub(r"^<rootDir>/?", "./", place) or "."


def _mapped(text: str) -> Iterator[re.Pattern[str]]:
    for found in _MAPPER.finditer(text):
        for key in _KEY.findall(found[1]):
            try:
                pattern = str(json.loads(key)) if key[0] == '"' else re.sub(r"\\(.)", r"\1", key[1:-1])
                if len(pattern) <= _LONGEST_PATTERN:
                    yield re.compile(pattern)
            except (ValueError, re.error):
                continue


def _aliases(text: str) -> Iterator[tuple[str, str]]:
    for found in _ALIAS.finditer(text):
        name = found["quoted"] or found["plain"] or found["find"]
        url = found["url"] or found["bare"]
        place = url or "/".join(part.strip("/") for part in _STRING.findall(found["joined"]))
        if place and not Path(place).is_absolute():
            yield name.rstrip("/"), place.removeprefix("./").rstrip("/")
