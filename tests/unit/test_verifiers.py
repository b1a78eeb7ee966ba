"""What judges a task: scripts that criteria run, and new files that steer a test runner."""

from pathlib import Path

import pytest

from shared.run_files import named_tests, scripts_of, scripts_run
from shared.verifiers import collected, is_runner, snapshot, steers


@pytest.mark.parametrize(
    ("command", "scripts"),
    [
        ("sh check.sh", ["check.sh"]),
        ("true && sh ./check.sh", ["check.sh"]),
        ("./ci/verify --all", ["ci/verify"]),
        ("FOO=1 bash ci/x.sh; echo done", ["ci/x.sh"]),
        ("python3 build.py", ["build.py"]),
        ("python -m pytest -q", []),
        ("make check", ["Makefile", "makefile", "GNUmakefile"]),
        ("pytest -q tests/test_a.py", []),
        ("/usr/bin/test -f x", []),
        ("cat report.txt | grep ok", []),
        ("sh -c 'unclosed", []),
        ("bash -e check.sh", ["check.sh"]),
        ("bash -o pipefail -e check.sh", ["check.sh"]),
        ("bash -c './check.sh && true'", ["check.sh"]),
        ("env A=1 ./check.sh", ["check.sh"]),
        ("timeout -k 5 60 ./check.sh", ["check.sh"]),
        (". ./check.sh", ["check.sh"]),
        ("cd sub && ./check.sh", ["sub/check.sh"]),
        ("(cd sub && ls) && ./check.sh", ["check.sh"]),
        ("python3 -u -W error check.py", ["check.py"]),
        ("python3 -m tools.check", ["tools/check.py"]),
        ("python3 -c 'print(1)' check.py", []),
        ("node --no-warnings check.js", ["check.js"]),
        ("make -C sub", ["sub/Makefile", "sub/makefile", "sub/GNUmakefile"]),
        ("make -f b.mk test", ["b.mk"]),
        ("npm run check", ["package.json#scripts.check"]),
        ("sh ../outside.sh", []),
    ],
)
def test_the_scripts_of_a_command_are_what_it_runs(command: str, scripts: list[str]) -> None:
    assert scripts_of(command) == scripts


@pytest.mark.parametrize(
    ("command", "tests"),
    [
        ("pytest -q checks.py", ["checks.py"]),
        ("python -m pytest checks.py::test_a", ["checks.py"]),
        ("python -m unittest checks", ["checks.py"]),
        ("cd sub && python -m unittest -v a.checks.T", ["sub/a/checks/T.py", "sub/a/checks.py", "sub/a.py"]),
        ("node --test verify.js", ["verify.js"]),
        ("npx jest verify.js", ["verify.js"]),
        ("node verify.js", []),
        ("pytest -q", []),
        ("echo checks.py", []),
    ],
)
def test_the_tests_of_a_command_are_what_it_names_to_a_runner(command: str, tests: list[str]) -> None:
    assert named_tests(command) == tests


def test_what_a_package_script_runs_is_followed(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"scripts": {"check": "node check.js", "other": "node other.js"}}')
    assert scripts_run(tmp_path, "npm run check") == ["package.json#scripts.check", "check.js"]
    assert scripts_run(tmp_path, "npm run gone") == ["package.json#scripts.gone"]


