"""A lot of runs written after the rules were mended, by what agents on benches of repairs and of shops are known to do."""

# fmt: off
from .voices import Voice, hexes, kinds_of, letters, uuid
from .writing import Steps, call, listing, rounds

REVIEW = "Thank you for your work on this issue. Please carefully follow the steps below to help review your changes.\n1. If you made any changes to your code after running the reproduction script, please run it again.\n2. Remove your reproduction script."
PYTEST = "============================= test session starts ==============================\nplatform linux -- Python 3.9.19, pytest-7.4.0, pluggy-1.5.0\nrootdir: /testbed\nconfigfile: setup.cfg\nplugins: xdist-3.6.1, cov-5.0.0\ncollected {} items\n\n"


def _start(v: Voice) -> Steps:
    return [v.sh("find /testbed -maxdepth 2 -not -path '*/.*' | head -50", "/testbed\n/testbed/sympy\n/testbed/setup.py"), v.sh("grep -rn 'class Mul' /testbed/sympy --include=*.py | head", "/testbed/sympy/core/mul.py:86:class Mul(Expr, AssocOp):"), v.view("/testbed/sympy/core/mul.py", 80, 200)]


def _submitted_after_a_review(v: Voice) -> Steps:
    return [*_start(v), v.edit("/testbed/sympy/core/mul.py", "coeff = 1", "coeff = S.One"), v.sh("python repro.py", "x*y"), call("submit", REVIEW), v.sh("python repro.py", "x*y"), v.sh("rm repro.py"), call("submit", "diff --git a/sympy/core/mul.py b/sympy/core/mul.py\n+coeff = S.One")]


def _test_heads_that_are_cut(v: Voice) -> Steps:
    return [*_start(v), *rounds(8, lambda n: [v.edit("/testbed/sympy/core/mul.py", f"a{n}", f"b{n}"), v.sh("cd /testbed && python -m pytest sympy/core/tests/test_mul.py -v", PYTEST.format(88) + "sympy/core/tests/test_mul.py::test_a PASSED [  1%]\n" * 9 + "…", int(n < 7))])]


def _narrowing_a_search(v: Voice) -> Steps:
    base = "/testbed/sympy/core/mul.py:{}:        if rv is not None:"
    return [*_start(v), v.sh("grep -rn 'rv is not None' /testbed/sympy", "\n".join(base.format(n) for n in (99, 140, 180))), v.sh("grep -n 'rv is not None' /testbed/sympy/core/mul.py", "99:        if rv is not None:\n140:        if rv is not None:"), v.sh("grep -rln 'rv is not None' /testbed/sympy", "/testbed/sympy/core/mul.py"),
            v.sh("grep -rn 'rv is not None' /testbed/sympy --include=*.py | head -5", "\n".join(base.format(n) for n in (99, 140, 180))), v.sh("grep -rn 'rv is not None' /testbed/sympy | wc -l", "3"), v.view("/testbed/sympy/core/mul.py", 95, 145), v.edit("/testbed/sympy/core/mul.py", "rv is not None", "rv")]


def _three_ways_to_run_the_tests(v: Voice) -> Steps:
    return [*_start(v), v.sh("pytest sympy/core", "bash: pytest: command not found", 127), v.sh("python -m pytest sympy/core", "/usr/bin/python: No module named pytest", 1), v.sh("python3 -m pytest sympy/core", "/usr/bin/python3: No module named pytest", 1), v.sh("pip install pytest", "ERROR: Could not find a version that satisfies the requirement pytest\nERROR: No matching distribution found for pytest", 1), v.sh("bin/test sympy/core/tests/test_mul.py", "tests finished: 88 passed, in 1.20 seconds")]


def _a_build_without_new_output(v: Voice) -> Steps:
    still = "[The command has no new output after {}.0 seconds. You may wait longer to see additional output by sending empty command '', send other commands to interact with the current process, send keys to interrupt/kill the command, or use the timeout parameter in execute_bash for future commands.]\n[Current working directory: /workspace]\n[Python interpreter: /usr/bin/python]"
    return [call("execute_bash", "Cloning…\n" + still.format(10), command="cargo build --release"), *[call("execute_bash", "[Below is the output of the previous command.]\n" + still.format(120), command="", is_input="true", timeout=120) for _ in range(11)], call("execute_bash", "[Below is the output of the previous command.]\nFinished release in 21m\n[The command completed with exit code 0.]", command="", is_input="true")]


