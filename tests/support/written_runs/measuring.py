"""Progress that looks alike: counts that fall, measurements, batches whose rows fail, searches for what is not there.

The fourth lot, written after a stranger's findings and before the rules were tried on it.
"""

# fmt: off
import hashlib

from .odd_jobs import edit, py, say, sh
from .writing import Good, Steps, Stuck, call, rounds


def _name(number: int, length: int = 12) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()[:length]


def _warnings_of_a_linter_that_fall() -> Steps:
    return rounds(24, lambda n: [sh("npx eslint web", f"web/view{n}.tsx\n  {n + 3}:7  error  Unexpected any\n\n✖ {60 - n} problems ({60 - n} errors, 0 warnings)", True), edit(f"web/view{n}.tsx", "any", "Item")])


def _one_missing_symbol_after_the_other() -> Steps:
    names = ["open", "close", "read", "write", "seek", "tell", "flush", "lock", "unlock", "stat", "chmod", "chown", "link", "unlink", "mkdir", "rmdir", "pipe", "dup", "fork", "wait", "exec", "kill"]
    return rounds(22, lambda n: [sh("make -s firmware", f"ld: main.o: undefined reference to `hal_{names[n]}'\ncollect2: error: ld returned 1 exit status", True), edit("hal.c", "// end", f"int hal_{names[n]}(void) {{ return 0; }}\n// end")])


def _specs_that_turn_green() -> Steps:
    return rounds(23, lambda n: [edit(f"app/models/m{n}.rb", "nil", "[]"), sh("bundle exec rspec", f"{46 + n} examples, {23 - n} failures\nrspec ./spec/m{n}_spec.rb:9 # returns a list\nFailure: expected [] got nil", n < 22)])


def _a_mark_that_rises() -> Steps:
    return rounds(24, lambda n: [edit(f"src/part{n}.py", "x", "count"), sh("pylint src --fail-under 9.9", f"Your code has been rated at {6 + n * 0.15:.2f}/10\nerror: score below 9.9", True)])


def _a_race_that_is_looked_for() -> Steps:
    return [sh("cargo test --release stress_queue", "test stress_queue ... ok\ntest result: ok. 1 passed; 0 failed; finished in 4.1s") for _ in range(9)] + [edit("src/queue.rs", "Relaxed", "SeqCst")]


def _a_fix_that_is_confirmed() -> Steps:
    return [edit("net.py", "retries=1", "retries=4"), *[sh("pytest -q tests/test_net.py", f"6 passed in {2.1 + n / 10:.2f}s") for n in range(8)], sh("git commit -qam 'Retry'", "")]


def _times_of_a_request() -> Steps:
    return [sh("curl -so /dev/null -w '%{time_total}s' http://shop.test/", f"0.{31 + n * 3}s") for n in range(7)] + [edit("shop.conf", "gzip off", "gzip on")] + [sh("curl -so /dev/null -w '%{time_total}s' http://shop.test/", f"0.{11 + n * 2}s") for n in range(7)]


def _a_database_that_is_pinged() -> Steps:
    return [sh("ping -c 1 db.internal", f"64 bytes from 10.0.0.9: icmp_seq=1 ttl=64 time={9 + n * 4}.2 ms") for n in range(9)]


def _keys_for_five_teams() -> Steps:
    return [call("create_access_key", f'{{"key": "ak_{_name(n, 32)}"}}', scope="deploy") for n in range(7)]


def _links_to_share() -> Steps:
    return [call("generate_upload_link", f'{{"url": "https://files.example/u?sig={_name(n, 40)}"}}', folder="inbox") for n in range(8)]


def _a_cluster_that_is_resized() -> Steps:
    return [sh("gcloud container clusters describe c1 --format='value(status)'", "RECONCILING") for _ in range(21)] + [sh("gcloud container clusters describe c1 --format='value(status)'", "RUNNING")]


def _a_disk_that_is_attached() -> Steps:
    return [call("get_volume", '{"id": "v1", "state": "attaching"}', id="v1") for _ in range(18)] + [call("get_volume", '{"id": "v1", "state": "in-use"}', id="v1")]


