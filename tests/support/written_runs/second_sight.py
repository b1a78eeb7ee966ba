"""Another lot, written after that: longer works as they go in real repositories, on machines and with customers."""

# fmt: off
from .voices import Voice, hexes, kinds_of, letters
from .writing import Steps, call, rounds


def _a_long_repair_with_dead_ends(v: Voice) -> Steps:
    trace = "Traceback (most recent call last):\n  File \"/testbed/repro.py\", line 5, in <module>\n    q.count()\n  File \"/testbed/django/db/models/query.py\", line {}, in count\nTypeError: unhashable type: 'list'"
    return [v.sh("cd /testbed && git status", "On branch main\nnothing to commit, working tree clean"), v.create("/testbed/repro.py", "q = Q.filter(a=[1])\nq.count()"), v.sh("cd /testbed && python repro.py", trace.format(410), 1),
            *[step for n in range(4) for step in (v.sh(f"grep -n 'hash' django/db/models/{('query', 'sql/where', 'lookups', 'expressions')[n]}.py", f"{40 + n}: def __hash__(self):"), v.view(f"django/db/models/{('query', 'sql/where', 'lookups', 'expressions')[n]}.py", 30, 70), v.edit("django/db/models/query.py", f"attempt{n}", f"attempt{n + 1}"), v.sh("cd /testbed && python repro.py", trace.format(410 + n * 2), 1))],
            v.sh("git checkout django/db/models/query.py", "Updated 1 path from the index"), v.edit("django/db/models/expressions.py", "value)", "make_hashable(value))"), v.sh("cd /testbed && python repro.py", "3"), v.sh("./tests/runtests.py queries", "Ran 480 tests in 9.1s\n\nOK (skipped=3)"), v.sh("./tests/runtests.py expressions", "Ran 172 tests in 2.0s\n\nOK"), v.sh("rm repro.py"), v.sh("git diff", "diff --git a/django/db/models/expressions.py")]


def _tests_that_failed_before_anything(v: Voice) -> Steps:
    told = "FAILED tests/test_net.py::test_dns - socket.gaierror: [Errno -3]\nFAILED tests/test_net.py::test_ssl - ssl.SSLError\n2 failed, 140 passed in 12.{}s"
    return [v.sh("python -m pytest -q", told.format(1), 1), *rounds(6, lambda n: [v.edit(f"src/m{n}.py", "old", "new"), v.sh("python -m pytest -q", told.format(n), 1)]), v.sh("python -m pytest -q --deselect tests/test_net.py", "140 passed in 8.0s")]


def _warnings_taken_away(v: Voice) -> Steps:
    return [*rounds(12, lambda n: [v.sh("cargo clippy 2>&1 | head -20", f"warning: unused variable: `x{n}`\n --> src/lib.rs:{9 + 8 * n}:9\nwarning: `app` (lib) generated {12 - n} warnings"), v.edit("src/lib.rs", f"let x{n} =", f"let _x{n} =")]), v.sh("cargo clippy 2>&1 | head -20", "Finished dev")]


def _an_assertion_whose_numbers_move(v: Voice) -> Steps:
    return [*rounds(11, lambda n: [v.edit("src/layout.py", f"pad = {n}", f"pad = {n + 1}"), v.sh("pytest -q tests/test_layout.py::test_width", f"E       assert {300 - 17 * n} == 120\nFAILED tests/test_layout.py::test_width - assert {300 - 17 * n} == 120\n1 failed in 0.1s", 1)]), v.sh("pytest -q tests/test_layout.py::test_width", "1 passed in 0.1s")]


def _a_merge_queue_looked_at(v: Voice) -> Steps:
    return [v.sh("gh pr create --fill", "https://github.com/o/r/pull/41"), *[v.sh("gh pr checks 41", f"build  pending  0  https://github.com/o/r/actions/runs/{88}\nlint  {'pass' if n > 3 else 'pending'}  12s") for n in range(9)], v.sh("gh pr checks 41", "build  pass  3m\nlint  pass  12s"), v.sh("gh pr merge 41", "✓ Merged")]


def _files_moved_one_by_one(v: Voice) -> Steps:
    return [step for name in ("api", "auth", "core", "data", "edge", "feed", "grid", "http", "item") for step in (v.sh(f"git mv src/{name}.py src/pkg/{name}.py"), v.sh(f"sed -i 's/from src.{name}/from src.pkg.{name}/' $(grep -rl 'from src.{name}' .)"), v.sh("python -c 'import src.app'"))] + [v.sh("pytest -q", "90 passed in 2s")]


