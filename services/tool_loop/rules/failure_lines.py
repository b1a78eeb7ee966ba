"""The lines by which common tools say that they failed, for logs that hold no status: a table, a form a row.

A tool that is missing gets a row here, with an example of what it prints; the tests try every row on its example. A
form matches from the beginning of a line, in a text that is normalised (`normalising.py`): times, lines of files told
as `line 4` and temporary paths are masked there.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple


class Form(NamedTuple):
    """How a line begins by which a tool says that it failed. `example`: such a line, as the tool prints it."""

    tools: str
    line: str
    example: str


FORMS: Final = (
    # Compilers and whatever else names a place in a file.
    Form("tsc, dotnet, msbuild", r"\S+\(\d+(?:,\d+)?\)\s?: (?:fatal )?error\b", "src/a.ts(4,7): error TS2322: Type"),
    Form(
        "gcc, clang, javac, ghc, cabal, swift, kotlinc, mypy, iverilog, lean, dart",
        r"\S{1,300}?:\d{1,7}(?:[:.,-]\d{1,7}){0,4}: (?:(?:fatal|syntax|type|parse) )?(?i:error)\b",
        "Main.hs:4:7: error: [GHC-88464]",
    ),
    Form("go build, go vet, protoc, buf", r"(?:vet: )?\S+\.(?:go|proto):\d+:\d+: ", "./a.go:4:7: undefined: foo"),
    Form(
        "ruff, flake8, pylint, pycodestyle",
        r"\S+\.pyi?:\d+:\d+: [A-Z]{1,4}\d{2,5}\b",
        "a.py:4:7: F821 Undefined name `x`",
    ),
    Form("eslint, stylelint, yamllint", r"\d+:\d+ +(?:error|✖) ", "4:7  error  'x' is not defined  no-undef"),
    Form("eslint, stylelint", r"✖ [1-9]\d* problems? \((?!0 errors)", "✖ 1 problem (1 error, 0 warnings)"),
    Form("kotlinc, gradle", r"e: (?:file:)?\S*/\S+:\d+", "e: file:///app/A.kt:4:7 Unresolved reference: x"),
    Form("rustc, cargo, zig, typst, nix, git", r"(?:error|fatal)(?:\[\w+\])?: ", "error[E0382]: borrow of moved value"),
    Form("verilator, yosys", r"%Error(?:-\w+)?: |ERROR: ", "%Error: a.v:4:7: syntax error, unexpected ')'"),
    Form("iverilog", r"I give up\.$", "I give up."),
    Form("valac, forge, solc", r"Compilation failed\b", "Compilation failed: 1 error(s), 0 warning(s)"),
    Form("latex", r"! (?:[A-Z]\w+ \w|==> Fatal)", "! Undefined control sequence."),
    Form(
        "elixir, mix", r"\*\* \([A-Z][\w.]*\) |== Compilation error in file ", "** (CompileError) lib/a.ex:4: undefined"
    ),
    Form("erlang, rebar3", r"===> (?:Compiling \S+ failed|Failed )", "===> Compiling src/a.erl failed"),
    Form(
        "perl",
        r"syntax error at \S+ (?:line|<line>)|BEGIN failed--",
        "BEGIN failed--compilation aborted at a.pl line 4.",
    ),
    Form(
        "php, composer",
        r"(?:PHP )?(?:Fatal|Parse) error: |Errors parsing ",
        "PHP Parse error:  syntax error in a.php on line 4",
    ),
    Form(
        "ruby",
        r"\S{1,300}?:\d{1,7}:in .*Error\)$|\S{1,300}?:\d{1,7}: syntax error",
        "a.rb:4: syntax error, unexpected end",
    ),
    Form("lua", r"luac?[\d.]*: ", "lua: a.lua:4: attempt to call a nil value"),
    Form("R", r"Execution halted$|Error in \S", "Execution halted"),
    Form("julia", r"ERROR: (?:LoadError|\w+Error)\b", "ERROR: LoadError: UndefVarError: `x` not defined"),
    Form("node, deno", r"(?:Uncaught )?(?:\w*Error|\w*Exception)(?: \[\w+\])?: ", "TypeError: x is not a function"),
    # What a process ends with.
    Form(
        "shell",
        r"(?:\S+: )?(?:<line>|line \d+): .*\b(?:syntax error|unbound variable|command not found)",
        "a.sh: line 4: x: unbound variable",
    ),
    Form(
        "signals",
        r"(?:\S+: (?:<line>|line \d+):? (?:\d+ )?)?(?:Segmentation fault|Aborted|Bus error|Illegal instruction"
        r"|Floating point exception|Trace/breakpoint trap)(?: \(core dumped\)| *$)",
        "Segmentation fault (core dumped)",
    ),
    Form(
        "assert.h",
        r"Assertion failed: ",
        "Assertion failed: (x), function main, file a.c, line 4.",
    ),
    Form(
        "c++",
        r"terminate called (?:after throwing|without an active)|libc\+\+abi: ",
        "terminate called after throwing an instance of 'int'",
    ),
    Form(
        "sanitizers",
        r"==(?:\w+|<pid>)==\s?(?:ERROR|WARNING): \w+Sanitizer|\S+:\d+(?::\d+)?: runtime error: ",
        "==91==ERROR: AddressSanitizer: heap-use-after-free",
    ),
    Form("rust", r"thread '[^']*' (?:\(\d+\) )?panicked at", "thread 'main' panicked at src/main.rs:4:7:"),
    Form("go", r"panic: |--- FAIL: |FAIL\b", "--- FAIL: TestSum (0.00s)"),
    # Runners of tests, where no count is printed, or one that is not known.
    Form("tap, bats, node:test", r"not ok \d+\b(?!.*# (?:TODO|SKIP)\b)", "not ok 1 adds"),
    Form("dart, flutter", r"(?:.*: )?Some tests failed\.$", "00:01 +0 -1: Some tests failed."),
    Form("ctest", r"The following tests FAILED:$|Errors while running CTest", "The following tests FAILED:"),
    Form("phpunit", r"(?:FAILURES|ERRORS)!$", "FAILURES!"),
    Form("dotnet", r"Failed! +- Failed: ", "Failed!  - Failed:     1, Passed:     3, Skipped:     0, Total:     4"),
    Form("xcodebuild", r"\*\* (?:BUILD|TEST|ARCHIVE|ANALYZE) FAILED \*\*", "** BUILD FAILED **"),
    Form(
        "xctest",
        r"Executed \d+ tests?, with [1-9]\d* failures?",
        "Executed 4 tests, with 1 failure (0 unexpected) in 0.012 seconds",
    ),
    Form("jest, vitest, forge", r"FAIL |\[FAIL[.:\]]|● .+ › ", "FAIL src/a.test.ts"),
    # Builders and bundlers.
    Form("make", r"\w*make(?:\[\d+\])?: \*\*\* ", "make[2]: *** [all] Error 1"),
    Form("ninja", r"ninja: (?:build stopped|error)|FAILED: ", "ninja: build stopped: subcommand failed."),
    Form(
        "cmake, ctest",
        r"CMake Error|-- Configuring incomplete, errors",
        "CMake Error at CMakeLists.txt:4 (find_package):",
    ),
    Form("meson", r"\S*meson\.build:\d+:\d+: ERROR", 'meson.build:4:7: ERROR: Dependency "x" not found'),
    Form(
        "bazel",
        r"FAILED: Build did NOT complete|ERROR: (?:Build|Analysis|/)",
        "FAILED: Build did NOT complete successfully",
    ),
    Form(
        "gradle",
        r"\* What went wrong:|FAILURE: Build failed|BUILD FAILED\b",
        "FAILURE: Build failed with an exception.",
    ),
    Form("mvn, sbt", r"\[(?:ERROR|error)\] (?!.*\bexpected by\b)", "[ERROR] COMPILATION ERROR :"),
    Form("dotnet", r"Build FAILED\.", "Build FAILED."),
    Form(
        "vite, parcel, next",
        r"(?:[✗✘×🚨❌] ?)?(?:Build failed\b|Failed to compile\b)|error during build:",
        "✗ Build failed in 312ms",
    ),
    Form("esbuild, rollup", r"[✗✘] \[ERROR\] |\[!\] (?:\(|\w*Error)", '✘ [ERROR] Could not resolve "./b"'),
    Form("webpack", r"ERROR in \S", "ERROR in ./src/a.js 4:7"),
    Form(
        "docker build",
        r"ERROR: failed to (?:solve|build)|The command '.*' returned a non-zero code",
        'ERROR: failed to solve: process "/bin/sh -c make" did not complete',
    ),
    # Formatters that only check.
    Form(
        "black, ruff format",
        r"(?i:would reformat:?) \S|Oh no! |[1-9]\d* files? would be reformatted",
        "would reformat a.py",
    ),
    Form(
        "prettier",
        r"\[(?:warn|error)\] (?:Code style issues|.*SyntaxError)",
        "[warn] Code style issues found in the above file.",
    ),
    Form(
        "isort",
        r"ERROR: \S+ Imports are incorrectly sorted",
        "ERROR: /app/a.py Imports are incorrectly sorted and/or formatted.",
    ),
    Form("rustfmt", r"Diff in \S", "Diff in /app/src/main.rs:4:"),
    Form(
        "clang-format",
        r"\S+: (?:warning|error): code should be clang-formatted",
        "a.c:4:7: error: code should be clang-formatted",
    ),
    # Packages.
    Form(
        "npm, pnpm, yarn", r"npm (?:ERR!|error) |\s?ERR_PNPM_\w+|(?:➤ )?YN\d{4}: .*\berror\b", "npm ERR! code ERESOLVE"
    ),
    Form(
        "yarn, bun",
        r"error (?:Command failed|Couldn't find|An unexpected error|\S+@\S+: )",
        "error Command failed with exit code 1.",
    ),
    Form(
        "pip, poetry, uv",
        r"ERROR: |[×✗] No solution found",
        "ERROR: No matching distribution found for x",
    ),
    Form(
        "bundler, composer",
        r"Bundler could not find|Your requirements could not be resolved",
        'Bundler could not find compatible versions for gem "x":',
    ),
    Form(
        "go mod",
        r"go: .*\b(?:not found|no required module|unknown revision|invalid version)\b",
        "go: example.org/x@v1.2.3: invalid version: unknown revision v1.2.3",
    ),
    # Machines, clouds and servers.
    Form(
        "nginx, apache, haproxy",
        r"nginx: \[(?:emerg|alert|crit)\] |(?:AH\d+: )?Syntax error on "
        r"|\[ALERT\]",
        'nginx: [emerg] unknown directive "foo" in /etc/nginx/nginx.conf:4',
    ),
    Form(
        "systemctl",
        r"Job for \S+ failed\b|Failed to (?:start|restart|reload|enable) ",
        "Job for web.service failed because the control process exited",
    ),
    Form("terraform, pulumi", r"(?:[╷│|] ?)?Error: ", "│ Error: Unsupported attribute"),
    Form("kubectl, helm", r"Error from server\b|error: |Error: ", 'Error from server (NotFound): pods "x" not found'),
    Form("docker", r"Error response from daemon: |docker: Error", "Error response from daemon: No such container: x"),
    Form(
        "ansible",
        r"fatal: \[[^\]]+\]: |ERROR! ",
        'fatal: [web01]: FAILED! => {"msg": "x"}',
    ),
    Form("curl, wget", r"curl: \(\d+\) |wget: ", "curl: (22) The requested URL returned error: 404"),
    Form(
        "ssh, scp, rsync",
        r"(?:ssh|scp|rsync): (?:connect|Could not|error)|rsync error: ",
        "rsync error: some files could not be transferred (code 23)",
    ),
    Form(
        "esptool, avrdude, openocd, adb, fastboot",
        r"A fatal error occurred: |avrdude: (?:error|.*\bnot in sync\b)|(?:adb|fastboot): (?:error|.*\bfailed\b)",
        "A fatal error occurred: Failed to connect to ESP32: Wrong boot mode detected",
    ),
    # Databases and version control.
    Form("psql", r"(?:psql:\S+:\d+: )?(?:ERROR|FATAL): ", 'psql:q.sql:4: ERROR:  column "x" does not exist'),
    Form("mysql", r"ERROR \d+ \(\w+\)", "ERROR 1064 (42000) at line 4: You have an error in your SQL syntax"),
    Form(
        "sqlite3, duckdb",
        r"(?:Parse|Runtime|Binder|Catalog) [Ee]rror\b|Error: near ",
        "Parse error near line 4: no such column: x",
    ),
    Form(
        "git",
        r" ?! \[(?:remote )?rejected\]|CONFLICT \(|error: failed to push",
        "! [rejected]        main -> main (fetch first)",
    ),
)
WITHIN: Final = (
    Form("perl", r"aborted due to compilation errors\.$", "Execution of a.pl aborted due to compilation errors."),
    Form("assert.h", r"Assertion [`'\"].{0,300}?['\"] failed\b", "app: a.c:4: main: Assertion `x' failed."),
    Form("webpack", r"compiled with [1-9]\d* errors?\b", "webpack compiled with 1 error"),
    Form("poetry", r"version solving failed\b", "So, because app depends on x (^9), version solving failed."),
    Form("nginx", r"configuration file \S+ test failed", "nginx: configuration file /etc/nginx/nginx.conf test failed"),
    Form("ansible", r"(?:failed|unreachable)=[1-9]", "web01 : ok=3 changed=1 unreachable=0 failed=1"),
    Form("wget", r"ERROR [45]\d\d: ", "2026-01-01 10:00:00 ERROR 404: Not Found."),
    Form("ssh, git", r"Permission denied \(", "git@host.example: Permission denied (publickey)."),
)
"""The same for what stands within a line: `line` begins at a word."""
_BEGINS: Final = re.compile(rf"^(?:{'|'.join(form.line for form in FORMS)})", re.MULTILINE)
_WITHIN: Final = re.compile(rf"\b(?:{'|'.join(form.line for form in WITHIN)})", re.MULTILINE)
_PASSES: Final = re.compile(
    r"\b[1-9]\d* (?:tests?|examples?|specs?|passed|passing)\b[^\n]*|\btest result: ok\b|\bBUILD SUCCESS"
    r"|\*\* \w+ SUCCEEDED \*\*|^OK\b|\b(?:0 errors|no (?:errors|issues|problems)(?: were)? found|0 failures)\b",
    re.MULTILINE | re.IGNORECASE,
)
_FAILS_TOO: Final = re.compile(
    r"\b(?:[1-9]\d* (?:tests? )?(?:fail|error)|(?:fail(?:ed|ures?)?|errors?)[:=] ?[1-9])", re.IGNORECASE
)
_END: Final = 240


@lru_cache(maxsize=2)
def told(normal: str) -> str | None:
    """The first line by which a tool says that it failed.

    None: there is none, or what comes after the last one sums up that all is well: tests may print errors while they
    pass.
    """
    at = _first(normal)
    if at is None or _ends_well(normal):
        return None
    ended = normal.find("\n", at)
    return normal[normal.rfind("\n", 0, at) + 1 : ended if ended >= 0 else None].strip()


def _first(normal: str, after: int = 0) -> int | None:
    found = [one.start() for form in (_BEGINS, _WITHIN) if (one := form.search(normal, after))]
    return min(found, default=None)


def _ends_well(normal: str) -> bool:
    begun = max(0, len(normal) - _END)
    sums_up = list(_PASSES.finditer(normal, begun))
    return bool(sums_up) and not _FAILS_TOO.search(normal, begun) and _first(normal, sums_up[-1].end()) is None
