"""Days of many agents: what honest work repeats, and how it goes nowhere, in no harness's style in particular."""

from .writing import Good, Steps, Stuck, call, rounds


def sh(command: str, output: str = "", failed: bool = False):  # type: ignore[no-untyped-def]
    """A command."""
    return call("shell_exec", output, failed, command=command)


def edit(path: str, number: int):  # type: ignore[no-untyped-def]
    """A change of a file, another for each number."""
    return call("edit_file", f"Edited {path}", path=path, old_text=f"v{number}", new_text=f"v{number + 1}")


def _begin() -> Steps:
    return [
        sh("git status --short", ""),
        sh("ls", "Makefile\napp\ntests"),
        call("read_file", "def main():\n    return 1", path="app/main.py"),
    ]


def _a_rebase_with_conflicts() -> Steps:
    def one(number: int) -> Steps:
        told = f"CONFLICT (content): Merge conflict in app/m{number}.py\nerror: could not apply {number}a{number}f... step {number}\nhint: Resolve all conflicts manually"
        return [sh("git rebase --continue" if number else "git rebase main", told, True), sh("git diff --name-only --diff-filter=U", f"app/m{number}.py"),
                edit(f"app/m{number}.py", number), sh(f"git add app/m{number}.py")]  # fmt: skip

    return [*_begin(), *rounds(7, one), sh("git rebase --continue", "Successfully rebased and updated refs/heads/fix.")]


def _a_test_that_takes_five_tries() -> Steps:
    told = "FAILED tests/test_main.py::test_total - AssertionError: assert 3 == 4\n1 failed in 0.12s"
    return [*_begin(), *rounds(5, lambda n: [edit("app/main.py", n), sh("pytest -q tests/test_main.py::test_total", told, True)]),
            edit("app/main.py", 9), sh("pytest -q tests/test_main.py::test_total", "1 passed in 0.1s"), sh("pytest -q", "88 passed in 4s")]  # fmt: skip


def _prints_put_in_to_see() -> Steps:
    def one(number: int) -> Steps:
        shown = f"at {number}: total={number * 3}\nTraceback (most recent call last):\n  File \"app/main.py\", line {9 + number}\nKeyError: 'rate'"
        return [
            call("insert_line", "ok", path="app/main.py", line=number + 4, text=f"print('at {number}:', total)"),
            sh("python app/main.py", shown, True),
        ]

    return [
        *_begin(),
        *rounds(6, one),
        edit("app/main.py", 1),
        sh("python app/main.py", "12.5"),
        sh("git checkout -p app/main.py", ""),
    ]


def _compile_errors_one_by_one() -> Steps:
    def one(number: int) -> Steps:
        return [sh("make", f"app/f{number}.c:{number * 7 + 3}:5: error: 'old_api' undeclared (first use in this function)\nmake: *** [Makefile:9: f{number}.o] Error 1", True),
                edit(f"app/f{number}.c", number)]  # fmt: skip

    return [*_begin(), *rounds(12, one), sh("make", "cc -o app f0.o f1.o")]


def _orders_of_a_customer() -> Steps:
    return [
        call("find_user_by_email", "u_77", email="ana@x.pt"),
        call("get_user_details", '{"orders": ["#1", "#2", "#3", "#4", "#5", "#6"]}', user_id="u_77"),
        *[
            call(
                "get_order_details",
                f'{{"order_id": "#{n}", "status": "{"pending" if n % 2 else "delivered"}", "items": [{{"id": {n * 11}}}]}}',
                order_id=f"#{n}",
            )
            for n in range(1, 7)
        ],
        *[
            call("get_product_details", f'{{"id": {n * 11}, "variants": {{"a": {n}}}}}', product_id=str(n * 11))
            for n in range(1, 7)
        ],
        call(
            "exchange_delivered_order_items",
            '{"status": "exchange requested"}',
            order_id="#2",
            item_ids=["22"],
            new_item_ids=["23"],
        ),
        call("modify_pending_order_address", '{"status": "pending"}', order_id="#1", city="Porto"),
        call("modify_pending_order_address", '{"status": "pending"}', order_id="#3", city="Porto"),
        call("modify_pending_order_address", '{"status": "pending"}', order_id="#5", city="Porto"),
    ]


