"""Which packages a command would install."""

from datetime import UTC, datetime

import pytest
from arreio_contracts.grounding import SOME_INDEX, SOME_NAME
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.rules.grounding.install_commands import _MOST_CHARS, installs
from services.tool_loop.rules.grounding.packages import Answer, judge_package


def names(command: str) -> list[str]:
    found = installs(command)
    return [f"{each.ecosystem}:{each.name}" for each in found.packages] if found else []


def files(command: str) -> list[str]:
    found = installs(command)
    return [f"{each.ecosystem}:{each.path}" for each in found.files if each.kind == "list"] if found else []


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pip install flask-restx-auth-helper requests", ["pypi:flask-restx-auth-helper", "pypi:requests"]),
        ("pip3 install 'requests[socks]>=2,<3' PyYAML==6.0", ["pypi:requests", "pypi:pyyaml"]),
        ("pip install requests>=2", ["pypi:requests"]),
        ("python -m pip install -U --quiet six", ["pypi:six"]),
        ("python3.12 -I -m pip --no-input install six", ["pypi:six"]),
        (".venv/bin/pip install -r requirements.txt -c pins.txt six", ["pypi:six"]),
        ("cd app && sudo -u me pip install six; echo done", ["pypi:six"]),
        ("sh -c 'pip install six'", ["pypi:six"]),
        ('bash -lc "cd x && FOO=1 pip install six 2>&1 | tail -3"', ["pypi:six"]),
        ("timeout 60 env A=b pip install six", ["pypi:six"]),
        ("(pip install six)", ["pypi:six"]),
        ("echo $(pip install six)", ["pypi:six"]),
        ("sh -c 'cd x\n pip install six\n'", ["pypi:six"]),
        ("cat > setup.sh <<'END'\npip install six\nEND\npip install attrs", ["pypi:attrs"]),
        ("bash <<END\npip install six\nEND\n", ["pypi:six"]),
        ("set -e\npip install six\n# pip install attrs\n", ["pypi:six"]),
        ("if true; then pip install six; fi", ["pypi:six"]),
        ("pip install \\\n  six \\\n  attrs", ["pypi:six", "pypi:attrs"]),
        ("pip install 'pkg @ https://example.com/pkg.zip' ./local /abs .[dev] git+https://x/y.git x.whl", []),
        ("pip install -e . -e ../lib", []),
        ("pip install --index-url https://mirror.example/simple six", ["pypi:six"]),
        ("poetry add -G dev -E extra six", ["pypi:six"]),
        ("pip install 'six==1.*' attrs!=23.*", ["pypi:six", "pypi:attrs"]),
        ("conda install -y -c conda-forge numpyy=1.2 conda-forge::six", ["pypi:numpyy", "pypi:six"]),
        ("conda run -n work pip install six", ["pypi:six"]),
        ("yarn workspace web add left && corepack pnpm add right", ["npm:left", "npm:right"]),
        ("python3 -mpip install six", ["pypi:six"]),
        ("python3 -Im pip install six", ["pypi:six"]),
        ("uv run --with six,attrs --with=click python x.py", ["pypi:six", "pypi:attrs", "pypi:click"]),
        ("uv run python app.py six", []),
        ("uv run pip install six", ["pypi:six"]),
        ("poetry run python -m pip install six", ["pypi:six"]),
        ("uvx --with six ruff check", ["pypi:six", "pypi:ruff"]),
        ("P=six; pip install $P", ["pypi:six"]),
        ("export P='six attrs' && pip install ${P}", ["pypi:six", "pypi:attrs"]),
        ("V=2; pip install six==$V", ["pypi:six"]),
        ("for p in six attrs; do pip install $p; done", ["pypi:six", "pypi:attrs"]),
        ("pip install $P ${Q} $(cat names)", ["pypi:?"]),
        ("P=$(head -1 x); pip install $P six", ["pypi:?", "pypi:six"]),
        ("(cd x && true); pip install six", ["pypi:six"]),
        ("pip install six>out.txt 2>&1&&pip install attrs", ["pypi:six", "pypi:attrs"]),
        ("npm i -f left-pad", ["npm:left-pad"]),
        ("pip install", []),
        ("pip uninstall six", []),
        ("pip show six", []),
        ("echo pip install six", []),
        ("grep 'pip install six' README.md", []),
        ("uv pip install six", ["pypi:six"]),
        ("uv add --dev 'six>1' --group test", ["pypi:six"]),
        ("uv run pytest", []),
        ("uvx ruff@0.6 check .", ["pypi:ruff"]),
        ("uvx --from httpie http get", ["pypi:httpie"]),
        ("uv tool install ruff", ["pypi:ruff"]),
        ("poetry add --group dev pytest@^8 black", ["pypi:pytest", "pypi:black"]),
        ("pipx install black", ["pypi:black"]),
        ("pipx run cowsay moo", ["pypi:cowsay"]),
        ("pipenv install --dev pytest", ["pypi:pytest"]),
        ("npm install", []),
        ("npm ci", []),
        ("npm i -D lodash@^4 @types/node@20 ./local github:a/b a/b", ["npm:lodash", "npm:@types/node"]),
        ("npm --prefix web install react", ["npm:react"]),
        ("npm install alias@npm:left-pad@1", ["npm:left-pad"]),
        ("npm run install", []),
        ("yarn add react-dom", ["npm:react-dom"]),
        ("yarn", []),
        ("pnpm add -w zod", ["npm:zod"]),
        ("npx create-vite my-app", ["npm:create-vite"]),
        ("npx -y -p typescript tsc", ["npm:typescript"]),
    ],
)
def test_the_packages_of_a_command_are_those_that_it_takes_from_a_registry(command: str, expected: list[str]) -> None:
    assert names(command) == expected