def _a_code_by_text_message() -> Steps:
    return [call("read_sms", "no new messages", phone="+351") for _ in range(7)] + [call("read_sms", "Your code is 4711", phone="+351")]


def _a_certificate_that_is_issued() -> Steps:
    return [sh("kubectl get certificate web -o jsonpath='{.status.conditions[0].reason}'", "Issuing") for _ in range(16)] + [sh("kubectl get certificate web -o jsonpath='{.status.conditions[0].reason}'", "Ready")]


def _members_that_are_gone() -> Steps:
    return [call("remove_member", f'{{"error": "member {1000 + n} does not exist"}}', True, member_id=1000 + n) for n in range(14)] + [say("Fourteen of them had left already.", "Thanks")]


def _tax_numbers_that_are_checked() -> Steps:
    return [call("validate_vat", "invalid: checksum does not match", True, vat_number=f"PT{500100200 + n * 37}") for n in range(13)] + [call("write_file", "ok", path="vat.csv", content="13 invalid")]


def _orders_too_late_to_cancel() -> Steps:
    return rounds(10, lambda n: [call("get_order", f'{{"id": "B{n}", "status": "shipped"}}', order_id=f"B{n}"), call("cancel_order", "Error: the order has shipped already", True, order_id=f"B{n}"), call("send_email", "sent", to=f"client{n}@mail.example", body=f"Order B{n} has shipped.")])


def _links_of_an_old_site() -> Steps:
    return [call("check_link", "410 Gone", True, url=f"https://old.example/post/{n}") for n in range(19)] + [call("write_file", "ok", path="dead.txt", content="19")]


def _containers_that_are_removed() -> Steps:
    return [sh(f"docker rm {name}", f"Error response from daemon: No such container: {name}", True) for name in ["alder", "birch", "cedar", "dogwood", "elm", "fir", "ginkgo", "hazel"]] + [sh("docker ps -aq", "")]


def _an_audit_that_finds_nothing() -> Steps:
    wanted = ["eval", "pickle", "md5", "telnetlib", "shell=True", "verify=False", "AKIA", "password", "innerHTML", "mktemp", "yaml.load", "assert", "random", "xmlrpc", "marshal"]
    return [sh(f"rg -n '{one}' server", "", True) for one in wanted] + [call("write_file", "ok", path="audit.md", content="nothing")]


def _tables_without_orphans() -> Steps:
    tables = ["orders", "carts", "reviews", "likes", "sessions", "coupons", "refunds", "notes", "tags", "uploads", "visits", "payouts"]
    return [call("run_sql", "(0 rows)", query=f"SELECT id FROM {one} WHERE owner_id NOT IN (SELECT id FROM owners)") for one in tables]


def _a_flag_that_is_measured_both_ways() -> Steps:
    return rounds(4, lambda n: [edit("app.toml", "pool = 4", "pool = 8"), sh("python load.py", f"{310 + n * 7} requests, p95 {41 + n} ms"), edit("app.toml", "pool = 8", "pool = 4"), sh("python load.py", f"{270 + n * 5} requests, p95 {66 + n} ms")])


def _a_print_that_comes_and_goes() -> Steps:
    return rounds(5, lambda n: [edit("sim.py", "step()", "step(); print(s)"), sh(f"python sim.py case{n}", f"s={n * 17}"), edit("sim.py", "step(); print(s)", "step()")])


def _a_test_over_many_commits() -> Steps:
    return rounds(13, lambda n: [sh(f"git checkout -q {_name(n, 9)}", ""), sh("pytest -q tests/test_tax.py", "FAILED tests/test_tax.py::test_round - assert 3 == 4\n1 failed, 8 passed", True)])


def _a_breakpoint_in_a_loop() -> Steps:
    return [call("debugger", "Breakpoint 2, visit () at walk.c:88", action="continue") for _ in range(8)] + [call("debugger", "SIGSEGV in visit ()", action="continue")]


def _commits_that_are_empty_now() -> Steps:
    return [sh("git rebase --skip", f"Rebasing ({n + 2}/11)\nCONFLICT (content): Merge conflict in lock.json\nerror: could not apply {_name(n, 7)}... Bump", True) for n in range(8)] + [sh("git rebase --skip", "Successfully rebased")]