def _little_scripts_that_all_say_ok(v: Voice) -> Steps:
    return [*_start(v), *rounds(8, lambda n: [v.create(f"/tmp/check_{n}.py", f"from sympy import *\nassert case_{n}()\nprint('OK')"), v.sh(f"python /tmp/check_{n}.py", "OK")]), v.sh("rm /tmp/check_*.py")]


def _little_scripts_that_fail_otherwise(v: Voice) -> Steps:
    told = ("NameError: name 'symbols' is not defined", "TypeError: cannot add <class 'Add'> and int", "AttributeError: 'Add' object has no attribute 'args_cnc2'", "RecursionError: maximum recursion depth exceeded", "TypeError: 'NoneType' object is not iterable", "ValueError: not enough values to unpack (expected 2, got 1)")
    return [*_start(v), *[step for n, one in enumerate(told) for step in (v.sh(f"python -c \"from sympy import *; print(f({n}))\"", f"Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\n{one}", 1),)], v.view("/testbed/sympy/core/mul.py", 200, 260), v.edit("/testbed/sympy/core/mul.py", "p", "q"), v.sh("python -c 'from sympy import *; print(f(0))'", "0")]


def _a_list_kept_up_to_date(v: Voice) -> Steps:
    plan = [f"Step {n}" for n in range(6)]
    return [step for n in range(6) for step in (call("TodoWrite", "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress.", todos=[{"content": one, "status": "completed" if at < n else "pending"} for at, one in enumerate(plan)]), v.view(f"src/a{n}.py"), v.edit(f"src/a{n}.py", "a", "b"))]


def _thoughts_between_works(v: Voice) -> Steps:
    return [*_start(v), *rounds(7, lambda n: [call("think", "Your thought has been logged.", thought=f"The bug may be in part {n}."), v.view(f"/testbed/sympy/core/p{n}.py"), call("think", "Your thought has been logged.", thought="Let me look at the next one.")])]


def _undone_and_done_otherwise(v: Voice) -> Steps:
    return [*_start(v), *rounds(3, lambda n: [v.edit("/testbed/a.py", "x = 1", f"x = {n + 2}"), v.sh("python -m pytest -q", f"FAILED tests/test_a.py::test_{n}\n1 failed, 3 passed in 0.2s", 1), call("str_replace_editor", "Last edit to /testbed/a.py undone successfully.", command="undo_edit", path="/testbed/a.py")]), v.edit("/testbed/a.py", "x = 1", "x = f()"), v.sh("python -m pytest -q", "4 passed in 0.2s")]


def _tests_of_maven(v: Voice) -> Steps:
    head = "[INFO] Scanning for projects...\n[INFO] \n[INFO] ------------------------< com.x:core >-------------------------\n[INFO] Building core 2.1-SNAPSHOT\n"
    return [*rounds(7, lambda n: [v.sh("mvn -q -o test -Dtest=JsonTest", head + f"[ERROR] /repo/src/main/java/com/x/Json.java:[{120 + n * 14},{9 + n}] cannot find symbol\n[ERROR]   symbol:   method read{n}()\n[INFO] BUILD FAILURE", 1), v.edit("src/main/java/com/x/Json.java", f"read{n}()", f"readValue{n}()")]), v.sh("mvn -q -o test -Dtest=JsonTest", head + "[INFO] Tests run: 12, Failures: 0\n[INFO] BUILD SUCCESS")]


def _go_vet_and_build(v: Voice) -> Steps:
    return [*rounds(9, lambda n: [v.edit(f"pkg/a{n}.go", "err", "e"), v.sh("go build ./... && go vet ./...", "")]), v.sh("go test ./...", "ok  \tx/pkg\t0.11s")]


def _environment_patched_together(v: Voice) -> Steps:
    return [*rounds(5, lambda n: [v.sh("python setup.py develop", f"error: command '/usr/bin/gcc' failed: {('Python.h', 'openssl/ssl.h', 'ffi.h', 'zlib.h', 'lzma.h')[n]}: No such file or directory", 1), v.sh(f"apt-get install -y lib{n}-dev", f"Setting up lib{n}-dev")]), v.sh("python setup.py develop", "Finished processing dependencies for x==1.0")]