@pytest.mark.parametrize(
    "command",
    [
        "echo six | xargs pip install",
        "printf '%s\\n' six | xargs -I{} pip install {}",
        "xargs pip install <<< six",
        "echo six,six | tr ',' ' ' | xargs -n1 pip install",
        "pip install $(echo six)",
        "pip install ${P:-six}",
        "pip install -r <(echo six)",
        "echo six | pip install -r /dev/stdin",
        "cat <<END | pip install -r -\nsix\nEND",
        "echo 'six' >> new.txt && pip install -r new.txt | grep -v new",
        "cat > new.sh <<'END'\npip install six\nEND\nchmod +x new.sh; ./new.sh",
        'echo "pip install six" | bash',
        "bash -c 'pip install \"$1\"' _ six",
        'P=(six); pip install "${P[@]}"',
        'get() { pip install "$1"; }; get six',
        'set -- six; pip install "$@"',
        "echo six | while read p; do pip install $p; done",
        "pip install {six,six}",
        "alias p=pip; p install six",
        "$(command -v pip) install six",
        "p\\ip install six",
        "eval $(echo pip install six)",
        "easy_install six",
        "uv --directory x add six",
        "setsid ionice -c 3 pip install six",
        "su - me -c 'pip install six'",
        "script -qec 'pip install six' /dev/null",
        "env -S 'pip install six'",
        "find . -maxdepth 0 -exec pip install six \\;",
        "parallel pip install ::: six",
        "docker exec box pip install six",
        "tmux new -d 'pip install six'",
        "trap 'pip install six' EXIT",
        "pip.exe install six",
        "python -c \"import subprocess; subprocess.run(['pip', 'install', 'six'])\"",
        "python -c \"import os; os.system('pip install six')\"",
        "python - <<'END'\nimport sys\nrun([sys.executable, '-m', 'pip', 'install', 'six'])\nEND",
        "python -c \"import pip; pip.main(['install', 'six'])\"",
        "perl -e 'system(\"pip install six\")'",
    ],
)
def test_an_install_is_told_however_a_shell_comes_by_it(command: str) -> None:
    assert set(names(command)) == {"pypi:six"}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("npm create vite@latest app", ["npm:create-vite"]),
        ("npm init @scope my-app", ["npm:@scope/create"]),
        ("yarn create @scope/app", ["npm:@scope/create-app"]),
        ("npm init -y", []),
        ("npm init ./here", []),
        ("bun x cowsay", ["npm:cowsay"]),
        ("pnpx cowsay", ["npm:cowsay"]),
        ("pnpm -w add zod", ["npm:zod"]),
        ("deno add npm:zod jsr:@std/x", ["npm:zod"]),
        ("pixi add --pypi six", ["pypi:six"]),
        ("node -e \"require('child_process').execSync('npm i zod')\"", ["npm:zod"]),
        ("node -e \"require('child_process').spawnSync('npm', ['i', 'zod'], {stdio: 'inherit'})\"", ["npm:zod"]),
    ],
)
def test_a_package_of_npm_is_told_by_every_tool_that_fetches_it(command: str, expected: list[str]) -> None:
    assert names(command) == expected