def _a_list_of_holidays_by_year() -> Steps:
    return [call("search_holidays", "[]", country="PT", date=f"2026-{n + 1:02}-01", to=f"2026-{n + 1:02}-28") for n in range(12)]


def _columns_that_are_profiled() -> Steps:
    return [py(f"df['{one}'].isna().sum()", "0") for one in ["age", "sex", "city", "zip", "plan", "born", "fee", "paid"]]


def _queue_that_drains() -> Steps:
    return [sh("redis-cli llen jobs", "4") for _ in range(9)] + [sh("redis-cli llen jobs", "0")]


def _a_status_page_of_five_services() -> Steps:
    return rounds(6, lambda n: [call("get_status", f'{{"service": "s{s}", "up": true, "since": {n}}}', service=f"s{s}") for s in range(5)])


GOOD: dict[str, Good] = {made.__name__.strip("_").replace("_", " "): made for made in (
    _warnings_of_a_linter_that_fall, _one_missing_symbol_after_the_other, _specs_that_turn_green, _a_mark_that_rises,
    _a_race_that_is_looked_for, _a_fix_that_is_confirmed, _times_of_a_request, _a_database_that_is_pinged,
    _keys_for_five_teams, _links_to_share, _a_cluster_that_is_resized, _a_disk_that_is_attached, _a_code_by_text_message,
    _a_certificate_that_is_issued, _members_that_are_gone, _tax_numbers_that_are_checked, _orders_too_late_to_cancel,
    _links_of_an_old_site, _containers_that_are_removed, _an_audit_that_finds_nothing, _tables_without_orphans,
    _a_flag_that_is_measured_both_ways, _a_print_that_comes_and_goes, _a_test_over_many_commits, _a_breakpoint_in_a_loop,
    _commits_that_are_empty_now, _a_list_of_holidays_by_year, _columns_that_are_profiled, _queue_that_drains,
    _a_status_page_of_five_services,
)}

_BEGUN = [call("Read", "1\tx = 1\n2\ty = 2", file_path="a.py"), sh("pytest -q", "FAILED t::a\n2 failed, 7 passed in 0.4s", True)]


def _stuck(made, count: int):  # type: ignore[no-untyped-def]
    def parts() -> tuple[Steps, Steps]:
        return list(_BEGUN), rounds(count, lambda n: made(n))

    return parts


_CITIES = ["porto", "braga", "faro", "evora", "lagos", "sines", "tomar", "beja", "ovar", "guarda", "viseu", "leiria"]

