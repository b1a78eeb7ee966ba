"""Work in a repository that gets on though it looks alike from step to step, in the voices of several harnesses."""

# fmt: off
from .voices import Voice, hexes, kinds_of, uuid
from .writing import Steps, listing, rounds


def _begin(v: Voice) -> Steps:
    return [v.sh("git log --oneline | head -3", "1f2e3d4 Release 2.1\n77aa881 Fix docs"), v.sh("grep -rn 'def render' src", "src/core/render.py:41:def render(node):"), v.view("src/core/render.py", 30, 90)]


def _a_fix_as_usual(v: Voice) -> Steps:
    trace = "Traceback (most recent call last):\n  File \"/repo/reproduce.py\", line 7, in <module>\n    print(render(None))\n  File \"/repo/src/core/render.py\", line 44, in render\n    return node.text\nAttributeError: 'NoneType' object has no attribute 'text'"
    return [*_begin(v), v.create("reproduce.py", "from src.core.render import render\nprint(render(None))"), v.sh("python reproduce.py", trace, 1), v.edit("src/core/render.py", "return node.text", "return node.text if node else ''"),
            v.sh("python reproduce.py", "\n"), v.sh("python -m pytest tests/test_render.py -q", "12 passed in 0.41s"), v.sh("grep -rn 'render(' src --include=*.py | head", "src/app.py:9:    render(x)"), v.view("src/app.py", 1, 40),
            v.sh("python -m pytest -q", "1 failed, 311 passed in 9.30s\nFAILED tests/test_app.py::test_empty - AssertionError: assert '' == None", 1), v.view("tests/test_app.py", 1, 30), v.edit("src/app.py", "render(x)", "render(x) or None"),
            v.sh("python -m pytest -q", "312 passed in 9.12s"), v.sh("rm reproduce.py"), v.sh("git diff", "diff --git a/src/app.py b/src/app.py\n+render(x) or None"), v.sh("git status --short", " M src/app.py\n M src/core/render.py")]


def _a_rebase_in_one_file(v: Voice) -> Steps:
    def one(n: int) -> Steps:
        told = f"CONFLICT (content): Merge conflict in CHANGES.md\nerror: could not apply {hexes(n, 7)}... Note change {n}\nhint: Resolve all conflicts manually, mark them as resolved with\nhint: \"git add/rm <conflicted_files>\", then run \"git rebase --continue\"."
        return [v.sh("git rebase --continue" if n else "git rebase origin/main", "Auto-merging CHANGES.md\n" + told, 1), v.sh("sed -i '/^<<<<<<<\\|^=======\\|^>>>>>>>/d' CHANGES.md && git add CHANGES.md")]

    return [*_begin(v), *rounds(11, one), v.sh("git rebase --continue", "Successfully rebased and updated refs/heads/topic.")]


def _a_mailbox_of_patches(v: Voice) -> Steps:
    def one(n: int) -> Steps:
        told = f"Applying: mm: step {'abcdefghijkl'[n]}\nerror: patch failed: mm/slab.c:{210 + n * 31}\nerror: mm/slab.c: patch does not apply\nPatch failed at 00{n + 10} mm: step {'abcdefghijkl'[n]}\nhint: Use 'git am --show-current-patch=diff' to see the failed patch"
        return [v.sh("git am --continue" if n else "git am series.mbox", told, 128), v.sh("git am --show-current-patch=diff | patch -p1 --fuzz=3", "patching file mm/slab.c\nHunk #1 succeeded with fuzz 3."), v.sh("git add mm/slab.c")]

    return [*rounds(9, one), v.sh("git am --continue", "Applying: mm: last")]


def _a_bisection_by_hand(v: Voice) -> Steps:
    def one(n: int) -> Steps:
        bad = n % 3 == 0
        return [v.sh("make -s && ./check", "check: FAIL: 3 != 4" if bad else "check: ok", int(bad)), v.sh(f"git bisect {'bad' if bad else 'good'}", f"Bisecting: {512 >> n} revisions left to test after this (roughly {9 - n} steps)\n[{hexes(n)}] Change {n}")]

    return [v.sh("git bisect start HEAD v1.0", f"Bisecting: 1024 revisions left to test after this (roughly 10 steps)\n[{hexes('s')}] Change s"), *rounds(9, one), v.sh("git bisect log | tail -1", f"# first bad commit: [{hexes(3)}]"), v.sh("git bisect reset")]


