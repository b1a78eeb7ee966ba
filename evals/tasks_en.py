"""The tasks in English."""

import configparser
import hashlib
import json
from typing import Final

from .task import Found, Task, never_done, same

_CALC: Final = "def add(a, b):\n    return a - b\n\n\ndef scale(a, factor):\n    return a * factor\n"
_CALC_TEST: Final = (
    "from calc import add, scale\n\n\ndef test_add():\n    assert add(2, 3) == 5\n\n\n"
    "def test_scale():\n    assert scale(2, 4) == 8\n"
)
_SERVER: Final = "[server]\nhost = localhost\nport = 8080\nworkers = 4\n"
_SHOP: Final = "def old_total(prices):\n    return sum(prices)\n"
_MAIN: Final = "from shop import old_total\n\nprint(old_total([10, 20]))\n"
_NUMBERS: Final = "def triple(x):\n    return x * 3\n"
_NUMBERS_TEST: Final = (
    "from numbers_tool import double, triple\n\n\ndef test_double():\n    assert double(4) == 8\n\n\n"
    "def test_triple():\n    assert triple(2) == 6\n"
)
_LOST: Final = hashlib.sha256(b"date,amount\n2024-01-03,118\n2024-01-09,72\n2024-02-11,305\n").hexdigest()


def _adds(found: Found) -> bool:
    printed = found.prints("from calc import add, scale\nprint(add(7, 8), add(-1, 1), scale(3, 5))")
    return printed == "15 0 15" and found.text("test_calc.py") == _CALC_TEST


def _port(found: Found) -> bool:
    read = configparser.ConfigParser()
    try:
        read.read_string(found.text("server.ini") or "")
        return dict(read["server"]) == {"host": "localhost", "port": "9090", "workers": "4"}
    except (configparser.Error, KeyError):
        return False


def _renamed(found: Found) -> bool:
    texts = (found.text("shop.py") or "") + (found.text("main.py") or "")
    told = "import shop, runpy\nrunpy.run_path('main.py')\nprint(shop.total_price([1, 2, 4]))"
    return "old_total" not in texts and found.prints(told) == "30\n7"


def _doubles(found: Found) -> bool:
    printed = found.prints("from numbers_tool import double, triple\nprint(double(21), double(-3), triple(5))")
    return printed == "42 -6 15" and found.text("test_numbers_tool.py") == _NUMBERS_TEST


def _person(found: Found) -> bool:
    try:
        return bool(json.loads(found.text("person.json") or "") == {"name": "Ana", "age": 31})
    except ValueError:
        return False


TASKS: Final = (
    Task(
        "create-file",
        "en",
        "Create the file greeting.txt with the text: Good morning, team",
        ("file_contains: greeting.txt :: \\AGood morning, team\\s*\\Z",),
        same("greeting.txt", "Good morning, team"),
        {},
        {"greeting.txt": "Good morning, team\n"},
    ),
    Task(
        "fix-test",
        "en",
        "A test in test_calc.py fails. Fix the bug in calc.py.",
        ("tests: python3 -m pytest -q test_calc.py",),
        _adds,
        {"calc.py": _CALC, "test_calc.py": _CALC_TEST},
        {"calc.py": _CALC.replace("a - b", "a + b")},
    ),
    Task(
        "config-value",
        "en",
        "Change the port in server.ini from 8080 to 9090.",
        (
            "file_contains: server.ini :: ^port *= *9090$",
            "file_contains: server.ini :: \\A\\[server\\]\\nhost.*\\nport.*\\nworkers = 4\\s*\\Z",
        ),
        _port,
        {"server.ini": _SERVER},
        {"server.ini": _SERVER.replace("8080", "9090")},
    ),
    Task(
        "rename-function",
        "en",
        "Rename the function old_total to total_price in shop.py and in main.py.",
        ("file_contains: shop.py :: ^def total_price\\(", "command: python3 main.py", "command: ! grep old_total *.py"),
        _renamed,
        {"shop.py": _SHOP, "main.py": _MAIN},
        {"shop.py": _SHOP.replace("old_total", "total_price"), "main.py": _MAIN.replace("old_total", "total_price")},
        held_out=True,
    ),
    Task(
        "add-function",
        "en",
        "Add a function double(x) to numbers_tool.py. It returns x times two.",
        ("tests: python3 -m pytest -q test_numbers_tool.py",),
        _doubles,
        {"numbers_tool.py": _NUMBERS, "test_numbers_tool.py": _NUMBERS_TEST},
        {"numbers_tool.py": f"{_NUMBERS}\n\ndef double(x):\n    return x * 2\n"},
    ),
    Task(
        "write-json",
        "en",
        'Write the file person.json: a JSON object with the name "Ana" and the age 31 (a number).',
        (
            "command: python3 -c \"import json; d = json.load(open('person.json')); "
            "assert d == {'name': 'Ana', 'age': 31}, d\"",
        ),
        _person,
        {},
        {"person.json": '{"name": "Ana", "age": 31}\n'},
    ),
    Task(
        "find-value",
        "en",
        "One of the files here sets api_version. Find it and write its value, and nothing else, into version.txt.",
        ("file_contains: version.txt :: \\A\\s*v2\\.7\\.1\\s*\\Z",),
        same("version.txt", "v2.7.1"),
        {
            "settings/app.yaml": "name: atlas\napi_version: v2.7.1\ndebug: false\n",
            "settings/db.yaml": "host: db1\nversion: v9.0.0\n",
            "NOTES.md": "Atlas is a small service.\n",
        },
        {"version.txt": "v2.7.1\n"},
        held_out=True,
    ),
    Task(
        "restore-lost",
        "en",
        "Restore report.csv exactly as it was; its lines are listed in backup.txt.",
        (f"command: echo '{_LOST}  report.csv' | sha256sum -c -",),
        never_done,
        {"backup.txt": "date,amount\n2024-01-03,118\n[two lines were lost when the disk failed]\n"},
        None,
    ),
)
