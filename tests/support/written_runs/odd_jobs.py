"""Odd jobs: the third lot of runs, written after the rules were mended on the others, to see how they do at first sight."""

from .writing import Good, Steps, Stuck, call, rounds


def sh(command: str, output: str = "", failed: bool = False):  # type: ignore[no-untyped-def]
    """A command."""
    return call("Bash", output, failed, command=command, description="run")


def py(code: str, shown: str, failed: bool = False):  # type: ignore[no-untyped-def]
    """A cell of code."""
    return call("ipython", shown, failed, code=code)


def edit(path: str, old: str, new: str):  # type: ignore[no-untyped-def]
    """A change of a file."""
    return call("Edit", f"The file {path} has been updated.", file_path=path, old_string=old, new_string=new)


def say(text: str, answer: str):  # type: ignore[no-untyped-def]
    """A word to the user of a support bot."""
    return call("respond", f"USER: {answer}", content=text)


def _tests_of_one_package_after_the_other() -> Steps:
    return [sh(f"cd packages/p{n} && npm test --silent", f"Tests: {n + 4} passed, {n + 4} total") for n in range(16)]


def _dates_put_right_in_many_files() -> Steps:
    return [step for n in range(12) for step in (sh(f"grep -n '2023' docs/p{n}.md", f"3:Copyright 2023, part {n}"), sh(f"sed -i 's/2023/2024/' docs/p{n}.md"), sh(f"grep -n '2023' docs/p{n}.md", "", True))]  # fmt: skip


def _a_service_restarted_after_each_change() -> Steps:
    return [step for n in range(7) for step in (edit("/etc/app.toml", f"pool = {n}", f"pool = {n + 1}"), sh("sudo systemctl restart app"), sh("sleep 2"), sh("curl -s localhost:9000/health", '{"status":"degraded"}'))] + [
        edit("/etc/app.toml", "ssl = 1", "ssl = 0"), sh("sudo systemctl restart app"), sh("curl -s localhost:9000/health", '{"status":"ok"}')]  # fmt: skip


def _a_model_trained_overnight() -> Steps:
    return [
        sh("nohup python train.py > train.log 2>&1 &", "[1] 4411"),
        *[sh("sleep 300; tail -n 1 train.log", f"epoch {n}/20 loss {3 / (n + 1):.3f}") for n in range(20)],
        sh("tail -n 1 train.log", "saved model.pt"),
    ]


def _a_download_by_parts() -> Steps:
    return [
        *[sh(f"curl -sS -O https://data.example/part-{n:02}.zst") for n in range(14)],
        sh("cat part-*.zst | zstd -d > all.bin"),
        sh("sha256sum -c all.sha256", "all.bin: OK"),
    ]


def _columns_looked_at() -> Steps:
    return [
        py("df = pd.read_parquet('x.parquet'); df.shape", "(100, 9)"),
        *[py(f"df['c{n}'].isna().sum()", "0") for n in range(9)],
        *[py(f"df['c{n}'].nunique()", "100") for n in range(9)],
        py("df.describe().to_csv('out.csv')", ""),
    ]


def _proofs_tried() -> Steps:
    tactics = ("simp", "ring", "linarith", "nlinarith", "omega", "norm_num")
    return [step for tactic in tactics for step in (edit("P.lean", "by sorry", f"by {tactic}"), sh("lake build", f"error: P.lean:4:2: {tactic} failed to close the goal", True))] + [edit("P.lean", "by omega", "by positivity"), sh("lake build", "Build completed successfully.")]  # fmt: skip


def _keys_of_a_piano_roll() -> Steps:
    return [
        call("press_key", "Key event sent", key=k)
        for k in (
            "down",
            "down",
            "down",
            "right",
            "right",
            "enter",
            "down",
            "down",
            "enter",
            "tab",
            "tab",
            "tab",
            "enter",
        )
    ]


def _a_wizard_of_many_pages() -> Steps:
    return [step for n, page in enumerate(("Language", "Licence", "Disk", "User", "Network", "Packages", "Summary", "Install", "Done")) for step in (
        call("click", "Clicked at (812, 640)", x=812, y=640), call("screenshot", f"The page '{page}' of the installer; buttons Back, Next.", scale=1))]  # fmt: skip


def _a_table_copied_row_by_row() -> Steps:
    return [step for n in range(9) for step in (call("computer", "", action="left_click", coordinate=[100, 200 + 20 * n]), call("computer", "", action="key", text="ctrl+c"), call("computer", "", action="left_click", coordinate=[700, 200 + 20 * n]), call("computer", "", action="key", text="ctrl+v"))]  # fmt: skip