def _syntax_errors_further_down(v: Voice) -> Steps:
    return [*_begin(v), *rounds(11, lambda n: [v.sh("python -m py_compile src/legacy.py", f'  File "src/legacy.py", line {10 + n * 10}\n    print "value"\n          ^^^^^^^\nSyntaxError: Missing parentheses in call to \'print\'. Did you mean print(...)?', 1), v.edit("src/legacy.py", f'print "value{n}"', f'print("value{n}")')]), v.sh("python -m py_compile src/legacy.py")]


def _long_lines_one_by_one(v: Voice) -> Steps:
    return [*_begin(v), *rounds(13, lambda n: [v.sh("flake8 --max-line-length 99 src/wide.py | head -1", f"src/wide.py:{14 + 9 * n}:100: E501 line too long ({101 + n % 4} > 99 characters)", 1), v.edit("src/wide.py", f"call_{n}(alpha, beta)", f"call_{n}(\n    alpha, beta\n)")]), v.sh("flake8 --max-line-length 99 src/wide.py | head -1")]


def _types_put_right(v: Voice) -> Steps:
    return [*_begin(v), *rounds(16, lambda n: [v.sh("mypy src", f"src/m{n // 4}.py:{30 + n * 3}: error: Incompatible return value type (got \"None\", expected \"str\")  [return-value]\nFound {16 - n} error{'s' if n < 15 else ''} in {4 - n // 4} file{'s' if n < 12 else ''} (checked 44 source files)", 1), v.edit(f"src/m{n // 4}.py", f"def f{n}() -> str", f"def f{n}() -> str | None")]), v.sh("mypy src", "Success: no issues found in 44 source files")]


def _tests_first(v: Voice) -> Steps:
    things = ("empty", "one", "two", "nested", "unicode", "escaped", "quoted", "comment", "blank", "long", "tabs", "crlf")
    def one(n: int) -> Steps:
        return [v.edit("tests/test_parse.py", "# more", f"def test_{things[n]}(): assert parse({things[n]!r}) == [{n}]\n# more"), v.sh("pytest -q tests/test_parse.py", f"FAILED tests/test_parse.py::test_{things[n]} - NotImplementedError\n1 failed, {n} passed in 0.0{n % 9}s", 1),
                v.edit("src/parse.py", "raise NotImplementedError", f"if kind == {things[n]!r}: return [{n}]\n    raise NotImplementedError"), v.sh("pytest -q tests/test_parse.py", f"{n + 1} passed in 0.0{n % 9}s")]

    return [*_begin(v), *rounds(12, one)]


def _a_file_read_through(v: Voice) -> Steps:
    return [v.sh("wc -l src/huge.c", "2400 src/huge.c"), *[v.view("src/huge.c", 1 + 100 * n, 100 + 100 * n) for n in range(24)], v.edit("src/huge.c", "i <= n", "i < n"), v.sh("make test", "all 40 tests passed")]


def _windows_after_each_edit(v: Voice) -> Steps:
    return [*_begin(v), *rounds(9, lambda n: [v.edit("src/core/render.py", f"step_{n}()", f"step_{n}(ctx)"), v.view("src/core/render.py", 30, 90, listing(30, 34 + n, f"ctx{n}") + "\n" + listing(40, 90))]), v.sh("pytest -q", "41 passed in 1.1s")]


def _patches_that_do_not_fit_at_first(v: Voice) -> Steps:
    miss = "No replacement was performed, old_str `{}` did not appear verbatim in src/fit.py."
    return [*_begin(v), v.edit("src/fit.py", "x = 1", "x = 2", miss.format("x = 1")), v.edit("src/fit.py", "x  = 1", "x = 2", miss.format("x  = 1")), v.view("src/fit.py", 1, 20), v.edit("src/fit.py", "x\t= 1", "x = 2"), v.sh("pytest -q", "8 passed in 0.2s"),
            v.edit("src/fit.py", "y = 1", "y = 2", miss.format("y = 1")), v.view("src/fit.py", 21, 40), v.edit("src/fit.py", "y\t= 1", "y = 2"), v.sh("pytest -q", "8 passed in 0.2s")]