def _a_window_scrolled(v: Voice) -> Steps:
    return [call("open", "[File: /repo/big.py (900 lines total)]\n" + listing(1, 100), raw="big.py"), *[call("scroll_down", f"[File: /repo/big.py (900 lines total)]\n({100 * n} more lines above)\n" + listing(100 * n + 1, 100 * n + 100), raw="") for n in range(1, 8)], call("goto", "[File: /repo/big.py (900 lines total)]\n" + listing(401, 500), raw="450"), call("edit", "File updated.", raw="450:451\n    return x\nend_of_edit"), call("submit", "diff", raw="")]


def _sockets_of_a_service_looked_at(v: Voice) -> Steps:
    return [v.sh("systemctl restart app"), *[v.sh(f"ss -ltnp | grep {port}", "", 1) for port in (80, 443, 8000, 8080, 9000)], v.sh("journalctl -u app -n 5", "bind: permission denied"), v.edit("/etc/app.ini", "80", "8088"), v.sh("systemctl restart app"), v.sh("ss -ltnp | grep 8088", "LISTEN 0 128 *:8088")]


def _a_user_who_repeats_yes(v: Voice) -> Steps:
    items = ("the water bottle", "the desk lamp", "the hiking boots", "the coffee maker", "the backpack", "the e-reader", "the vacuum cleaner")
    return [step for n, item in enumerate(items) for step in (v.say(f"I can return {item} and refund it to your original payment method. Please confirm with yes.", "Yes, please proceed."), call("return_delivered_order_items", f'{{"order_id": "#W{n}", "status": "return requested"}}', order_id=f"#W{n}", item_ids=[str(n)], payment_method_id="paypal_1"))]


def _orders_looked_at_again_after_changes(v: Voice) -> Steps:
    return [step for n in range(4) for step in (call("get_order_details", f'{{"order_id": "#W11", "status": "pending", "items": {n}}}', order_id="#W11"), call("modify_pending_order_items", f'{{"order_id": "#W11", "items": {n + 1}}}', order_id="#W11", item_ids=[f"a{n}"], new_item_ids=[f"b{n}"]), v.say("Done, anything else?", f"Also change item {n + 1}."))]


def _payments_tried(v: Voice) -> Steps:
    return [call("update_reservation_flights", "Error: gift card balance is not enough", reservation_id="XEHM4B", cabin="business", payment_id="gift_card_1"), v.say("The gift card does not cover it. Another one?", "Try gift_card_2."), call("update_reservation_flights", "Error: gift card balance is not enough", reservation_id="XEHM4B", cabin="business", payment_id="gift_card_2"), v.say("Not enough either.", "gift_card_3?"), call("update_reservation_flights", "Error: gift card balance is not enough", reservation_id="XEHM4B", cabin="business", payment_id="gift_card_3"), v.say("Sorry, no.", "Then my Visa."), call("update_reservation_flights", '{"reservation_id": "XEHM4B"}', reservation_id="XEHM4B", cabin="business", payment_id="credit_card_9")]


def _a_telephone_looked_at_again(v: Voice) -> Steps:
    return [step for fix in ("toggle_airplane_mode", "reseat_sim_card", "reboot_device", "reset_apn_settings", "toggle_data") for step in (v.say(f"Please run {fix}.", "Done."), v.say("Now please check the status bar and tell me what you see.", "No Signal, battery 80%."))] + [call("resume_line", "Line resumed", customer_id="C1001", line_id="L1002"), v.say("Please check the status bar now.", "4G, full signal.")]


def _cancelled_for_each_reason(v: Voice) -> Steps:
    return [step for name in ("Mei", "Aarav", "Sofia", "Liam", "Omar", "Noah") for step in (call("find_user_id_by_name_zip", f"{name.lower()}_1", first_name=name, last_name="Kovacs", zip="28236"), call("get_user_details", f'{{"name": "{name}", "orders": []}}', user_id=f"{name.lower()}_1"))]


def _a_customer_who_only_says_okay(v: Voice) -> Steps:
    return [v.say(text, "Okay.") for text in ("I've found your account.", "Your order #W12 shipped on Monday.", "It should arrive on Thursday.", "The carrier's number is 1Z999.", "You will get a mail when it is at the door.", "A signature is not needed.", "Thank you for your patience!")]


