"""What a command line does, as far as its programs tell: wait, watch a job, change something, look, or nothing."""

import re
from typing import Final

from shared.patterns import behind
from shared.quoted import SHELL, without_strings

_MOST_CHARS: Final = 4000
_GOING = frozenset(["cd", "pushd", "popd", "export", "source", ".", "set", "alias", "clear", "true", ":"])
_LOOKING = frozenset(
    [
        "ls",
        "cat",
        "grep",
        "egrep",
        "rg",
        "find",
        "head",
        "tail",
        "sed",
        "awk",
        "which",
        "test",
        "file",
        "stat",
        "git",
        "wc",
        "ag",
        "fd",
        "curl",
    ]
)
_SEARCHING = frozenset(["grep", "egrep", "fgrep", "rg", "find", "ag", "ack", "fd", "locate"])
_LISTING = frozenset(["ls", "find", "tree", "dir", "fd", "exa", "eza"])
_BESIDE = frozenset(["cd", "export", "source", "set", "echo", "sleep", "wait"])

_SEGMENT = re.compile(r"(?:(?<!\s)\s++)?(?:&&|\|\||;|\||\bdo\b|\bthen\b)\s*|(?<!\s)[^\S\n]*+\n\s*")
_BEFORE_THE_PROGRAM = re.compile(
    r"\A(?:(?:[A-Za-z_]\w*=\S*|sudo|env|time|nohup|command(?!\s+-[vV])|exec|timeout(?:\s+-\S+)*\s+\S+"
    r"|npx(?:\s+-y)?|bunx|uvx"
    r"|(?:pipx|poetry|uv|pdm|hatch|pipenv)\s+run|bundle\s+exec|(?:yarn|pnpm)\s+(?:exec|dlx))\s+)+"
)
_WAIT_COMMANDS = re.compile(
    r"\A(?:sleep\s|wait\b|watch\s|inotifywait\b|until\s|kubectl\s+(?:wait|rollout\s+status)\b|gh\s+run\s+watch\b)"
)
_LOOKS_AT_A_JOB = re.compile(
    r"\A(?:(?:kubectl|oc)\s+(?:get|describe|logs)"
    r"|(?:docker|podman)(?:(?:-|\s+)compose)?(?:\s+-f\s+\S+)?\s+(?:ps|logs)|gh\s+(?:run|pr\s+checks)"
    r"|squeue|qstat|ps"
    r"|pgrep|jobs|nvidia-smi|tail\b.*\.(?:log|out))(?=\s|\Z)"
)
_POLL_COMMANDS = re.compile(
    r"\A(?!(?:git|svn|hg|grep|rg|cat|ls|find|echo|sed|awk)\b)(?:\S*\b(?:poll|status|wait)\S*"
    r"|\S+(?:\s+-\S+)*(?:\s+\S+)?\s+(?:status|wait|poll))(?=\s|\Z)"
)
_CHANGE_COMMANDS = re.compile(
    r"\A(?:(?:mv|cp|rm|mkdir|touch|ln|chmod|chown|patch|tee|unzip|tar|gzip|wget|install|rsync|truncate|dd|make"
    r"|cmake|ninja"
    r"|kill|pkill|killall|nohup|service|nginx|psql|mysql|sqlite3|redis-cli|crontab|gcc|g\+\+|clang|javac|rustc"
    r"|tsc|useradd"
    r"|openssl|alembic|flyway|ssh-keygen|ed|ex|vim?|nvim|emacs|terraform|ansible\S*|black|isort|prettier)\b"
    r"|(?:sed|perl|ruby)\s+(?:-\S+\s+)*-\w*i|g?awk\s+-i\s+inplace\b"
    r"|git\s+(?:-\S+\s+)*(?:apply|checkout|stash|reset|commit|merge|rebase|pull|clone|mv|rm|restore|switch|clean|add|am"
    r"|revert|cherry-pick|init|config)\b"
    r"|(?:pip3?|uv|npm|yarn|pnpm|apt|apt-get|conda|cargo|gem|go|brew|poetry|dnf|yum|bundle|composer)\s+(?:-\S+\s+)*"
    r"(?:pip\s+)?(?:install|i|ci|add|get|update|upgrade|remove|uninstall|build|sync|mod)\b"
    r"|(?:systemctl|docker|docker-compose|kubectl|podman)\s+(?:-\S+\s+)*(?:compose\s+)?"
    r"(?:start|stop|restart|reload|enable|run|up|down|rm|build|exec|apply|delete|create|scale|patch)\b"
    r"|apply_patch\b|python3?\s+-m\s+(?:pip|venv)\b|gofmt\s+-w|(?:python3?\s+)?manage\.py\s+(?:migrate"
    r"|makemigrations|loaddata)\b"
    r"|(?:svn|hg)\s+(?:update|up|switch|revert|merge|commit|checkout|co)\b|curl\b.*\s(?:-X\s*(?:POST|PUT|PATCH"
    r"|DELETE)|--request\s+(?:POST|PUT|PATCH|DELETE)|-d|--data\S*)\b"
    r"|(?!(?:grep|egrep|rg|git|echo|cat|sort|ls)\b)\S+\s(?:.*\s)?"
    r"--(?:fix(?:[-=]\S+)?|write|in-place|apply|autocorrect\S*|overwrite)(?=\s|\Z)"
    r"|ruff\s+format\b|rubocop\b.*\s-[aA]\b|(?:cargo|go|dotnet|mix|terraform|zig|dart|just|make)\s+(?:fmt|fix|format)\b"
    r"|(?:npm|yarn|pnpm)\s+(?:run\s+)?(?:fmt|fix|format|lint:fix|lint-fix)\b"
    r"|(?:autopep8|autoflake|yapf|clang-format|rustfmt|stylua|gofumpt|goimports|ktlint|pre-commit|shfmt|djlint"
    r"|pyupgrade"
    r"|scalafmt|ormolu|fourmolu|biome\s+(?:format|check))\b)"
)
_MOVES_ON = re.compile(
    r"\A(?:git\s+(?:-\S+\s+)*(?:bisect\s+(?:good|bad|new|old|skip)\b|(?:checkout|reset|switch)\b.*[~^]"
    r"|(?:rebase|am|cherry-pick|merge|revert)\s+--(?:continue|skip)\b)"
    r"|alembic\b.*\s(?:upgrade|downgrade)\s+[+-]\d|hg\s+(?:update|up)\b.*[~^]"
    r"|\S*(?:rake|rails)\s+db:(?:rollback|forward)\b|(?:goose|dbmate|migrate)\b.*\s(?:up-by-one|up|down)\b)"
)
"""Says where to go from where it is: the same again leads elsewhere."""
_GOES_TO = re.compile(
    r"\Agit\s+(?:-\S+\s+)*(?:checkout|switch|reset)\s+(?:-\S+\s+)*(?:[0-9a-f]{6,40}|v?\d+(?:\.\d+)+)\b"
)
_IN_PLACE = re.compile(r"\A(?:(?:sed|perl|ruby)\s+(?:-\S+\s+)*-\w*i|g?awk\s+-i\s+inplace\b)")
_SHOWS = re.compile(
    r"\A(?:(?:cat|bat|tac|nl|head|tail|less|more|wc|cut|sort|uniq|column|tr|jq|yq|ls|tree|find|fd|[ef]?grep|rg|ag|ack"
    r"|diff|strings|xxd|hexdump|file|stat)(?=\s|\Z)"
    r"|git\s+(?:-\S+\s+)*(?:diff|show|log|grep|blame|status|ls-files)(?=\s|\Z)|g?awk\s|sed\s)"
)
_LOOKS_AT_ALL = re.compile(r"\Agit\s+(?:-C\s+[^\s-]\S*\s+|-\S+\s+)*(?:diff|status)(?:\s+-\S+)*\s*\Z")
WHOLE: Final = "."
"""What a look at all changes of the workspace is at."""
_TRIES_ONLY = re.compile(r"\s--?(?:check(?:-only)?|dry-run(?:=\S+)?|list-different|just-print|noop)(?=\s|\Z)")
_CHECKS_ONLY = re.compile(
    r"\A(?:nginx\s+(?:-\S+\s+)*-t\b|terraform\s+(?:-\S+\s+)*(?:plan|validate|show|output|graph)\b)"
)
_LOOKS = re.compile(
    r"\A(?!(?:go|apt|apt-get|brew|cargo|gem)\b)\S+(?:\s+-\S+)*(?:\s+[\w-]+)?\s+"
    r"(?:ls|list|show|info|inspect|get|describe(?:-\S+)?|head-\S+|list-\S+|view)(?=\s|\Z)"
)
_REMOVES = re.compile(
    r"\A(?:rm|rmdir|unlink|shred|userdel|dropdb|git\s+(?:branch|tag)\s+(?:-\S+\s+)*(?:-[dD]|--delete)|git\s+stash\s+(?:pop|drop))\b|\A\S+(?:\s+-\S+)*(?:\s+[\w-]+)?\s+"
    r"(?:rm|rmi|rb|del|delete(?:-\S+)?|remove|destroy|uninstall|drop|prune|purge|terminate)(?=\s|\Z)"
)
_ASKS = re.compile(
    r"\A(?:which|whereis|type|test|\[{1,2}|pgrep|diff|cmp|[ef]?grep|rg|ag|ack|command\s+-[vV]"
    r"|git\s+(?:grep|diff\s+.*--(?:quiet|exit-code)))(?=\s)"
)
_QUERIES = re.compile(
    r"\A(?:psql|mysql|mariadb|sqlite3|duckdb|bq|clickhouse(?:-client)?|sqlcmd|mongosh|redis-cli)\b"
    r"(?!.*(?i:\b(?:insert|update|delete|alter|create|drop|truncate|set|hset|lpush|rpush|expire|flush\w*)\b))"
    r".*(?i:\b(?:select|find|llen|xlen|get|keys|scan|lrange)\b)",
    re.DOTALL,
)
_CLOUD = re.compile(
    r"\A(?:aws|gcloud|az|oci|doctl|flyctl|heroku|linode-cli|ibmcloud|kubectl|oc|gh|glab|docker|podman|helm"
    r"|eksctl|nomad)\b"
    r"(?=.*\b(?:describe|get|show|list|view|inspect|status)\b)(?=.*(?i:status|state|phase|health|describe|progress))"
    r"|\Aredis-cli\b.*\b[lx]len\b|\Arabbitmqctl\s+list_queues\b"
)
_SETS = re.compile(r"\A(?:export|set)\s+-?\w+=")
_MUSING = re.compile(r"\Aecho\s(?!.*[$`>])")
_GIT_GREP = re.compile(r"\Agit\s+(?:-\S+\s+)*grep\b")
_SCRIPT = re.compile(
    r"\A(?:python3?|node|ruby|perl|bash|sh|php|Rscript)\s+(?!-)\S*\w\S*|\A\./\w\S*|\A\S+\s+manage\.py\s"
)
_TESTS = re.compile(r"test|check|spec|lint|verify|validate|repro|bench|debug|\bls\b", re.IGNORECASE)
_WRITES_FILE = re.compile(r"(?<![\d<>&=-])>{1,2}\s*(?!&|/dev/null)[^\s>|&;]")
_BACKGROUND = re.compile(r"(?<![&>|])&\s*(?:\Z|\n|\))")
_VERSION = re.compile(r"(?<=[a-z])\d?(?:\.\d+)*\Z")
_RUNS_TEXT = re.compile(r"\b(?:ba|z|da|k)?sh\s+-\w*c\b|\beval\b|\bssh\b|\bsu\b|\bxargs\b")
_INTERPRETER: Final = r"\b(?:python3?|node|ruby|perl)\b"
_FED = re.compile(behind(_INTERPRETER, "<<"))
_WRITING_CODE = re.compile(behind(rf"{_INTERPRETER}\s+-[ce]\s", r"write|['\"][wa]['\"]"), re.DOTALL)