def _flights_on_many_days() -> Steps:
    return [
        call("get_user_details", '{"name": "Ana", "membership": "gold"}', user_id="ana_1"),
        *[
            call("search_direct_flight", "[]", origin="LIS", destination="SFO", date=f"2024-05-{d:02}")
            for d in range(10, 21)
        ],
        *[
            call(
                "search_onestop_flight",
                f'[[{{"flight": "HAT{d}"}}]]',
                origin="LIS",
                destination="SFO",
                date=f"2024-05-{d:02}",
            )
            for d in range(10, 14)
        ],
        call("calculate", "412.0", expression="206 * 2"),
        call(
            "book_reservation",
            "Error: payment amount does not add up, total price is 412, but paid 400",
            user_id="ana_1",
            amount=400,
        ),
        call("book_reservation", '{"reservation_id": "HX1"}', user_id="ana_1", amount=412),
    ]


def _items_looked_at_and_left() -> Steps:
    listing = "Page 1 (Total results: 50)\n[B01] Shirt blue\n[B02] Shirt red\n[B03] Shirt green\n[B04] Shirt grey\n[B05] Shirt black"
    return [
        call("search", listing, keywords="men shirt under 30"),
        *[step for n in range(1, 6) for step in (
            call("click", f"[Back to Search] [Buy Now]\nShirt {n}, price {20 + n}.00, sizes S M L", element=f"B0{n}"), call("click", listing, element="< Prev"))],
        call("click", "[Back to Search] [Buy Now]\nShirt 3, price 23.00, sizes S M L", element="B03"),
        call("click", "Your score (min 0.0, max 1.0): 1.0", element="Buy Now"),
    ]  # fmt: skip


def _cells_of_a_sheet() -> Steps:
    return [
        call("open_sheet", "Sheet1: 0 rows", name="plan"),
        *[call("set_cell", "ok", cell=f"{c}{r}", value=str(r * 7)) for r in range(1, 9) for c in "ABC"],
        call("get_range", "7 7 7", range="A1:C8"),
    ]


def _an_image_built_until_it_works() -> Steps:
    told = ("COPY failed: file not found in build context", "E: Unable to locate package libfoo", "ModuleNotFoundError: No module named 'setuptools'", "exec format error",
            "permission denied: /entry.sh", "pip: command not found")  # fmt: skip
    return [*_begin(), *[step for n, one in enumerate(told) for step in (sh("docker build -t app .", f"#9 ERROR: process did not complete\n{one}", True), edit("Dockerfile", n))],
            sh("docker build -t app .", "naming to docker.io/library/app done"), sh("docker run --rm app", "ok")]  # fmt: skip


def _a_secret_found_bit_by_bit() -> Steps:
    return [*_begin(), *[sh(f"curl -s 'http://target/item?id=1 AND ascii(substr(pw,{p},1))>{b}'", "Item found" if (p * b) % 3 else "No item") for p in range(1, 7) for b in (64, 96, 112, 104)],
            sh("curl -s -d 'pw=swordf' http://target/login", "Welcome, admin")]  # fmt: skip


def _pages_of_ids_until_one_is_there() -> Steps:
    return [*_begin(), *[sh(f"curl -s -o /dev/null -w '%{{http_code}}' http://target/backup/{n}.zip", "404") for n in range(2010, 2024)],
            sh("curl -s -o /dev/null -w '%{http_code}' http://target/backup/2024.zip", "200")]  # fmt: skip