def _versions_tried(v: Voice) -> Steps:
    return [*_begin(v), *[v.sh(f"pip install 'torchfoo=={version}'", f"ERROR: Could not find a version that satisfies the requirement torchfoo=={version} (from versions: 0.9.1, 0.9.4)\nERROR: No matching distribution found for torchfoo=={version}", 1) for version in ("2.1", "2.0", "1.13", "1.0")], v.sh("pip install 'torchfoo==0.9.4'", "Successfully installed torchfoo-0.9.4"), v.sh("pytest -q", "12 passed in 2.2s")]


def _an_image_built_bit_by_bit(v: Voice) -> Steps:
    def one(n: int) -> Steps:
        package = ("libxml2-dev", "libpq-dev", "gdal-bin", "cmake", "ninja-build", "swig", "libffi-dev")[n]
        return [v.sh("docker build -t app .", f"#{n + 7} [{n + 2}/9] RUN step{n}\n#{n + 7} 1.{n}31 /bin/sh: configure: {package} is required\n------\nERROR: failed to solve: process \"/bin/sh -c step{n}\" did not complete successfully: exit code: 1", 1), v.edit("Dockerfile", "# packages", f"RUN apt-get install -y {package}\n# packages")]

    return [*rounds(7, one), v.sh("docker build -t app .", f"writing image sha256:{hexes(1, 64)} done")]


def _symbols_linked_in(v: Voice) -> Steps:
    return [*rounds(10, lambda n: [v.sh("cmake --build build", f"[ 9{n}%] Linking CXX executable app\n/usr/bin/ld: CMakeFiles/app.dir/main.cpp.o: in function `main':\nmain.cpp:(.text+0x{hexes(n, 3)}): undefined reference to `audio::{'abcdefghij'[n]}_init()'\ncollect2: error: ld returned 1 exit status", 2), v.edit("src/audio.cpp", "// end", f"void {'abcdefghij'[n]}_init() {{}}\n// end")]), v.sh("cmake --build build", "[100%] Built target app")]


def _many_files_changed_alike(v: Voice) -> Steps:
    return [v.sh("grep -rl 'ugettext' app | wc -l", "34"), *[v.edit(f"app/mod{n}/views.py", "from django.utils.translation import ugettext", "from django.utils.translation import gettext") for n in range(34)], v.sh("grep -rl 'ugettext' app | wc -l", "0"), v.sh("python manage.py test", "Ran 210 tests in 31.0s\n\nOK")]


def _patches_pushed(v: Voice) -> Steps:
    return [*[v.sh("quilt push", f"Applying patch fix-{name}.patch\npatching file src/a.c\n\nNow at patch fix-{name}.patch") for name in ("leak", "race", "typo", "build", "endian", "abi", "doc", "lock", "oom", "fuzz", "test", "late", "warn", "last")], v.sh("make check", "PASS: 31")]


def _steps_of_a_migration(v: Voice) -> Steps:
    return [*[v.sh("alembic upgrade +1", f"INFO  [alembic.runtime.migration] Running upgrade {hexes(n, 12)} -> {hexes(n + 1, 12)}, change") for n in range(15)], v.sh("alembic current", f"{hexes(15, 12)} (head)")]


def _a_suite_file_by_file(v: Voice) -> Steps:
    return [*_begin(v), *[v.sh(f"pytest -q tests/test_{name}.py", "8 passed in 0.31s") for name in ("api", "auth", "cache", "cli", "config", "core", "db", "disk", "env", "feed", "forms", "http", "jobs", "log", "mail", "net", "oauth", "page", "queue", "rpc", "sql", "tags", "url", "view", "xml", "zip")]]


def _a_flaky_test_counted(v: Voice) -> Steps:
    return [*_begin(v), *[v.sh("pytest -q tests/test_sync.py::test_two_writers", "FAILED tests/test_sync.py::test_two_writers - TimeoutError\n1 failed in 5.02s" if n in (2, 5) else f"1 passed in 0.{31 + n}s", int(n in (2, 5))) for n in range(8)], v.edit("src/sync.py", "notify()", "notify_all()"), *[v.sh("pytest -q tests/test_sync.py::test_two_writers", f"1 passed in 0.{21 + n}s") for n in range(6)]]


