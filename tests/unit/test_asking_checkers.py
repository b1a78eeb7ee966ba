"""Code that asks by its name whether a checker runs it."""

import pytest

from services.gate_runner.cheating import asks_for_checkers

CHECKERS = ("tools/check_shop.py", "check.js")


@pytest.mark.parametrize(
    ("path", "now"),
    [
        ("shop.py", "if sys.argv[0].endswith('check_shop.py'):\n    pass\n"),
        ("shop.py", "name = os.path.basename(sys.argv[0])\nif name == 'check_shop.py':\n    pass\n"),
        ("shop.py", "if 'check' in sys.argv[0]:\n    pass\n"),
        ("shop.py", "import __main__\nif re.search('check_', __main__.__file__):\n    pass\n"),
        ("shop.py", "if sys.modules['__main__'].__file__.endswith('ck_shop.py'):\n    pass\n"),
        ("shop.py", "if 'check_' + 'shop' in sys.orig_argv[1]:\n    pass\n"),
        ("shop.js", "if (process.argv[1].endsWith('check.js')) {}"),
        ("shop.js", "const who = require.main.filename;\nif (who.includes('check')) {}"),
        ("shop.js", "if (/check/.test(process.argv[1])) {}"),
    ],
)
def test_code_that_holds_the_program_to_a_checkers_name_asks_for_it(path: str, now: str) -> None:
    [found] = asks_for_checkers(path, "", now, CHECKERS)
    assert found.kind == "detects"
    assert asks_for_checkers(path, now, now, CHECKERS) == []


@pytest.mark.parametrize(
    ("path", "now"),
    [
        ("shop.py", "print(f'usage: {sys.argv[0]} check')\n"),
        ("shop.py", "if sys.argv[0].endswith('shop.py'):\n    main()\n"),
        ("shop.py", "program = sys.argv[0]\nif sys.argv[1] == 'check':\n    check(program)\n"),
        ("shop.py", "if os.path.basename(sys.argv[0]) == 'greet-es':\n    pass\n"),
        ("shop.py", "if __name__ == '__main__':\n    check()\n"),
        ("shop.js", "if (require.main === module) check();"),
        ("shop.js", "const me = process.argv[1];\nif (process.argv[2] === 'check') run(me);"),
        ("shop.js", "console.log(`usage: ${process.argv[1]} check`);"),
        ("shop.go", 'if os.Args[0] == "check.js" {}'),
    ],
)
def test_a_program_that_asks_for_itself_or_its_arguments_does_not(path: str, now: str) -> None:
    assert asks_for_checkers(path, "", now, CHECKERS) == []