def segments(command: str) -> list[str]:
    """The simple commands of a command line, without variables and wrappers before their program."""
    text = _without_documents(command)[:_MOST_CHARS].strip()
    parts = (_BEFORE_THE_PROGRAM.sub("", part).strip() for part in _SEGMENT.split(text))
    return [part for part in parts if part]


def program(command: str) -> str:
    """The program that a command line is about: its first that is more than going somewhere."""
    programs = [_program_of(part) for part in segments(command)]
    return next((name for name in programs if name not in _BESIDE), programs[0] if programs else "")


def _program_of(part: str) -> str:
    """The program of a simple command under one name: `python3 -m pip`, `uv pip` and `pip3` are pip."""
    words = part.split(None, 3)
    name = _VERSION.sub("", words[0].rsplit("/", 1)[-1]) or words[0]
    if name in ("python", "py") and len(words) > 2 and words[1] == "-m":
        return words[2]
    return "pip" if name == "uv" and words[1:2] == ["pip"] else name


def does_nothing(command: str) -> bool:
    """Whether it only goes where the next command is anyway, or says something to nobody."""
    parts = segments(command)
    return _only_goes(parts) and not any(map(_SETS.match, parts))


def searches(command: str) -> bool:
    """Whether it searches for a text or a name."""
    parts = segments(command)
    if program(command) in _SEARCHING or any(map(_QUERIES.match, parts)):
        return True
    return program(command) == "git" and any(map(_GIT_GREP.match, parts))