def _prints_to_find_it(v: Voice) -> Steps:
    return [*_begin(v), *rounds(8, lambda n: [v.edit("src/core/walk.py", f"visit({n})", f"print('DBG', {n}, node); visit({n})"), v.sh("python run.py sample.txt 2>&1 | grep DBG | tail -2", f"DBG {n} <Node at 0x7f{hexes(n, 10)}>\nDBG {n} None")]), v.edit("src/core/walk.py", "for c in kids", "for c in kids or []"), v.sh("python run.py sample.txt", "ok"), v.sh("sed -i '/DBG/d' src/core/walk.py")]


def _the_same_script_written_again(v: Voice) -> Steps:
    errors = ("ModuleNotFoundError: No module named 'src'", "TypeError: load() missing 1 required positional argument: 'path'", "FileNotFoundError: [Errno 2] No such file or directory: 'a.yml'", "KeyError: 'rules'", "AssertionError: expected 3 rules, got 2")
    return [*_begin(v), *rounds(5, lambda n: [v.create("/tmp/repro.py", f"# version {n}\nimport src\nsrc.load({n})"), v.sh("python /tmp/repro.py", f"Traceback (most recent call last):\n  File \"/tmp/repro.py\", line {n + 3}, in <module>\n{errors[n]}", 1)]), v.edit("src/load.py", "rules[1:]", "rules"), v.sh("python /tmp/repro.py", "3 rules")]


def _measured_and_taken_back(v: Voice) -> Steps:
    return [*_begin(v), *rounds(7, lambda n: [v.edit("src/hot.py", "loop(items)", f"variant_{n}(items)"), v.sh("python bench.py", f"mean {812 - n * 23 + (n % 3) * 40}.{n} ms"), v.sh("git checkout src/hot.py", "Updated 1 path from the index")]), v.edit("src/hot.py", "loop(items)", "variant_5(items)"), v.sh("python bench.py", "mean 697.5 ms")]


def _compared_with_before(v: Voice) -> Steps:
    return [*_begin(v), v.edit("src/core/render.py", "a", "b"), v.sh("pytest -q", "2 failed, 80 passed in 3.1s", 1), v.sh("git stash", "Saved working directory and index state WIP on main: 1f2e3d4 Release 2.1"), v.sh("pytest -q", "1 failed, 81 passed in 3.0s", 1), v.sh("git stash pop", f"On branch main\nDropped refs/stash@{{0}} ({hexes(1)})"),
            v.edit("src/core/render.py", "b", "c"), v.sh("pytest -q", "1 failed, 81 passed in 3.2s", 1), v.sh("git stash", "Saved working directory and index state WIP on main: 1f2e3d4 Release 2.1"), v.sh("pytest -q tests/test_io.py", "1 failed in 0.4s", 1), v.sh("git stash pop", f"On branch main\nDropped refs/stash@{{0}} ({hexes(2)})"), v.sh("git diff --stat", "1 file changed")]


def _conflicts_counted_down(v: Voice) -> Steps:
    return [v.sh("git merge feature", "CONFLICT (content): Merge conflict in src/table.py", 1), *rounds(12, lambda n: [v.sh("grep -n '<<<<<<<' src/table.py | head -1", f"{20 + n * 17}:<<<<<<< HEAD"), v.view("src/table.py", 18 + n * 17, 34 + n * 17), v.edit("src/table.py", f"<<<<<<< HEAD\nrow_{n}", f"row_{n}")]), v.sh("grep -c '<<<<<<<' src/table.py", "0", 1), v.sh("git commit -am merge", "[main 11aa22b] merge")]


def _looked_around_in_between(v: Voice) -> Steps:
    tree = "README.md\nsetup.py\nsrc\ntests"
    return [step for n in range(9) for step in (v.sh("ls", tree), v.view(f"src/part{n}.py", 1, 30))] + [v.sh("ls", tree), v.edit("src/part3.py", "a", "b"), v.sh("ls", tree), v.sh("pytest -q", "9 passed in 0.1s")]


def _diffs_read_after_each(v: Voice) -> Steps:
    return [*_begin(v), *rounds(10, lambda n: [v.edit("src/api.py", f"route{n}(", f"async_route{n}("), v.sh("git diff --stat", f" src/api.py | {2 * n + 2} {'+' * (n + 1)}{'-' * (n + 1)}\n 1 file changed, {n + 1} insertions(+), {n + 1} deletions(-)")]), v.sh("pytest -q", "30 passed in 1.0s")]


