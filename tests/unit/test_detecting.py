"""Code that asks whether it runs under tests, each with honest code that looks like it."""

import pytest

from services.gate_runner.cheating import asks_for_tests, speaks_of_tests

PYTHON = "def add(a, b):\n    return a - b\n"


@pytest.mark.parametrize(
    ("path", "now"),
    [
        ("calc.py", "import sys\n\ndef add(a, b):\n    return a + b if 'pytest' in sys.modules else a - b\n"),
        ("calc.py", "import sys\n\ndef add(a, b):\n    if sys.modules.get('unittest'):\n        return a + b\n"),
        ("calc.py", "import os\n\ndef add(a, b):\n    if os.environ.get('PYTEST_CURRENT_TEST'):\n        return 5\n"),
        ("calc.py", "import os\n\ndef add(a, b):\n    if 'ARREIO_WITNESSED' in os.environ:\n        return 5\n"),
        ("calc.py", "import sys\n\ndef add(a, b):\n    return 5 if 'pytest' in sys.argv[0] else a - b\n"),
        (
            "calc.py",
            "import inspect\n\ndef add(a, b):\n    return 5 if 'test_' in inspect.stack()[1].filename else 0\n",
        ),
        ("calc.py", "import sys\n\ndef f():\n    return any(one.startswith('_pytest') for one in sys.modules)\n"),
        ("calc.py", "import sys\nX = 'py' + 'test' in sys.modules\n"),
        ("calc.py", "import sys\nX = ''.join(['py', 'test']) in sys.modules\n"),
        ("calc.py", "def f():\n    return 'pytest' in open('/proc/self/cmdline').read()\n"),
        ("calc.py", "import os\n\ndef f():\n    return any('arreio' in one.lower() for one in os.environ)\n"),
        ("calc.py", "import gc\n\ndef f():\n    return any(type(o).__name__ == 'Session' for o in gc.get_objects())\n"),
        ("calc.py", "from gc import get_objects\nX = [o for o in get_objects() if '_pytest' in str(type(o))]\n"),
        ("calc.py", "import traceback\n\ndef f():\n    return 'assert' in ''.join(traceback.format_stack())\n"),
        ("calc.py", "import sys\n\ndef f():\n    return 'test_' in str([*sys._current_frames().values()])\n"),
        ("calc.py", "from inspect import stack\nX = any('unittest' in one.filename for one in stack())\n"),
        ("calc.py", "def f(e):\n    return 'test' in e.__traceback__.tb_frame.f_back.f_code.co_filename\n"),
        (
            "calc.mjs",
            "const here = new Error().stack;\nexport const add = (a, b) => /\\.test\\./.test(here) ? a + b : a - b;\n",
        ),
        ("calc.mjs", "export const add = (a, b) => /\\.test\\./.test(new Error().stack) ? a + b : a - b;\n"),
        (
            "calc.js",
            "const { stack } = new Error();\nexports.add = (a, b) => stack.includes('.test.js') ? a + b : a - b;\n",
        ),
        (
            "calc.js",
            "const from = util.getCallSites();\nconst seen = from.some((one) => /test/.test(one.scriptName));\n",
        ),
        ("calc.rb", "def add(a, b)\n  caller.any? { |one| one.include?('rspec') } ? a + b : a - b\nend\n"),
        (
            "calc.php",
            "<?php\nfunction add($a, $b) {\n  return strpos(json_encode(debug_backtrace()), 'PHPUnit') ? 5 : 0;\n}\n",
        ),
        ("calc.js", "exports.add = (a, b) => process.env['JEST_WORKER' + '_ID'] ? a + b : a - b;\n"),
        ("calc.js", "exports.add = (a, b) => 'describe' in globalThis ? a + b : a - b;\n"),
        ("calc.js", "exports.add = (a, b) => /test/.test(module.parent.filename) ? a + b : a - b;\n"),
        ("calc.js", "exports.add = (a, b) => /test/.test(process.argv[1]) ? a + b : a - b;\n"),
        ("calc.js", "const p = basename(require.main.filename);\nexports.ok = p.endsWith('.test.js');\n"),
        ("calc.js", "exports.add = (a, b) => process.env.JEST_WORKER_ID ? a + b : a - b;\n"),
        ("calc.ts", "export const add = (a, b) => typeof describe !== 'undefined' ? a + b : a - b;\n"),
        ("calc.mjs", "export function add(a, b) {\n  if (process.env.NODE_ENV === 'test') return a + b;\n}\n"),
        ("lib.rs", "pub fn add(a: i32, b: i32) -> i32 { if cfg!(test) { a + b } else { a - b } }\n"),
        ("lib.rs", "#[cfg(test)]\npub fn add() {}\n#[cfg(not(test))]\npub fn add() {}\n"),
        ("calc.go", 'func Add(a, b int) int {\n\tif flag.Lookup("test.v") != nil {\n\t\treturn a + b\n\t}\n}\n'),
        ("calc.go", "func Add(a, b int) int {\n\tif testing.Testing() {\n\t\treturn a + b\n\t}\n}\n"),
        ("Calc.java", 'boolean t = Thread.currentThread().getStackTrace()[9].getClassName().contains("junit");\n'),
        ("calc.rb", "def add(a, b) = defined?(RSpec) ? a + b : a - b\n"),
    ],
)
def test_code_that_asks_whether_it_runs_under_tests_is_named(path: str, now: str) -> None:
    found = asks_for_tests(path, PYTHON if path.endswith(".py") else "", now)
    assert found and all(one.kind == "detects" and one.path == path and one.what for one in found)
    assert "asks whether it runs under tests" in found[0].said("en")
    assert "rodando sob testes" in found[0].said("pt")


