"""Work in a repository that does not get on, in the voices of several harnesses."""

# fmt: off
from .voices import Voice, hexes, kinds_of, letters, uuid
from .writing import Steps, call, listing, rounds


def _begin(v: Voice) -> Steps:
    return [v.sh("git status --short", "\n"), v.view("src/job.py", 1, 40), v.create("repro.py", "import src.job\nsrc.job.run()"), v.sh("python repro.py", "KeyError: 'a'", 1), v.edit("src/job.py", "d['a']", "d.get('a')")]


def _tests_again_with_other_times(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(10, lambda n: [v.sh("python -m pytest tests/test_job.py", f"=========== 1 failed, 4 passed in {0.31 + n * 0.07:.2f}s ===========\nFAILED tests/test_job.py::test_run - AssertionError", 1)])


def _stash_and_pop(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(9, lambda n: [v.sh("git stash", "Saved working directory and index state WIP on main: 1f2e3d4 Release 2.1"), v.sh("git stash pop", f"On branch main\nChanges not staged for commit:\n\tmodified:   src/job.py\n\nDropped refs/stash@{{0}} ({hexes(n)})")])


def _stash_test_and_pop(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(8, lambda n: [v.sh("git stash", "Saved working directory and index state WIP on main: 1f2e3d4 Release 2.1"), v.sh("pytest -q", f"1 failed, 3 passed in 0.{n + 11}s", 1), v.sh("git stash pop", f"On branch main\nDropped refs/stash@{{0}} ({hexes(n)})")])


def _pods_that_crash(v: Voice) -> tuple[Steps, Steps]:
    def one(n: int) -> Steps:
        pod = f"web-{hexes(7, 10)}-{letters(n)}"
        return [v.sh("kubectl get pods", f"NAME    READY   STATUS    RESTARTS   AGE\n{pod}   0/1     CrashLoopBackOff   3 ({n + 11}s ago)   {n + 1}m"), v.sh(f"kubectl logs {pod}", "Error: cannot find module 'server'", 0), v.sh(f"kubectl delete pod {pod}", f'pod "{pod}" deleted')]

    return [v.sh("kubectl apply -f d.yaml", "deployment.apps/web configured")], rounds(9, one)


def _a_look_and_an_edit_that_misses(v: Voice) -> tuple[Steps, Steps]:
    miss = "No replacement was performed, old_str `{}` did not appear verbatim in src/job.py."
    return _begin(v), rounds(9, lambda n: [v.view("src/job.py", 1, 40), v.edit("src/job.py", "def run( self )", "def run(self, x)", miss.format("def run( self )"))])


def _spaces_guessed(v: Voice) -> tuple[Steps, Steps]:
    miss = "No replacement was performed, old_str `{}` did not appear verbatim in src/job.py."
    return _begin(v), rounds(14, lambda n: [v.edit("src/job.py", " " * n + "return x", "return y", miss.format(" " * n + "return x"))])


def _indentation_rejected(v: Voice) -> tuple[Steps, Steps]:
    told = "Your proposed edit has introduced new syntax error(s). Please read this error message carefully and then retry editing the file.\n\nERRORS:\n- E999 IndentationError: unexpected indent\n"
    return _begin(v), rounds(12, lambda n: [v.edit("src/job.py", "pass", " " * (n % 5 * 2) + f"return self.value  # {n}", told)])


def _there_and_back(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(8, lambda n: [v.edit("src/job.py", "limit = 10", "limit = 20"), v.sh("pytest -q", "FAILED test_low\n1 failed, 5 passed in 0.2s", 1), v.edit("src/job.py", "limit = 20", "limit = 10"), v.sh("pytest -q", "FAILED test_high\n1 failed, 5 passed in 0.2s", 1)])


def _addresses_that_differ(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(10, lambda n: [v.sh("python repro.py", f"Traceback (most recent call last):\n  File \"/tmp/tmp{letters(n, 8)}/repro.py\", line 3, in <module>\nTypeError: unsupported operand for <object object at 0x7f{hexes(n, 10)}>", 1)])


def _edits_that_change_nothing_of_it(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(16, lambda n: [v.edit("src/job.py", f"# note {n}", f"# note {n + 1}"), v.sh("python repro.py", f"  File \"src/job.py\", line {41 + n}, in run\nKeyError: 'a'", 1)])


def _three_in_turn(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(8, lambda n: [v.sh("grep -rn 'def run' src", "src/job.py:12:def run(self):"), v.view("src/job.py", 1, 40), v.sh("python repro.py", f"KeyError: 'b'\nin 0.{n}1s", 1)])


def _five_in_turn(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(6, lambda n: [v.sh("ls", "src\ntests"), v.sh("ls src", "job.py"), v.view("src/job.py", 1, 40), v.sh("cat tests/test_job.py", "def test_run(): ..."), v.sh("git status", "On branch main\nnothing to commit")])


def _a_package_that_is_not_there(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(12, lambda n: [v.sh(f"{('pip install', 'pip3 install', 'python -m pip install', 'uv pip install')[n % 4]} {('jobkit', 'jobkit-core', 'job-kit')[n % 3]}", "ERROR: Could not find a version that satisfies the requirement (from versions: none)\nERROR: No matching distribution found", 1)])


def _layers_with_other_hashes(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(9, lambda n: [v.sh("docker build .", f"Step 4/9 : RUN make\n ---> Running in {hexes(n, 12)}\nmake: *** No targets specified and no makefile found.  Stop.\nThe command '/bin/sh -c make' returned a non-zero code: 2", 2)])


def _a_tree_that_does_not_resolve(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(9, lambda n: [v.sh("npm install", f"npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree\nnpm ERR! A complete log of this run can be found in: /root/.npm/_logs/2026-03-0{n + 1}T10_1{n}_22_{110 + n * 7}Z-debug-0.log", 1)])


def _the_same_file_written_again(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(9, lambda n: [v.create("repro.py", "import src.job\nsrc.job.run()"), v.sh("python repro.py", "KeyError: 'a'", 1)])


def _names_of_a_file_guessed(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(16, lambda n: [v.sh(f"find / -name '{('settings', 'setting', 'config', 'conf', 'job_settings', 'job_config', 'jobsettings', 'app_settings')[n % 8]}.{('py', 'toml', 'yaml')[n % 3]}'", "\n")])


def _windows_that_overlap(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(16, lambda n: [v.view("src/job.py", 1 + n % 4, 40 - n % 3, listing(1 + n % 4, 40 - n % 3, "job"))])


def _a_process_that_is_dead(v: Voice) -> tuple[Steps, Steps]:
    return [v.sh("python train.py > log 2>&1 &", "[1] 811")], rounds(40, lambda n: [v.sh("sleep 30; tail -1 log", "Killed")])


def _a_port_in_use(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(10, lambda n: [v.sh("python app.py", f"{14000 + n * 17}: OSError: [Errno 98] Address already in use\n[pid {8100 + n * 3}] exited", 1)])


def _run_ids_of_a_time_out(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(14, lambda n: [v.sh("gh workflow run ci.yml && gh run watch", f"run {88110000 + n * 91} ({uuid(n)}) failed: job lint: missing step", 1)])


def _a_query_with_the_same_fault(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(12, lambda n: [v.sh(f"psql -c \"select {'a, ' * (n % 4)}sum(x) from t group by {('day', 'date', 'd', 'dt')[n % 4]}\"", f'ERROR:  column "{("day", "date", "d", "dt")[n % 4]}" does not exist\nLINE 1: select\nPosition: {22 + n % 4 * 3}', 1)])


def _said_to_be_done(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(9, lambda n: [call("finish", "The task is not complete: tests/test_job.py still fails.", True, message=f"All done now, attempt {n}.")])


def _arguments_that_do_not_parse(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(9, lambda n: [call("execute_bash", f"Error: failed to parse tool call arguments as JSON: Expecting ',' delimiter: line 1 column {41 + n} (char {40 + n})", True, raw=f'{{"command": "echo {n}')])


def _checked_out_and_patched(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(8, lambda n: [v.sh("git checkout src/job.py", "Updated 1 path from the index"), v.edit("src/job.py", "d['a']", "d.get('a')"), v.sh("pytest -q", f"1 failed, 4 passed in 0.{n + 2}s", 1)])


def _another_way_to_import_it(v: Voice) -> tuple[Steps, Steps]:
    ways = ("import jobkit", "from jobkit import run", "import jobkit as j", "import jobkit; jobkit.run()", "from jobkit import *", "import jobkit.core")
    return _begin(v), rounds(12, lambda n: [v.sh(f'python -c "{ways[n % 6]}"', "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\nModuleNotFoundError: No module named 'jobkit'", 1)])


def _started_and_stopped(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(8, lambda n: [v.sh("docker run -d app:1", hexes(n, 64)), v.sh(f"docker logs {hexes(n, 12)}", "panic: config not found"), v.sh(f"docker rm -f {hexes(n, 12)}", hexes(n, 12))])


def _a_service_asked_in_vain(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(12, lambda n: [v.sh(f"curl -s http://localhost:{8000 + n % 4}/health", f"curl: (7) Failed to connect to localhost port {8000 + n % 4} after {n} ms: Connection refused", 7)])


def _rights_that_are_missing(v: Voice) -> tuple[Steps, Steps]:
    return _begin(v), rounds(12, lambda n: [v.sh(f"{('cp', 'mv', 'install', 'tee')[n % 4]} app.conf /etc/app/app.conf", "cannot create regular file '/etc/app/app.conf': Permission denied", 1)])


GOOD, STUCK = kinds_of(globals())