def _products_compared(v: Voice) -> Steps:
    return [call("list_all_product_types", '{"T-Shirt": "9523456873"}'), *[call("get_product_details", f'{{"name": "X", "product_id": "{n}", "variants": {{"{n}1": {{"available": {"true" if n % 2 else "false"}, "price": {n}.5}}}}}}', product_id=str(9523456873 + n)) for n in range(12)], call("calculate", "120.5", expression="100 + 20.5"), call("calculate", "99.5", expression="120.5 - 21"), v.say("The cheapest is $99.5.", "I'll take it.")]


def _mails_by_template(v: Voice) -> Steps:
    return [call("gmail_send", '{"status": "ok"}', to="team@x.example", subject=f"Candidate {name}", body=f"Please review the papers of {name} by Friday.") for name in ("Ana Reis", "Rui Melo", "Eva Pinto", "Jorge Lima", "Sara Dias", "Hugo Costa", "Ines Rocha")]


def _rows_of_a_sheet(v: Voice) -> Steps:
    return [call("sheets_append", '{"updatedRows": 1}', sheet="S1", values=[name, "present"]) for name in ("Ana", "Rui", "Eva", "Jorge", "Sara", "Hugo", "Ines", "Tiago", "Marta", "Nuno")]


def _a_site_gone_through(v: Voice) -> Steps:
    return [step for n in range(9) for step in (call("browser_click", f"Opened product {n}\n- heading: Product {hexes(n, 6)}\n- text: price {n * 7}", ref=f"e{n + 30}", element=f"Product link {n}"), call("browser_navigate_back", "- heading: All products\n- list: 9 items\n- footer: contact us, imprint"))]


def _a_download_looked_at(v: Voice) -> Steps:
    return [v.sh("wget -b https://x.example/big.iso", "Continuing in background, pid 811."), *[v.sh("ls -la big.iso", f"-rw-r--r-- 1 root root {n * 911_000} Dec  1 10:0{n} big.iso") for n in range(1, 9)], v.sh("sha256sum big.iso", hexes(1, 64))]


def _an_agent_that_runs_another(v: Voice) -> Steps:
    return [call("Task", f"The module {n} uses {('sqlite', 'redis', 'files', 'http')[n]}.", description="Explore", prompt=f"Describe how module {n} stores data.", subagent_type="explore") for n in range(4)] + [v.edit("README.md", "todo", "done")]


def _answers_of_a_quiz(v: Voice) -> Steps:
    return [call("answer_question", "Correct!", question=n, answer="ABCD"[n * 7 % 4]) for n in range(20)]


def _moves_of_a_game(v: Voice) -> Steps:
    return [call("move", f"You are in room {hexes(n, 4)}. Exits: north, east.", direction=("north", "east")[n % 2]) for n in range(16)]


def _wordle(v: Voice) -> Steps:
    return [call("guess", marks, word=word) for word, marks in (("crane", "-----"), ("moist", "-+--*"), ("tough", "--*--"), ("duvet", "**---"))]


def _an_index_rebuilt(v: Voice) -> Steps:
    return [v.sh("curl -s -XPOST localhost:9200/_reindex?wait_for_completion=false", '{"task":"n1:811"}'), *[v.sh("curl -s localhost:9200/_tasks/n1:811", f'{{"completed":false,"task":{{"status":{{"created":{n * 5000}}}}}}}') for n in range(9)], v.sh("curl -s localhost:9200/_tasks/n1:811", '{"completed":true}')]


# What does not get on.

def _a_script_that_fails_and_is_run_again(v: Voice) -> tuple[Steps, Steps]:
    return _start(v), rounds(9, lambda n: [v.sh("cd /testbed && python reproduce.py", f"Traceback (most recent call last):\n  File \"/testbed/reproduce.py\", line 4, in <module>\n    main()\n  File \"/testbed/reproduce.py\", line 2, in main\nRuntimeError: worker {hexes(n, 8)} died (pid={4000 + n * 13}) after {n}.{n}s", 1)])


def _an_edit_to_and_fro(v: Voice) -> tuple[Steps, Steps]:
    return _start(v), rounds(9, lambda n: [v.edit("/testbed/a.py", *(("if x:", "if not x:") if n % 2 == 0 else ("if not x:", "if x:"))), v.sh("python -m pytest tests/test_a.py -q", f"FAILED tests/test_a.py::test_{'yes' if n % 2 else 'no'} - assert False\n1 failed, 6 passed in 0.{n}1s", 1)])


def _a_view_and_a_search_in_turn(v: Voice) -> tuple[Steps, Steps]:
    return _start(v), rounds(8, lambda n: [v.view("/testbed/a.py", 1, 50), v.sh("grep -n 'def f' /testbed/a.py", "12:def f(x):")])


