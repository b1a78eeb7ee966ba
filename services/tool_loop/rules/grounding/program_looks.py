"""Commands of programs that may do much, called in a way that only looks: `kubectl get`, `ssh host tail`, `git tag`."""

import re
from typing import Final

_FLAGS: Final = r"(?:\s+-{1,2}[\w-]+(?:[= ][^\s-]\S*)?){0,4}"
_THERE: Final = r"""(?:sudo\s+)?(?:ssh(?:\s+-\S+(?:\s+\d+)?){0,4}\s+[\w.@-]+\s+['"]?\s*(?:sudo\s+)?)?"""
_FILES: Final = (
    r"cat|tail|head|less|ls|grep|egrep|zgrep|find|df|du|ps|top|free|uptime|netstat|ss|lsof|ping|dig|nslookup|whoami"
    r"|hostname|date|id|uname|stat|journalctl|dmesg|wc|pwd|echo|which|getent|ip addr"
)
_CALLS: Final = (
    rf"kubectl{_FLAGS}\s+(?:get|describe|logs?|top|version|cluster-info|events|explain|diff|auth\s+can-i"
    r"|rollout\s+(?:status|history)|config\s+(?:view|get-\S+|current-context))",
    r"systemctl\s+(?:--\S+\s+)*(?:status|is-\w+|list-\S+|show|cat)",
    r"service\s+\S+\s+status",
    rf"(?:docker|podman){_FLAGS}\s+(?:ps|logs?|images|inspect|stats|version|info|top|port"
    r"|(?:compose|container|image)\s+(?:ps|logs?|ls|config))",
    r"docker-compose\s+(?:ps|logs?|config)",
    rf"helm{_FLAGS}\s+(?:list|ls|status|history|get|show|template|lint|version)",
    r"terraform\s+(?:plan|show|output|validate|state\s+(?:list|show)|version|fmt|providers)",
    r"(?:gh|glab)\s+(?:\w+\s+)?(?:view|list|status|checks|diff|watch)",
    r"aws\s+(?:--\S+\s+)*\S+\s+(?:describe-\S+|list-\S+|get-\S+|ls)",
    r"(?:gcloud|az)\s+(?:[\w-]+\s+){1,4}?(?:list|describe|show)",
    r"(?:npm|pnpm|yarn)\s+(?:ls|list|view|outdated|info|why)",
    r"(?:pip3?|uv\s+pip)\s+(?:list|show|freeze|index|check)",
    r"git\s+(?:tag|branch|remote|stash\s+list|worktree\s+list)(?:\s+(?:-l|--list|-v|-vv|-a|-r|-n\S*|--sort\S*))*\s*(?:\Z|['\"])",
    r"git\s+(?:rev-parse|describe|ls-remote|ls-files|shortlog|reflog|config\s+--(?:get|list)\S*|remote\s+(?:-v|show|get-url))",
    r"(?:psql|mysql|sqlite3|duckdb|bq\s+query)\b[^;|&]*?['\"]\s*(?:select|show|explain|describe|pragma|\\d)"
    r"(?![^;|&]*\b(?:insert\s+into|delete\s+from|update\s+\w+\s+set))",
)
_ASKS_FOR: Final = re.compile(
    r"\s*(?:curl|wget|http|https)\s(?!.*\s(?:-X|--request|-d|--data\S*|-F|--form|-T|--upload-file|--json|--post-\S+|POST|PUT"
    r"|PATCH|DELETE|\w+=\S*)(?![\w-]))(?!.*(?:hook|deploy|trigger|send|notif|publish|restart|\?\S*=))",
    re.IGNORECASE | re.DOTALL,
)
"""A page that is only fetched."""
_LOOKS: Final = re.compile(rf"\s*{_THERE}(?:(?:{_FILES}|{'|'.join(_CALLS)})(?![\w-]))", re.IGNORECASE)
_INLINE: Final = re.compile(r"\s*(?:python3?|uv\s+run\s+python3?)\s+(?:-\w\s+)*-c\s+(?P<code>.*)", re.DOTALL)
_IMPORTS: Final = re.compile(r"\b(?:import|from)\s+([A-Za-z_]\w*)")
_LOCAL_WORDS: Final = (
    "pandas numpy polars json csv re math collections datetime statistics sys pathlib itertools decimal glob functools "
    "string textwrap random time pprint operator heapq"
)
_LOCAL: Final = frozenset(_LOCAL_WORDS.split())
_LEAVES: Final = re.compile(r"\b(?:__import__|exec|eval|system|popen|urlopen|to_sql|read_sql)\b")
_MOST_CHARS: Final = 4_000


def program_looks(part: str) -> bool:
    """Whether a part of a command line only looks, whatever its program may do else."""
    part = part[:_MOST_CHARS]
    return _LOOKS.match(part) is not None or _ASKS_FOR.match(part) is not None


def computes(command: str) -> bool:
    """Whether a command line is a Python text of one line that can reach nothing outside of the workspace."""
    found = _INLINE.match(command) if len(command) <= _MOST_CHARS else None
    if found is None:
        return False
    modules = _IMPORTS.findall(found["code"])
    return bool(modules) and set(modules) <= _LOCAL and not _LEAVES.search(found["code"])