def _searches_in_vain(v: Voice) -> Steps:
    words = ("frobnicate", "retry_policy", "TokenBucket", "throttle", "429", "rate.limit", "Limiter", "backoff", "sleep(", "Semaphore", "quota")
    return [*_begin(v), *[v.sh(f"grep -rn '{word}' src", "", 1) for word in words], v.sh("grep -rn 'burst' src", "src/gate.py:12:burst = 4"), v.view("src/gate.py"), v.edit("src/gate.py", "burst = 4", "burst = 8"), v.sh("pytest -q", "3 passed in 0.1s")]


def _history_of_a_file(v: Voice) -> Steps:
    return [v.sh("git log --format=%h -- src/core/render.py | wc -l", "14"), *[v.sh(f"git show {hexes(n, 7)} --stat", f"commit {hexes(n)}\nAuthor: Ana <ana@x.pt>\n\n    Touch render\n\n src/core/render.py | {n % 3 + 1} +-") for n in range(14)], v.edit("src/core/render.py", "a", "b"), v.sh("pytest -q", "5 passed in 0.1s")]


def _parameters_swept(v: Voice) -> Steps:
    return [*[v.sh(f"python train.py --lr {lr} --layers {layers}", f"epoch 3 | val_acc 0.8{(i * 3 + layers) % 10}") for i, lr in enumerate(("1e-2", "3e-3", "1e-3", "3e-4", "1e-4")) for layers in (2, 4, 8)], v.create("best.json", '{"lr": "3e-4"}')]


def _seeds_run(v: Voice) -> Steps:
    return [*_begin(v), *[v.sh(f"./fuzz --seed {n} --runs 10000", "Done 10000 runs in 2 second(s)") for n in range(18)], v.sh("./fuzz --seed 18 --runs 10000", "ERROR: heap-buffer-overflow on address 0x602000000011", 1), v.edit("src/buf.c", "<=", "<"), v.sh("./fuzz --seed 18 --runs 10000", "Done 10000 runs in 2 second(s)")]


def _small_commits(v: Voice) -> Steps:
    return [*rounds(12, lambda n: [v.edit(f"docs/ch{n}.md", "TODO", f"Chapter {n}"), v.sh(f"git commit -qam 'Write chapter {n}'")]), v.sh("git push", "To host:repo\n   1a..2b  main -> main")]


def _translations_written(v: Voice) -> Steps:
    return [v.create(f"locales/{code}.json", f'{{"hello": "{code} hello", "bye": "{code} bye"}}') for code in ("pt", "es", "fr", "de", "it", "nl", "sv", "da", "fi", "pl", "cs", "sk", "hu", "ro", "bg", "el", "tr", "uk", "he", "ja", "ko", "zh")] + [v.sh("npm test", "Tests: 44 passed, 44 total")]


def _cases_of_one_test(v: Voice) -> Steps:
    names = ("utc", "cet", "est", "pst", "ist", "jst", "brt", "art", "nst", "aest", "hst", "msk", "wib", "sgt")
    return [*_begin(v), *rounds(14, lambda n: [v.sh("pytest -x -q tests/test_tz.py", f"FAILED tests/test_tz.py::test_offset[{names[n]}] - AssertionError: offset is wrong\n!!!!!! stopping after 1 failures !!!!!!\n1 failed in 0.11s", 1), v.edit("src/tz.py", f"'{names[n]}': 0", f"'{names[n]}': {n}")]), v.sh("pytest -x -q tests/test_tz.py", "14 passed in 0.1s")]


def _a_crash_followed_in_a_debugger(v: Voice) -> Steps:
    return [*_begin(v), *[v.sh(f"gdb -batch -ex run -ex 'up {n}' -ex 'info locals' ./app", f"Program received signal SIGSEGV, Segmentation fault.\n0x0000{hexes(n, 12)} in f{n} (p=0x0) at src/f.c:{40 + n}\np = 0x{hexes(n + 50, 12)}\nlen = {n}") for n in range(8)], v.edit("src/f.c", "p->n", "p ? p->n : 0"), v.sh("make && ./app", "ok")]