def _an_editor_that_finds_many(v: Voice) -> tuple[Steps, Steps]:
    return _start(v), rounds(10, lambda n: [v.edit("/testbed/a.py", "return None", f"return {n}", "No replacement was performed. Multiple occurrences of old_str `return None` in lines [12, 40, 66]. Please ensure it is unique")])


def _a_server_started_again(v: Voice) -> tuple[Steps, Steps]:
    return _start(v), rounds(8, lambda n: [v.sh("python server.py &", f"[{n + 1}] {8100 + n * 7}"), v.sh("sleep 2"), v.sh("curl -s localhost:8000", "curl: (7) Failed to connect to localhost port 8000 after 0 ms: Couldn't connect to server", 7), v.sh("pkill -f server.py")])


def _a_message_that_is_not_answered(v: Voice) -> tuple[Steps, Steps]:
    return [], rounds(12, lambda n: [v.say(("I am sorry, I cannot do that.", "Unfortunately I can't do that.", "I'm afraid that I cannot do that.", "Sorry, that cannot be done.")[n % 4], "Please do it.")])


def _the_same_refused_booking(v: Voice) -> tuple[Steps, Steps]:
    return [], rounds(9, lambda n: [call("update_reservation_flights", "Error: flight HAT001 not available on date 2024-05-20", reservation_id="XEHM4B", cabin="economy", flights=[{"flight_number": "HAT001", "date": "2024-05-20"}], payment_id=f"card_{n % 3}")])


def _four_in_turn(v: Voice) -> tuple[Steps, Steps]:
    return _start(v), rounds(6, lambda n: [v.sh("ls /testbed", "a.py"), v.view("/testbed/a.py", 1, 50), v.sh("python -m pytest -q tests", f"1 failed, 2 passed in 0.{n}4s", 1), v.sh("git -C /testbed diff", "")])


def _words_of_a_search_exchanged(v: Voice) -> tuple[Steps, Steps]:
    ways = ("sympy Mul flatten bug", "Mul flatten bug sympy", "bug in sympy Mul.flatten", "sympy flatten Mul issue", "issue sympy Mul flatten", "flatten Mul sympy bug report")
    return [], rounds(14, lambda n: [call("search_web", "https://docs.sympy.org/core.html\nhttps://stackoverflow.com/q/811\nhttps://github.com/sympy/sympy/issues/7", q=ways[n % 6])])


def _pods_looked_at_without_end(v: Voice) -> tuple[Steps, Steps]:
    return [], rounds(9, lambda n: [v.sh("kubectl rollout restart deploy/api", "deployment.apps/api restarted"), v.sh("kubectl get pods -l app=api", f"NAME READY STATUS RESTARTS AGE\napi-{hexes(n, 9)}-{letters(n)} 0/1 Error 1 {n + 3}s")])


def _a_token_fetched_and_refused(v: Voice) -> tuple[Steps, Steps]:
    return [], rounds(9, lambda n: [call("get_token", f'{{"token": "{hexes(n, 32)}", "expires": 3600}}', client="a"), call("http_get", f'{{"error": "invalid_scope", "trace_id": "{uuid(n)}"}}', url="https://api.example/v1/me", token=hexes(n, 32))])


def _a_form_sent_again(v: Voice) -> tuple[Steps, Steps]:
    return [], rounds(8, lambda n: [call("fill", "Form: name, email, phone. 1 error: phone is invalid", ref="phone", value=f"+35191{n:07}"), call("click", "Form: name, email, phone. 1 error: phone is invalid", ref="send")])


def _a_plan_over_and_over(v: Voice) -> tuple[Steps, Steps]:
    return [], rounds(14, lambda n: [call("TodoWrite", "Todos have been modified successfully.", todos=[{"content": "Fix it", "status": "in_progress", "note": n}])])


def _a_directory_listed_in_many_ways(v: Voice) -> tuple[Steps, Steps]:
    ways = ("ls", "ls -la", "ls -l", "find . -maxdepth 1", "tree -L 1", "dir", "ls -a", "ls -1", "ls -lah", "find . -maxdepth 1 -type f")
    return _start(v), rounds(20, lambda n: [v.sh(ways[n % 10], "a.py\ntests\nREADME.md")])


GOOD, STUCK = kinds_of(globals())