def _commands_that_say_nothing(v: Voice) -> Steps:
    return [v.sh(one) for one in ("mkdir -p build", "cp a.cfg build/", "cp b.cfg build/", "chmod 600 build/a.cfg", "touch build/.keep", "ln -s ../x build/x", "rm -f old.cfg", "rm -f older.cfg", "git add build", "git add -u")] + [v.sh("git commit -qm x"), v.sh("git push -q")]


def _looked_at_between_edits(v: Voice) -> Steps:
    return [step for n in range(10) for step in (v.edit("web/page.html", f"<li>{n}</li>", f"<li>{n}</li><li>{n + 1}</li>"), call("browser_screenshot", "[image]"))] + [v.sh("npm run build", "done")]


def _processes_looked_at(v: Voice) -> Steps:
    return [v.sh("./serve &", "[1] 811"), v.sh("ps aux | grep serve", "root 811 0.0 serve"), v.sh("curl -s localhost:80", "hello"), v.sh("kill 811"), v.edit("serve.c", "80", "81"), v.sh("make serve", "cc serve.c"), v.sh("./serve &", "[1] 902"), v.sh("ps aux | grep serve", "root 902 0.0 serve"), v.sh("curl -s localhost:81", "hello"), v.sh("kill 902")]


def _a_spreadsheet_asked_cell_by_cell(v: Voice) -> Steps:
    return [call("get_cell", str(n * 7 % 5), sheet="S", cell=f"B{n}") for n in range(1, 24)] + [call("set_cell", "ok", sheet="S", cell="C1", value=44)]


def _a_return_talked_over(v: Voice) -> Steps:
    return [v.say("I can help with that. What is your order number?", "It's #W5490111."), call("find_user_id_by_name_zip", "Error: user not found", first_name="Olivia", last_name="Lopez", zip="76171"), v.say("I couldn't find you. Is there another zip code?", "Try 76172."), call("find_user_id_by_name_zip", "olivia_lopez_3865", first_name="Olivia", last_name="Lopez", zip="76172"),
            call("get_order_details", '{"order_id": "#W5490111", "status": "delivered", "items": []}', order_id="#W5490111"), v.say("Which items would you like to return?", "The keyboard."), v.say("And how would you like to be refunded?", "To my gift card."), v.say("A refund can go to the original payment method or to a gift card that you have on file. You have none on file.", "Then the original one."), v.say("Please confirm: return the keyboard, refund to the credit card. (yes/no)", "yes"),
            call("return_delivered_order_items", '{"status": "return requested"}', order_id="#W5490111", item_ids=["1"], payment_method_id="credit_card_1"), v.say("Is there anything else?", "Actually yes, the mouse as well."), call("return_delivered_order_items", "Error: non-delivered order cannot be returned", order_id="#W5490111", item_ids=["2"], payment_method_id="credit_card_1"), v.say("I'm sorry, a second return for this order is not possible.", "Are you sure?"), v.say("Yes, I'm sure.", "Can I speak to somebody?"), call("transfer_to_human_agents", "Transfer successful", summary="Second return.")]


def _legs_of_a_trip(v: Voice) -> Steps:
    return [step for n in range(5) for step in (call("search_direct_flight", f'[{{"flight_number": "HAT{100 + n}"}}]', origin="ATL", destination="LGA", date=f"2024-05-1{n}"), call("calculate", f"{200 + n}.0", expression=f"{190 + n} + 10"), v.say(f"On May 1{n} there is HAT{100 + n} for ${200 + n}.", "Too expensive. Another day?"))] + [v.say("May 15 has nothing cheaper.", "Then May 12."), call("update_reservation_flights", '{"reservation_id": "Z7GOZK"}', reservation_id="Z7GOZK", flights=["HAT102"])]


def _steps_on_a_telephone(v: Voice) -> Steps:
    return [step for one in ("check_status_bar", "check_network_status", "check_sim_status", "toggle_airplane_mode", "check_network_status", "toggle_data", "check_network_status", "run_speed_test", "toggle_roaming", "run_speed_test", "reset_apn_settings", "reboot_device", "run_speed_test") for step in (v.say(f"Please try {one.replace('_', ' ')} and tell me what it shows.", f"It says: {one} {'no connection' if 'speed' in one else 'ok'}."),)] + [v.say("Is the problem solved?", "Yes, finally. Thanks!")]