def _news_read() -> Steps:
    return [
        call(
            "open_url",
            f"# Headline {'abcdefghij'[n]}\nParagraph on topic {n * 7}.\nSubscribe to read on.",
            url=f"https://news.example/{n}",
        )
        for n in range(10)
    ]


def _a_user_with_many_wishes() -> Steps:
    wishes = (
        "cancel #W1",
        "return the lamp of #W2",
        "change my address",
        "exchange the shoes of #W3",
        "use my gift card",
        "tell me the total",
    )
    return [step for n, wish in enumerate(wishes) for step in (say("I can do that. Do you confirm (yes/no)?", "yes"), call("update_order", '{"status": "ok"}', order_id=f"#W{n}", what=wish), say("Done. Is there anything else?", f"Yes, {wish}"))]  # fmt: skip


def _a_booking_with_the_third_card() -> Steps:
    return [call("get_user", '{"cards": ["a", "b", "c"]}', user_id="u1"), *[step for card in "ab" for step in (call("book_flight", "Error: card declined", True, flight="F1", card=card), say("That card was declined. Another one?", f"try {card}2"))],
            call("book_flight", '{"booking": "B1"}', flight="F1", card="c"), say("It is booked: B1.", "thanks")]  # fmt: skip


def _a_caller_who_does_not_know() -> Steps:
    return [say("What is your booking number?", "I don't know it"), say("Then your e-mail, please?", "a@x.pt"), call("find_booking", "[]", email="a@x.pt"), say("Nothing there. Another e-mail?", "b@x.pt"), call("find_booking", "[]", email="b@x.pt"),
            say("And your telephone number?", "912"), call("find_booking", '[{"id": "B9"}]', phone="912"), say("Found: B9.", "good")]  # fmt: skip


def _an_upgrade_with_a_lock_on_the_database() -> Steps:
    return [sh("python manage.py migrate", "django.db.utils.OperationalError: database is locked", True), sh("lsof db.sqlite3", "python 991 app"), sh("sleep 10"), sh("python manage.py migrate", "django.db.utils.OperationalError: database is locked", True),
            sh("kill 991"), sh("python manage.py migrate", "Applying app.0002... OK")]  # fmt: skip


def _removed_by_a_tool_and_looked_for() -> Steps:
    return [
        *[call("delete_file", "deleted", path=f"old/{n}.txt") for n in range(9)],
        *[call("read_file", "Error: file not found", True, path=f"old/{n}.txt") for n in range(9)],
        call("list_dir", "new", path="."),
    ]


def _a_notebook_of_findings() -> Steps:
    return [
        step
        for n in range(10)
        for step in (
            call("Read", f"1\tdef f{n}(): return {n}", file_path=f"/r/m{n}.py"),
            sh(f"echo 'm{n}: fine' >> findings.md"),
        )
    ] + [sh("cat findings.md", "\n".join(f"m{n}: fine" for n in range(10)))]


def _a_server_awaited_politely() -> Steps:
    return [
        sh("docker compose up -d", "Started"),
        *[sh(f"sleep {2**n}; pg_isready -h localhost", "localhost:5432 - no response", True) for n in range(6)],
        sh("pg_isready -h localhost", "localhost:5432 - accepting connections"),
    ]


def _warnings_of_one_kind_put_right() -> Steps:
    return [
        step
        for n in range(14, 2, -1)
        for step in (
            edit(f"src/w{n}.ts", "any", "unknown"),
            sh("npx eslint src", f"✖ {n} problems ({n} errors, 0 warnings)", True),
        )
    ] + [sh("npx eslint src", "")]


def _a_port_that_stays_taken() -> tuple[Steps, Steps]:
    begun = [sh("ls", "server.js"), sh("node server.js &", "")]
    return begun, [
        step
        for n in range(12)
        for step in (
            sh(f"PORT=3000 node server.js --try {n}", "Error: listen EADDRINUSE: address already in use :::3000", True),
            sh("lsof -ti:3000 | xargs kill", "", True),
        )
    ]


def _a_page_reloaded() -> tuple[Steps, Steps]:
    page = "RootWebArea 'Checkout'\n[12] button 'Pay' disabled\n[13] text 'Please wait'"
    return [call("goto", "RootWebArea 'Shop'\n[1] link 'Cart'", url="https://shop.example")], rounds(
        12, lambda n: [call("click", page, bid="12"), call("reload_page", page)]
    )


def _an_editor_that_finds_no_line() -> tuple[Steps, Steps]:
    return [sh("ls", "a.go")], rounds(
        16,
        lambda n: [
            call(
                "edit",
                f"String to replace not found in file.\nString: func a{n}() {{",
                True,
                file_path="/r/a.go",
                old_string=f"func a{n}() {{",
                new_string="func b() {",
            )
        ],
    )