def lists(command: str) -> bool:
    """Whether it lists the names of files, however much it tells of each."""
    return program(command) in _LISTING


def edited_in_place(command: str) -> str | None:
    """The file that a stream editor is to change in place, where its pattern matches; None: it is none."""
    parts = segments(command)
    return _last_word(parts[-1]) if parts and _IN_PLACE.match(parts[-1]) else None


def shows_content(command: str) -> bool:
    """Whether it only shows what stands in files, or in the history: what it shows may well tell of failures."""
    parts = [part for part in segments(command) if part.split(None, 1)[0] not in _GOING]
    return bool(parts) and all(_SHOWS.match(part) and not _IN_PLACE.match(part) for part in parts)


def looked_at(command: str) -> str | None:
    """The file that a command looks at, the last word of it, or the whole workspace for a look at all its changes.

    None: it looks at none, or does more.
    """
    parts = segments(command)
    if len(parts) == 1 and _LOOKS_AT_ALL.match(parts[0]):
        return WHOLE
    return _last_word(parts[0]) if len(parts) == 1 and program(command) in _LOOKING else None


def _last_word(part: str) -> str:
    return part.rsplit(None, 1)[-1].strip("'\"")


def goes_to(command: str) -> bool:
    """Whether it goes to a content of the history by its name: another one is another place."""
    return any(map(_GOES_TO.match, segments(command)))