@pytest.mark.parametrize(
    "command",
    [
        "curl -s https://x.example/names | xargs pip install",
        'f() { pip install "$1"; }; f "$NAME"',
        "grep -v old reqs.txt | xargs pip install",
        "pip install -r $FILE",
        "pip install $NAME",
    ],
)
def test_a_name_that_only_running_the_command_would_tell_blocks_nothing(command: str) -> None:
    found = installs(command)
    assert found is not None
    assert [(each.name, each.index) for each in found.packages] == [(SOME_NAME, SOME_INDEX)]
    verdict = judge_package(found.packages[0], Answer("not_found"), datetime.now(UTC))
    assert (verdict.verdict, verdict.doubt) == ("UNKNOWN", None)


@pytest.mark.parametrize(
    "command",
    [
        "echo 'run pip install six' >> README.md",
        "cat >> README.md <<END\npip install six\nEND",
        "printf 'pip install six\\n' > setup.sh",
        "get() { pip install six; }; echo defined",
        "git commit -m \"$(cat <<'END'\nUse pip install six\nEND\n)\"",
        "python -c \"print('pip install six')\"",
        "node -e \"console.log('npm install six')\"",
        "diff <(echo 'pip install six') notes.txt",
        "find . -name six -exec grep pip {} \\;",
        "ls # pip install six",
        "pip wheel -w six six.tar.gz",
    ],
)
def test_a_command_that_only_speaks_of_an_install_installs_nothing(command: str) -> None:
    assert installs(command) is None


@pytest.mark.parametrize(
    "command",
    [
        "pip install -r reqs.txt",
        "uv pip sync reqs.txt",
        "while read p; do pip install $p; done < reqs.txt",
        "cat reqs.txt | sort -u | xargs pip install",
        "pip install -r <(cat reqs.txt)",
        "pip install -rreqs.txt",
        "pip install -Ur reqs.txt",
        "pip install --requirement=reqs.txt",
        "python -mpip install --requirement reqs.txt",
        "uv pip install -r ./reqs.txt",
        "uv add -r reqs.txt",
        "uv run --with-requirements reqs.txt python x.py",
        "xargs pip install < reqs.txt",
        "cat reqs.txt | xargs -n 1 pip install",
        "xargs -a reqs.txt pip install",
        "pip install $(cat reqs.txt)",
        "pip install `cat reqs.txt`",
        "F=reqs.txt; pip install -r $F",
        "sh -c 'pip install -r reqs.txt'",
        "cd a && cd .. && pip install -r reqs.txt",
    ],
)
def test_a_file_of_requirements_is_told_in_every_spelling(command: str) -> None:
    assert files(command) == ["pypi:reqs.txt"]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cd app && pip install -r reqs.txt", ["pypi:app/reqs.txt"]),
        ("cd $HOME && pip install -r reqs.txt", []),
        ("pip install -r https://files.example/reqs.txt", []),
        ("pip install -c pins.txt six", []),
        ("xargs npm install < names.txt", ["npm:names.txt"]),
        ("cat reqs.txt | grep six", []),
    ],
)
def test_a_file_is_looked_for_where_the_command_runs(command: str, expected: list[str]) -> None:
    assert files(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("npm install", ["manifest:package.json"]),
        ("cd web && pnpm i --frozen-lockfile", ["manifest:web/package.json"]),
        ("npm --prefix web install && yarn", ["manifest:web/package.json", "manifest:package.json"]),
        ("pip install -e .[dev] ./lib", ["manifest:lib/pyproject.toml", "manifest:pyproject.toml"]),
        ("uv sync && poetry install --no-root", ["manifest:pyproject.toml"]),
        ("bash setup.sh; ./tools/more.sh x", ["script:setup.sh", "script:tools/more.sh"]),
        ("npm ci", []),
        ("npm install six", []),
        ("yarn build", []),
        ("cat setup.sh", []),
        ("pip install -r reqs.txt", ["list:reqs.txt"]),
    ],
)
def test_a_project_and_a_script_are_read_where_they_lie(command: str, expected: list[str]) -> None:
    found = installs(command)
    assert [f"{each.kind}:{each.path}" for each in found.files] == expected if found else expected == []