def _a_plan_told_again_and_again() -> tuple[Steps, Steps]:
    return [say("How can I help?", "cancel #W1")], rounds(
        16, lambda n: [call("think", "", thought=f"I should look at #W1, and then cancel it, idea {n}.")]
    )


def _a_subagent_asked_again() -> tuple[Steps, Steps]:
    words = (
        "Find where tokens are made",
        "Locate the code that makes tokens",
        "Search for the place where tokens are created",
        "Where are tokens made? Look for it",
    )
    return [sh("ls", "src")], [
        call("Task", "I could not find any code that makes tokens.", description="look", prompt=words[n % 4])
        for n in range(16)
    ]


def _a_branch_switched_to_and_fro() -> tuple[Steps, Steps]:
    return [sh("git branch", "* main\n  fix")], rounds(
        10,
        lambda n: [
            sh("git checkout fix", "Switched to branch 'fix'"),
            sh("make test", "1 failed", True),
            sh("git checkout main", "Switched to branch 'main'"),
            sh("make test", "1 failed", True),
        ],
    )


def _a_key_that_is_missing_everywhere() -> tuple[Steps, Steps]:
    tools = ("create_issue", "list_issues", "get_issue", "search_issues", "add_comment")
    return [sh("ls", "a")], [
        call(f"mcp__tracker__{tools[n % 5]}", "Error: 401 Unauthorized: missing API key", True, n=n) for n in range(15)
    ]


def _the_end_of_a_log_that_does_not_grow() -> tuple[Steps, Steps]:
    return [sh("make &> log &", "")], [sh(f"tail -n {20 + n} log", "cc -c a.c\ncc -c b.c") for n in range(40)]


def _a_value_set_again() -> tuple[Steps, Steps]:
    return [call("get_device", '{"temp": 18}', id="d1")], rounds(
        14,
        lambda n: [
            call("set_temperature", '{"ok": true}', id="d1", value=21),
            call("get_device", '{"temp": 18}', id="d1"),
        ],
    )


def _a_query_with_a_time_out() -> tuple[Steps, Steps]:
    return [call("sql", "orders", query="show tables")], [
        call(
            "sql",
            f"ERROR: canceling statement due to statement timeout (pid {900 + n}, {30 + n % 3}.{n}s)",
            True,
            query=f"select * from orders o join items i on true limit {n + 100}",
        )
        for n in range(15)
    ]


def _a_driver_that_does_not_build() -> tuple[Steps, Steps]:
    return [sh("uname -r", "6.1")], rounds(
        14,
        lambda n: [
            sh(
                f"pip install --no-cache-dir psycopg2=={2}.{n}",
                f"  × python setup.py egg_info did not run successfully.\n  Error: pg_config executable not found.\nerror: metadata-generation-failed (took {n}.2s)",
                True,
            )
        ],
    )


GOOD: dict[str, Good] = {
    "tests of one package after the other": _tests_of_one_package_after_the_other,
    "dates put right in many files": _dates_put_right_in_many_files,
    "a service restarted after each change": _a_service_restarted_after_each_change,
    "a model trained overnight": _a_model_trained_overnight,
    "a download by parts": _a_download_by_parts,
    "columns looked at": _columns_looked_at,
    "proofs tried": _proofs_tried,
    "keys one after the other": _keys_of_a_piano_roll,
    "a wizard of many pages": _a_wizard_of_many_pages,
    "a table copied row by row": _a_table_copied_row_by_row,
    "news read": _news_read,
    "a user with many wishes": _a_user_with_many_wishes,
    "a booking with the third card": _a_booking_with_the_third_card,
    "a caller who does not know": _a_caller_who_does_not_know,
    "a database that is locked for a while": _an_upgrade_with_a_lock_on_the_database,
    "removed by a tool and looked for": _removed_by_a_tool_and_looked_for,
    "findings noted": _a_notebook_of_findings,
    "a server awaited longer each time": _a_server_awaited_politely,
    "warnings of one kind put right": _warnings_of_one_kind_put_right,
}
STUCK: dict[str, Stuck] = {
    "a port that stays taken": _a_port_that_stays_taken,
    "a page that is reloaded": _a_page_reloaded,
    "an editor that finds no line": _an_editor_that_finds_no_line,
    "a plan told again and again": _a_plan_told_again_and_again,
    "a helper asked again": _a_subagent_asked_again,
    "a branch switched to and fro": _a_branch_switched_to_and_fro,
    "a key that is missing everywhere": _a_key_that_is_missing_everywhere,
    "the end of a log that does not grow": _the_end_of_a_log_that_does_not_grow,
    "a value set again": _a_value_set_again,
    "a query with a time-out": _a_query_with_a_time_out,
    "a driver that does not build": _a_driver_that_does_not_build,
}