def _mail_sorted() -> Steps:
    return [call("list_emails", "\n".join(f"{n} Subject {n}" for n in range(12)), folder="inbox"),
            *[step for n in range(12) for step in (call("read_email", f"From: p{n}@x.pt\nPlease see {n * 3}.", id=n), call("move_email", "Moved.", id=n, folder="done"))]]  # fmt: skip


def _an_answer_that_comes_by_mail() -> Steps:
    return [call("send_email", "Sent.", to="bo@x.pt", subject="Key?", body="May I have the key?"), *[call("check_inbox", "No new messages.") for _ in range(6)],
            call("check_inbox", "1 new message from bo@x.pt"), call("read_email", "Here is it: K9", id=1)]  # fmt: skip


def _a_cluster_mended() -> Steps:
    def one(number: int) -> Steps:
        return [edit("k8s/web.yaml", number), sh("kubectl apply -f k8s/web.yaml", "deployment.apps/web configured"),
                sh("kubectl get pods", f"NAME READY STATUS RESTARTS AGE\nweb-{number}f 0/1 CrashLoopBackOff 3 {number + 1}m"),
                sh(f"kubectl logs web-{number}f", "panic: missing env DB_URL")]  # fmt: skip

    return [
        *_begin(),
        *rounds(5, one),
        edit("k8s/web.yaml", 9),
        sh("kubectl apply -f k8s/web.yaml", "deployment.apps/web configured"),
        sh("kubectl get pods", "NAME READY STATUS\nweb-9f 1/1 Running"),
    ]


def _two_packages_that_exclude_each_other() -> tuple[Steps, Steps]:
    return _begin(), rounds(9, lambda n: [
        sh("pip install 'numpy<2'", "Successfully installed numpy-1.26.4\nERROR: contourpy 1.3 requires numpy>=2, but you have numpy 1.26.4"), sh("python -c 'import app'", "ImportError: numpy.core.multiarray failed to import", True),
        sh("pip install 'numpy>=2'", "Successfully installed numpy-2.1.0"), sh("python -c 'import app'", "ImportError: module compiled with NumPy 1.x", True),
    ])  # fmt: skip


def _a_push_that_is_rejected() -> tuple[Steps, Steps]:
    rejected = "! [rejected] fix -> fix (non-fast-forward)\nerror: failed to push some refs to 'origin'"
    return _begin(), rounds(
        10, lambda n: [sh("git push origin fix", rejected, True), sh("git pull", "Already up to date.")]
    )


def _a_customer_who_says_yes() -> tuple[Steps, Steps]:
    said = ("I will cancel order #1 for you. Shall I go ahead?", "To confirm: cancel order #1, yes?", "Just to be sure, do you want order #1 cancelled?", "Please confirm that #1 is to be cancelled.",
            "Do you agree to the cancellation of order #1?", "May I cancel order #1 now?")  # fmt: skip
    return [call("get_order_details", '{"order_id": "#1", "status": "pending"}', order_id="#1")], [
        call("send_message", "yes", text=said[n % 6]) for n in range(20)
    ]


def _a_list_of_what_to_do() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        states = ("pending", "in_progress")
        return [
            call(
                "TodoWrite",
                "Todos have been modified successfully.",
                todos=[{"content": f"look at part {n}", "status": states[(number + n) % 2]} for n in range(3)],
            )
        ]

    return _begin(), rounds(24, one)


def _a_search_engine_that_knows_nothing() -> tuple[Steps, Steps]:
    sought = ("foo lib retry", "foolib retries", "foo library retry policy", "foo-lib backoff", "foolib timeout", "foo lib docs", "foolib github", "foo lib reference", "foo retry example", "foolib config",
              "foo lib api", "foo library manual", "foolib pypi", "foo lib v2")  # fmt: skip
    return _begin(), [
        call(
            "web_search",
            f"Your search - {q} - did not match any documents. Suggestions: make sure all words are spelled correctly.",
            query=q,
        )
        for q in sought
    ]