@pytest.mark.parametrize(
    ("command", "index"),
    [
        ("pip install six", ""),
        ("pip install --index-url https://mirror.example/simple six", "https://mirror.example/simple"),
        ("pip install -i http://127.0.0.1:9/simple/ six", "http://127.0.0.1:9/simple/"),
        ("uv pip install --default-index=https://m.example six", "https://m.example"),
        ("npm i --registry https://m.example left-pad", "https://m.example"),
        ("pip install --index-url https://me:word@mirror.example/simple six", SOME_INDEX),
        ("pip install --index-url $URL six", SOME_INDEX),
        ("pip install --extra-index-url https://mirror.example six", SOME_INDEX),
        ("PIP_INDEX_URL=https://mirror.example pip install six", SOME_INDEX),
        ("pip install --no-index --find-links wheels six", SOME_INDEX),
    ],
)
def test_a_package_is_asked_for_in_the_registry_that_the_command_names(command: str, index: str) -> None:
    found = installs(command)
    assert found is not None
    assert [each.index for each in found.packages] == [index]


@pytest.mark.parametrize("command", ["pip install " + "a " * 20_000, "cat <<A pip\n" * 5_000, "$(" * 3_000 + " pip"])
def test_a_command_of_any_length_is_read_in_parts(command: str) -> None:
    assert len(names(command)) < _MOST_CHARS


def test_an_install_in_a_long_command_is_found() -> None:
    script = "cat > a.txt <<'END'\n" + "some text\n" * 5_000 + "END\nnpm install left-pad\n"
    assert names(script) == ["npm:left-pad"]


@given(st.text(alphabet="$(){}[]<>|&;'\"`\\\n =@:-aip", max_size=80).map(lambda text: f"{text} pip install six"))
def test_no_quote_or_parenthesis_breaks_the_reader(command: str) -> None:
    names(command)


@given(st.text(max_size=200))
def test_no_command_line_breaks_the_reader(command: str) -> None:
    names(command)


@given(st.lists(st.sampled_from(["six", "attrs", "click"]), min_size=1, unique=True), st.booleans())
def test_a_shell_around_an_install_hides_nothing(packages: list[str], double: bool) -> None:
    inner = f"pip install {' '.join(packages)}"
    command = f"bash -c \"sh -c '{inner}'\"" if double else f"sh -c '{inner}'"
    assert names(command) == [f"pypi:{name}" for name in packages]


def test_a_package_of_conda_is_one_that_no_client_here_can_ask_about() -> None:
    found = installs("conda create --name work --channel bioconda samtools")
    assert found is not None
    assert [(each.name, each.index) for each in found.packages] == [("samtools", SOME_INDEX)]