def _agents_that_wait_for_each_other(v: Voice) -> Steps:
    return [call("spawn_agent", f'{{"agent_id": "ag_{n}"}}', prompt=f"Read module {n}") for n in range(4)] + [step for n in range(4) for step in (call("wait_agent", '{"status": "running"}', agent_id=f"ag_{n}"), call("wait_agent", f'{{"status": "done", "says": "{hexes(n, 8)}"}}', agent_id=f"ag_{n}"))]


def _a_table_filled_by_inserts(v: Voice) -> Steps:
    return [v.sh(f"psql -qc \"insert into t values ({n}, 'x{n}')\"", "INSERT 0 1") for n in range(14)] + [v.sh("psql -c 'select count(*) from t'", " count\n-------\n    14\n(1 row)")]


def _pods_scaled_and_counted(v: Voice) -> Steps:
    return [step for n in range(1, 6) for step in (v.sh(f"kubectl scale deploy/web --replicas={n}", "deployment.apps/web scaled"), v.sh("kubectl get pods", "NAME READY STATUS RESTARTS AGE\n" + "\n".join(f"web-7d9f8b6c5d-{letters(at)} 1/1 Running 0 {n}m" for at in range(n))), v.sh("hey -n 100 http://web", f"Requests/sec: {90 * n}.1"))]


# What does not get on.

def _the_same_edit_refused_for_its_place(v: Voice) -> tuple[Steps, Steps]:
    return [v.view("a.py", 1, 40)], rounds(10, lambda n: [v.edit("a.py", f"def f(x):\n    return x + {n}", "def f(x): return x", f"No replacement was performed, old_str `def f(x):\n    return x + {n}` did not appear verbatim in a.py."), v.view("a.py", 1, 40)])


def _an_install_that_times_out(v: Voice) -> tuple[Steps, Steps]:
    return [v.sh("python -m venv v")], rounds(9, lambda n: [v.sh("pip install torch", f"ReadTimeoutError: HTTPSConnectionPool(host='files.x', port=443): Read timed out. (read timeout={15})\n[{n}.{n}s]", 1)])


def _a_customer_and_an_agent_who_thank(v: Voice) -> tuple[Steps, Steps]:
    return [], rounds(14, lambda n: [v.say(("You're welcome! Have a great day!", "You are welcome, have a nice day!", "My pleasure, have a great day!")[n % 3], "Thank you!")])


def _search_read_and_search(v: Voice) -> tuple[Steps, Steps]:
    return [], rounds(7, lambda n: [v.sh("grep -rn 'handler' src | head -3", "src/a.py:3: handler = None"), v.view("src/a.py", 1, 20), v.sh("grep -n 'None' src/a.py", "3: handler = None")])


def _a_test_file_written_and_failing(v: Voice) -> tuple[Steps, Steps]:
    return [v.view("src/a.py")], rounds(14, lambda n: [v.create("tests/test_a.py", f"# try {n}\nfrom src import a\ndef test(): assert a.f({n}) == 1"), v.sh("pytest -q tests/test_a.py", f"ImportError: cannot import name 'a' from 'src' (/repo/src/__init__.py)\n1 error in 0.{n}2s", 2)])


def _flags_of_one_command(v: Voice) -> tuple[Steps, Steps]:
    flags = ("", "-v", "-vv", "--verbose", "--debug", "-d", "--trace", "-x", "--force", "-f", "-y", "--yes")
    return [], rounds(12, lambda n: [v.sh(f"tool build {flags[n]}", f"error: no project file found (os error {2})", 1)])


def _a_state_that_flips(v: Voice) -> tuple[Steps, Steps]:
    return [], rounds(9, lambda n: [call("set_feature", "ok", name="dark", enabled=n % 2 == 0), call("get_page", "layout: broken", url="https://x.test")])


def _a_directory_gone_up_and_down(v: Voice) -> tuple[Steps, Steps]:
    return [v.sh("ls", "src")], rounds(9, lambda n: [v.sh("cd src && ls", "a.py"), v.sh("cd .. && ls", "src"), v.sh("pwd", "/repo")])


GOOD, STUCK = kinds_of(globals())