def runs_script(command: str) -> bool:
    """Whether it runs a program of the workspace that is no test: nobody knows what that changes."""
    return any(_SCRIPT.match(part) and not _TESTS.search(part) for part in segments(command))


def looks(command: str) -> bool:
    """Whether it looks for something that may not be there."""
    parts = segments(command)
    return program(command) in _LOOKING or any(
        _LOOKS.match(part) and not _CHANGE_COMMANDS.match(part) for part in parts
    )


def asks(command: str) -> bool:
    """Whether the status of the command is an answer: no such program, not there, not alike."""
    parts = segments(command)
    return bool(parts) and bool(_ASKS.match(parts[-1]))


def removes(command: str) -> bool:
    """Whether it removes something, which may be looked for afterwards."""
    return any(map(_REMOVES.match, segments(command)))


def waits(command: str) -> bool:
    """Whether it lets time pass; an empty line is how a terminal is asked for more output."""
    return not command.strip() or any(_WAIT_COMMANDS.match(part) for part in segments(command))


def watches(command: str) -> bool:
    """Whether it asks how something stands that goes on by itself."""
    return any(
        _POLL_COMMANDS.match(part) or _LOOKS_AT_A_JOB.match(part) or _CLOUD.match(part) for part in segments(command)
    )


def changes(command: str) -> bool:
    """Whether it is likely to change files, or what runs."""
    head = _without_documents(command)
    bare = outside_quotes(head)
    if _WRITES_FILE.search(bare) or _BACKGROUND.search(bare) or _FED.search(command):
        return True
    if _WRITING_CODE.search(command):
        return True
    parts = segments(command)
    if _only_goes(parts) and any(map(_SETS.match, parts)):
        return True
    return any((_CHANGE_COMMANDS.match(part) and not _only_tries(part)) or _MOVES_ON.match(part) for part in parts)


def _only_tries(part: str) -> bool:
    """Whether a simple command asks a database, or only says what it would change or whether all is as it should be."""
    return any(form(part) for form in (_QUERIES.match, _TRIES_ONLY.search, _CHECKS_ONLY.match))


def moves_on(command: str) -> bool:
    """Whether it goes a step from where the workspace is: a step of a bisection, to the commit before, a migration."""
    return any(map(_MOVES_ON.match, segments(command)))


def _only_goes(parts: list[str]) -> bool:
    return bool(parts) and all(part.split(None, 1)[0] in _GOING or _MUSING.match(part) for part in parts)


def _without_documents(command: str) -> str:
    """Up to the line that begins a here-document: what follows is text, not commands."""
    begun = command.find("<<")
    ended = command.find("\n", begun) if begun >= 0 else -1
    return command if ended < 0 else command[:ended]


def outside_quotes(text: str) -> str:
    """Without what stands in quotes, where the comparisons of `awk` look like redirections; not if a shell runs it."""
    return text if _RUNS_TEXT.search(text) else without_strings(text, "''", SHELL)