def test_the_hashes_are_of_tests_their_configuration_and_the_scripts_that_judge(tmp_path: Path) -> None:
    for name in ("check.sh", "main.py", "test_a.py", "tests/helper.py", "conftest.py", "build/test_b.py", "pytest.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / ".gitignore").write_text("build/")
    (tmp_path / "pyproject.toml").write_text("[project]\nname='x'\n[tool.pytest.ini_options]\naddopts='-q'\n")
    found = snapshot(tmp_path, ["check.sh"])
    named = ["check.sh", "conftest.py", "pyproject.toml#tool.pytest", "pytest.py", "test_a.py", "tests/helper.py"]
    assert sorted(found) == named


@pytest.mark.parametrize(
    ("path", "steering", "found"),
    [
        ("tests/test_a.py", False, True),
        ("src/a_test.go", False, True),
        ("web/a.spec.ts", False, True),
        ("tests/helper.py", False, False),
        ("a_check.py", False, False),
        ("app/tests.py", False, True),
        ("a-test.js", False, True),
        ("test-a.mjs", False, True),
        ("test.js", False, True),
        ("contest.js", False, False),
        ("contests.py", False, False),
        ("pytest.toml", True, False),
        (".pytest.toml", True, False),
        ("vitest.workspace.ts", True, False),
        ("conftest.py", True, False),
        ("pyproject.toml#tool.pytest", True, False),
        ("sitecustomize.py", False, False),
    ],
)
def test_what_steers_a_runner_is_told_from_what_it_collects(path: str, steering: bool, found: bool) -> None:
    assert (steers(path), collected(path)) == (steering, found)


POM = (
    "<project><dependencies>{more}</dependencies><plugin><artifactId>maven-surefire-plugin</artifactId>{tests}</plugin>"
)


@pytest.mark.parametrize(
    ("path", "before", "turned", "other"),
    [
        (".npmrc", "", "node-options=--require ./evil.js\n", "save-exact=true\n"),
        (".npmrc", "save-exact=true\n", "save-exact=true\nscript-shell = /bin/true\n", "fund=false\n"),
        (".npmrc", "", "usage=true\n", "//r.example/:_authToken=1\n"),
        (".yarnrc", "", 'script-shell "/bin/true"\n', 'save-prefix "~"\n'),
        (".yarnrc.yml", "", "yarnPath: ./y.cjs\n", "yarnPath: .yarn/releases/yarn-4.1.0.cjs\nnodeLinker: pnp\n"),
        ("pnpm-workspace.yaml", "", "scriptShell: /bin/true\n", "packages:\n  - a\n"),
        ("Cargo.toml", "[package]\nname='a'\n", "[package]\nname='a'\nautotests=false\n", "[package]\nname='b'\n"),
        ("Cargo.toml", "", "[[test]]\nname='a'\nharness=false\n", "[[test]]\nname='a'\npath='tests/a.rs'\n"),
        ("Cargo.toml", "[lib]\nname='a'\n", "[lib]\nname='a'\ntest=false\n", "[dependencies]\nserde='1'\n"),
        (".cargo/config.toml", "", "[target.x86]\nrunner='true'\n", "[net]\noffline=true\n"),
        (".cargo/config.toml", "", "[alias]\ntest='check'\n", "[term]\nquiet=true\n"),
        (".mvn/maven.config", "", "-DskipTests", ""),
        ("pom.xml", POM, POM.replace("{tests}", "<skipTests>true</skipTests>"), POM.replace("{more}", "<dependency/>")),
        ("pom.xml", "<a/>", "<testFailureIgnore>true</testFailureIgnore>", "<b/>"),
        (
            "build.gradle",
            "test {\n useJUnit()\n}",
            "test {\n ignoreFailures = true\n}",
            "test {\n useJUnitPlatform()\n}",
        ),
        ("build.gradle.kts", "", "tasks.test {\n exclude('**/A*')\n}", "tasks.jar {\n exclude('a')\n}"),
        (
            "vite.config.ts",
            "export default { a: 1 }",
            "export default { test: { include: ['x'] } }",
            "export default {}",
        ),
        (
            "vite.config.js",
            "export default { server: { port: 1 } }",
            "export default { resolve: { alias: { './calc': './fake' } } }",
            "export default { server: { port: 2 } }",
        ),
        ("bunfig.toml", "", "[test]\npreload=['./a.ts']\n", "[install]\nexact=true\n"),
    ],
)
def test_only_what_says_how_tests_are_run_counts_of_a_shared_file(
    tmp_path: Path, path: str, before: str, turned: str, other: str
) -> None:
    def seen(text: str) -> dict[str, str]:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
        return snapshot(tmp_path)

    assert seen(before) == seen(other)
    assert seen(before) != seen(turned)


def test_what_steers_the_tests_is_seen_though_git_ignores_it(tmp_path: Path) -> None:
    for name in ("a/tests/test_a.py", "a/conftest.py", "conftest.py", "b/conftest.py", ".venv/conftest.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / ".gitignore").write_text("/a/\nb/\n.venv/\n")
    found = snapshot(tmp_path, ["a/tests/test_a.py"])
    assert sorted(found) == ["a/conftest.py", "a/tests/test_a.py", "b/conftest.py", "conftest.py"]


def test_a_package_that_takes_the_runners_place_is_one_only_at_the_root(tmp_path: Path) -> None:
    for name in ("pytest/__init__.py", "tests/unittest/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert [is_runner(path) for path in sorted(snapshot(tmp_path))] == [True, False]