def _arguments_that_are_not_valid() -> tuple[Steps, Steps]:
    return _begin(), rounds(
        14,
        lambda n: [
            call(
                "create_event",
                "1 validation error for create_event\nattendees\n  Input should be a valid list [type=list_type]",
                True,
                title=f"Review {n}",
                attendees=f"ana{n}@x.pt",
            )
        ],
    )


def _a_file_system_that_is_read_only() -> tuple[Steps, Steps]:
    return _begin(), rounds(
        14,
        lambda n: [
            call(
                "write_file",
                f"OSError: [Errno 30] Read-only file system: '/srv/app/f{n}.py'",
                True,
                path=f"/srv/app/f{n}.py",
                content="x = 1",
            )
        ],
    )


def _errors_of_types_to_and_fro() -> tuple[Steps, Steps]:
    return _begin(), rounds(
        40,
        lambda n: [
            edit("app/main.py", n),
            sh(
                "mypy app",
                f"app/main.py:{n + 3}: error: bad\nFound {12 + n % 2} errors in 1 file (checked 9 source files)",
                True,
            ),
        ],
    )


def _a_file_written_anew_each_time() -> tuple[Steps, Steps]:
    told = "FAILED tests/test_main.py::test_total - assert 3 == 4\n1 failed in 0.1s"
    return _begin(), rounds(
        14,
        lambda n: [
            call("write_file", "Wrote app/main.py", path="app/main.py", content="def main():\n    return 3"),
            sh("pytest -q", told, True),
        ],
    )


def _a_service_asked_too_often() -> tuple[Steps, Steps]:
    return _begin(), rounds(16, lambda n: [call("quote", "429 Too Many Requests", True, symbol=f"SY{n}")])


def _three_files_read_in_turn() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            step
            for name in ("a", "b", "c")
            for step in (
                call("think", "", thought=f"Perhaps it is in {name}, look {number}."),
                call("read_file", f"def {name}():\n    pass", path=f"app/{name}.py"),
            )
        ]

    return _begin(), rounds(8, one)


def _a_login_shell_that_is_denied() -> tuple[Steps, Steps]:
    return _begin(), rounds(
        14,
        lambda n: [
            sh(f"ssh -i key{n} deploy@web.example uptime", "deploy@web.example: Permission denied (publickey).", True)
        ],
    )


GOOD: dict[str, Good] = {
    "a rebase with conflicts": _a_rebase_with_conflicts,
    "a test that takes five tries": _a_test_that_takes_five_tries,
    "prints put in to see": _prints_put_in_to_see,
    "errors of a compiler one by one": _compile_errors_one_by_one,
    "orders of a customer": _orders_of_a_customer,
    "flights on many days": _flights_on_many_days,
    "items looked at and left": _items_looked_at_and_left,
    "cells of a sheet": _cells_of_a_sheet,
    "an image built until it works": _an_image_built_until_it_works,
    "a secret found bit by bit": _a_secret_found_bit_by_bit,
    "ids tried until one is there": _pages_of_ids_until_one_is_there,
    "mail sorted": _mail_sorted,
    "an answer that comes by mail": _an_answer_that_comes_by_mail,
    "a cluster mended": _a_cluster_mended,
}
STUCK: dict[str, Stuck] = {
    "two packages that exclude each other": _two_packages_that_exclude_each_other,
    "a push that is rejected": _a_push_that_is_rejected,
    "a customer who says yes": _a_customer_who_says_yes,
    "a list of what to do": _a_list_of_what_to_do,
    "a search engine that knows nothing": _a_search_engine_that_knows_nothing,
    "arguments that are not valid": _arguments_that_are_not_valid,
    "a file system that is read only": _a_file_system_that_is_read_only,
    "errors of types to and fro": _errors_of_types_to_and_fro,
    "a file written anew each time": _a_file_written_anew_each_time,
    "a service asked too often": _a_service_asked_too_often,
    "three files read in turn": _three_files_read_in_turn,
    "a login that is denied": _a_login_shell_that_is_denied,
}