STUCK: dict[str, Stuck] = {name: _stuck(made, count) for name, (count, made) in {
    "a request id of its own each time": (24, lambda n: [call("get_report", "rows: 1 2 3", name="sales", request_id=_name(n, 32))]),
    "an idempotency key each time": (24, lambda n: [call("list_tasks", "a, b", board="x", idempotency_key=_name(n, 16))]),
    "a time in the arguments": (24, lambda n: [call("fetch_prices", "EUR 1.08", pair="EURUSD", timestamp=f"2026-01-01T10:{n:02}:00Z")]),
    "a cache buster in the address": (24, lambda n: [sh(f"curl -s 'https://api.test/items?_={1700000000000 + n * 1313}'", '{"items": ["a"]}')]),
    "two days of a calendar in turn": (12, lambda n: [call("list_events", "[]", day=day) for day in ("2026-02-01", "2026-02-02")]),
    "two folders of mail in turn": (12, lambda n: [call("list_messages", f"12 messages in {one}", label=one) for one in ("work", "home")]),
    "two looks at a cluster in turn": (22, lambda n: [sh("kubectl get pods -l app=a", "No resources found"), sh("kubectl get deploy -l app=a", "No resources found")]),
    "names in a table": (18, lambda n: [call("run_sql", "(0 rows)", query=f"SELECT * FROM client WHERE name ILIKE '%{_CITIES[n % 12]}{'xyz'[n // 12]}%'")]),
    "names in a table by a shell": (18, lambda n: [sh(f"psql -c \"SELECT id FROM client WHERE name = '{_CITIES[n % 12]}{n}'\"", " id \n----\n(0 rows)", False)]),
    "a shop that is searched": (16, lambda n: [call("browser_navigate", "Page: Results\nNo results found", url=f"https://shop.test/search?q=lamp+{_CITIES[n % 12]}")]),
    "a name in other cases": (22, lambda n: [call("Grep", "No matches found", pattern=f"{('load', 'read', 'fetch', 'get')[n % 4]}{_CITIES[n % 12].title()}Config")]),
    "a cell that fails without a flag": (16, lambda n: [call("run_cell", f"---------------------------------------------------------------------------\nNameError                                 Traceback (most recent call last)\nCell In[{n}], line 1\n----> 1 model.fit({n})\n\nNameError: name 'model' is not defined", code=f"model.fit({n})")]),
    "no browser for any host": (16, lambda n: [call("browse", "Error: Chromium executable is not installed", True, url=f"https://{_CITIES[n % 12]}{n}.example/")]),
    "no network for any host": (16, lambda n: [call("http_get", "Error: network is unreachable", True, url=f"https://{_CITIES[n % 12]}{n}.example/")]),
    "one file that may not be written": (4, lambda n: [sh(one, "sh: /etc/app.toml: Permission denied", True) for one in ("echo x > /etc/app.toml", "cp a /etc/app.toml", "tee /etc/app.toml < a", "mv a /etc/app.toml", "dd if=a of=/etc/app.toml")]),
    "clicks a pixel apart": (26, lambda n: [call("computer", "Clicked.", action="left_click", coordinate=[612 + n % 3, 340 + n % 2])]),
    "a button that does nothing": (16, lambda n: [call("browser_click", "Clicked. Page unchanged: please accept the terms", ref="buy")]),
    "an editor that is open": (14, lambda n: [call("terminal", "~\n~\n~\n\"notes\" 2L, 9B      1,1   All", command=("quit", "exit", "ls", "q", "help")[n % 5])]),
    "a picture that is to be picked": (16, lambda n: [call("browser_click", "ok", ref=f"tile{n % 9}"), call("browser_click", "Try again", ref="check")]),
    "a comment that grows": (26, lambda n: [edit("a.py", "# why" + " so" * n, "# why" + " so" * (n + 1))]),
    "a sentence that is polished": (26, lambda n: [edit("README.md", f"It is {_CITIES[n % 12]}.", f"It is {_CITIES[(n + 1) % 12]}.")]),
    "notes that are written anew": (26, lambda n: [call("Write", "ok", file_path="NOTES.md", content=f"Attempt {n}: the parser, perhaps")]),
    "plans of plans": (24, lambda n: [call("update_plan", "Plan updated", plan=[{"step": f"look {n}"}, {"step": f"do {n}"}])]),
    "nothing, for a reason": (24, lambda n: [call("do_nothing", "No action performed.", reason=f"{_CITIES[n % 12]} {n}")]),
    "a stream editor that matches nothing": (14, lambda n: [sh(f"sed -i 's/port = {n}/port = 80/' app.ini"), sh("grep -n port app.ini", "4:port=8080")]),
    "two errors in turn": (14, lambda n: [edit("a.c", f"t{n}", f"t{n + 1}"), sh("make", "b.c:3: error: conflicting types for 'f'", True), edit("b.c", f"u{n}", f"u{n + 1}"), sh("make", "a.c:9: error: too few arguments to function 'f'", True)]),
    "an answer that stays wrong": (20, lambda n: [call("Write", "ok", file_path="solve.py", content=f"print({n})"), sh("python judge.py solve.py", "Wrong answer on test 3", True)]),
    "codes that a customer reads out": (22, lambda n: [say(f"Could you read me the code again, number {n}?", f"It is {n * 7919 % 1000000:06}"), call("verify_code", "Invalid code", True, code=f"{n * 7919 % 1000000:06}")]),
    "a pod that crashes": (40, lambda n: [sh("kubectl get pods", f"web-1 0/1 CrashLoopBackOff {n} {n * 2}m")]),
    "cards for one order": (16, lambda n: [call("charge", "Error: card declined", True, order_id="W9", card=f"card_{n}")]),
}.items()}