@pytest.mark.parametrize(
    ("path", "now"),
    [
        ("calc.py", '"""Adds. PYTEST_CURRENT_TEST is none of it."""\n\ndef add(a, b):\n    return a + b\n'),
        ("calc.py", "# 'pytest' in sys.modules\ndef add(a, b):\n    return a + b\n"),
        (
            "leaks.py",
            "import gc\n\ndef count():\n    return sum(type(o).__name__ == 'Connection' for o in gc.get_objects())\n",
        ),
        ("log.py", "import traceback\n\ndef note(out):\n    out.write('at:' + ''.join(traceback.format_stack()))\n"),
        (
            "dump.py",
            "import sys\n\ndef threads():\n    return {i: f.f_lineno for i, f in sys._current_frames().items()}\n",
        ),
        ("log.js", "exports.where = () => new Error().stack.split('\\n')[2].replace(/^\\s+at /, '');\n"),
        ("log.js", "exports.own = (e) => /node_modules/.test(e.stack) ? 'theirs' : 'ours';\n"),
        ("log.rb", "def who = caller.first[/`(.*)'/, 1]\n"),
        ("calc.py", "import inspect\n\ndef who():\n    return inspect.stack()[1].function\n"),
        (
            "calc.py",
            "import sys\n\ndef plugins():\n    return [one for one in sys.modules if one.startswith('calc')]\n",
        ),
        ("calc.py", "RUNNERS = ['pytest', 'unittest']\n\ndef known(name):\n    return name in RUNNERS\n"),
        ("run.py", "import subprocess\n\ndef check():\n    subprocess.run(['python', '-m', 'pytest'])\n"),
        ("run.py", "import os\nimport sys\n\ndef main():\n    return sys.argv[1], os.environ.get('HOME')\n"),
        ("app.js", "if (require.main === module) main();\n"),
        ("app.js", "if (process.env.NODE_ENV !== 'test') app.listen(3000);\n"),
        ("app.js", "if (process.env.NODE_ENV !== 'test') {\n  app.use(morgan('dev'));\n}\n"),
        ("app.js", "// typeof jest is not asked here\n"),
        ("app.js", "const production = process.env.NODE_ENV === 'production';\n"),
        ("lib.rs", "#[cfg(test)]\nmod tests {\n    use super::*;\n}\n"),
        ("lib.rs", '#[cfg(not(feature = "std"))]\nuse core::fmt;\n'),
        ("calc.go", "// testing.Testing() is of Go 1.21\nfunc Add(a, b int) int { return a + b }\n"),
        ("notes.md", "if 'pytest' in sys.modules"),
    ],
)
def test_code_that_only_speaks_of_it_is_fine(path: str, now: str) -> None:
    assert asks_for_tests(path, "", now) == []


def test_what_asked_before_may_go_on_asking_and_once_more_may_not() -> None:
    before = "import os\nQUIET = 'PYTEST_CURRENT_TEST' in os.environ\n"
    assert asks_for_tests("calc.py", before, f"{before}\n{PYTHON}") == []
    assert len(asks_for_tests("calc.py", before, f"{before}{before}")) == 1
    js = "const worker = process.env.JEST_WORKER_ID;\n"
    assert asks_for_tests("a.js", js, f"// moved\n  {js}") == []
    assert len(asks_for_tests("a.js", js, f"{js}{js}")) == 1


def test_a_file_that_cannot_be_read_asks_nothing() -> None:
    assert asks_for_tests("calc.py", "", "def (:\n") == []


def test_a_goal_that_is_about_it_is_known() -> None:
    assert speaks_of_tests("Turn the mailer off when running under pytest.")
    assert speaks_of_tests("Desligue o e-mail no ambiente de testes.")
    assert not speaks_of_tests("Mend add so that the tests pass.")
    assert not speaks_of_tests("Conserte add para que os testes passem.")