def _offsets_of_an_overflow(v: Voice) -> Steps:
    return [*[v.sh(f"python3 -c \"print('A'*{n})\" | ./vuln", "Enter name: Hello\n") for n in (16, 32, 64, 72)], *[v.sh(f"python3 -c \"print('A'*{n})\" | ./vuln", "Enter name: Segmentation fault (core dumped)", 139) for n in (128, 96, 80, 76)], v.sh("python3 -c \"print('A'*72 + '\\x96\\x11\\x40')\" | ./vuln", "Enter name: flag{ok}")]


def _reviews_answered(v: Voice) -> Steps:
    return [v.sh("gh pr view 41 --comments", "9 comments"), *rounds(9, lambda n: [v.view(f"src/r{n}.py", 1, 20), v.edit(f"src/r{n}.py", "tmp", f"name_{n}"), v.sh(f"gh api repos/o/r/pulls/comments/{9100 + n}/replies -f body='Done, thank you.'", f'{{"id": {7700 + n}, "body": "Done, thank you."}}')]), v.sh("git push", "ok")]


def _snapshots_accepted(v: Voice) -> Steps:
    return [*_begin(v), *rounds(9, lambda n: [v.sh(f"npx jest web/card{n}", f"› 1 snapshot failed.\nTests: 1 failed, {n} passed", 1), v.sh(f"npx jest web/card{n} -u", f"› 1 snapshot updated.\nTests: {n + 1} passed")]), v.sh("npx jest", "Tests: 60 passed, 60 total")]


def _formatted_after_each(v: Voice) -> Steps:
    return [*_begin(v), *rounds(9, lambda n: [v.edit("src/shape.py", f"area{n}", f"size{n}"), v.sh("black src/shape.py", "reformatted src/shape.py\n\nAll done! ✨ 🍰 ✨\n1 file reformatted."), v.sh("pytest -q tests/test_shape.py", f"{n + 4} passed in 0.0{n}s")])]


def _notes_of_a_notebook(v: Voice) -> Steps:
    return [*rounds(10, lambda n: [v.sh(f"python - <<'EOF'\nimport pickle\ns = pickle.load(open('s.pkl','rb'))\ns['c{n}'] = s['c{n}'].fillna({n})\npickle.dump(s, open('s.pkl','wb'))\nEOF")]), v.sh("python show.py", "10 columns clean")]


def _a_blank_line_at_each(v: Voice) -> Steps:
    return [*_begin(v), *[v.sh(f"sed -n '{n}p' notes.txt | grep -v '^#'", "\n", 1) for n in (3, 7, 9, 14, 22, 31, 40)], v.edit("notes.txt", "x", "y"), *[v.sh(f"git show HEAD~{n}:VERSION", "\n", 1) for n in range(6)], v.sh("git show HEAD~6:VERSION", "1.4\n")]


def _a_lock_that_is_held(v: Voice) -> Steps:
    return [*[v.sh("apt-get install -y jq", f"E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process {811 + n // 3} (unattended-upgr)", 100) for n in range(4)], v.sh("sleep 30"), v.sh("apt-get install -y jq", "Setting up jq (1.7) ...")]


def _rows_put_right(v: Voice) -> Steps:
    return [v.sh("sqlite3 a.db 'select count(*) from t where vat is null'", "17"), *[v.sh(f"sqlite3 a.db \"update t set vat='PT50{n}' where id={n}\" && echo ok", "ok") for n in range(17)], v.sh("sqlite3 a.db 'select count(*) from t where vat is null'", "0")]


def _numbers_in_an_error_that_fall(v: Voice) -> Steps:
    return [*rounds(12, lambda n: [v.sh("./validate.sh schema.json", f"schema.json: error at byte {18000 - n * 1400}: unexpected key", 1), v.edit("schema.json", f'"old{n}"', f'"new{n}"')]), v.sh("./validate.sh schema.json", "valid")]


def _ids_printed_by_a_job(v: Voice) -> Steps:
    return [*rounds(9, lambda n: [v.edit("job.yaml", f"shard: {n}", f"shard: {n + 1}"), v.sh("argo submit job.yaml -o name", f"job-{uuid(n)}")]), v.sh("argo list | wc -l", "9")]


GOOD, STUCK = kinds_of(globals())
