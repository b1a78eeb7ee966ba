"""What texts say of deeds, services, outcomes and data, held against logs of many kinds of work."""

import pytest

from services.tool_loop.rules.grounding.claimed_counts import counts, uncounted
from services.tool_loop.rules.grounding.claimed_deeds import undone
from services.tool_loop.rules.grounding.claimed_figures import unmeasured
from services.tool_loop.rules.grounding.claimed_services import unserved
from services.tool_loop.rules.grounding.claimed_tries import untried
from services.tool_loop.rules.grounding.foreign_calls import done
from services.tool_loop.rules.grounding.program_looks import computes, program_looks
from services.tool_loop.rules.grounding.shown_outcomes import Ran, unshown
from tests.unit.grounding.deed_logs import LOGS, Log


def against(text: str, log: Log) -> list[str]:
    told = (*log.seen, *(each.command for each in log.ran if each.foreign), *(each.printed for each in log.ran))
    return [
        *unshown(text, log.ran),
        *undone(text, log.ran, changed=log.changed),
        *unserved(text, log.ran, told, changed=log.changed),
        *untried(text, log.ran),
        *unmeasured(text, told),
        *uncounted(text, log.ran, told),
    ]


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.seen[0][:40])
def test_a_text_that_its_log_bears_out_is_never_sent_back(log: Log) -> None:
    assert {text: found for text in log.honest if (found := against(text, log))} == {}


@pytest.mark.parametrize("log", [log for log in LOGS if log.claimed], ids=lambda log: log.seen[0][:40])
def test_a_text_of_what_nothing_in_its_log_did_goes_back(log: Log) -> None:
    assert [text for text in log.claimed if not against(text, log)] == []


@pytest.mark.parametrize(
    ("command", "looks"),
    [
        ("kubectl -n shop get pods", True),
        ("kubectl delete pod api-1", False),
        ("ssh web-2 systemctl status nginx", True),
        ("ssh web-2 systemctl restart nginx", False),
        ("git tag -l", True),
        ("git tag v1.0.0", False),
        ("gh pr list", True),
        ("gh pr create --fill", False),
        ("curl -s https://shop.example/health", True),
        ("curl -X POST https://shop.example/orders", False),
        ("curl https://hooks.example/deploy", False),
        ("psql -c 'select 1'", True),
        ("psql -f up.sql", False),
        ("listen-and-deploy now", False),
    ],
)
def test_a_program_that_may_do_much_only_looks_where_its_words_say_so(command: str, looks: bool) -> None:
    assert program_looks(command) is looks


@pytest.mark.parametrize(
    ("command", "local"),
    [
        ('python -c "import pandas as pd; print(len(pd.read_csv(1)))"', True),
        ('python -c "import smtplib; smtplib.SMTP()"', False),
        ('python -c "import os; os.system(1)"', False),
        ("python report.py", False),
    ],
)
def test_a_line_of_python_that_reaches_nothing_outside_does_no_deed(command: str, local: bool) -> None:
    assert computes(command) is local


@pytest.mark.parametrize(
    ("command", "anything", "acts"),
    [
        ('run_sql {"query": "SELECT count(*) FROM orders"}', False, 0),
        ('run_sql {"query": "WITH a AS (SELECT 1) SELECT * FROM a"}', False, 0),
        ('run_sql {"query": "UPDATE orders SET status = 1"}', False, 1),
        ('create_ticket {"subject": "refund"}', False, 0),
        ('abrir_chamado {"motivo": "reembolso"}', False, 0),
        ('update_contact {"id": 1}', False, 1),
        ('http_request {"url": "https://x.example"}', True, 1),
        ('browser_click {"ref": "e1"}', True, 1),
        ('consultar_pedido {"pedido": 1}', False, 0),
    ],
)
def test_what_a_call_can_have_done_is_told_by_its_name_and_its_query(command: str, anything: bool, acts: int) -> None:
    did = done([Ran(command, "{}", None, foreign=True)])

    assert (did.anything, len(did.acts)) == (anything, acts)


@pytest.mark.parametrize(
    ("text", "printed", "unknown"),
    [
        ("There are 412 orders with a total of 18,734.50.", "412 | 18734.50", []),
        ("There are 438 orders with a total of 18,734.50.", "412 | 18734.50", ["438 orders"]),
        ("There are 412 orders with a total of 19,000.20.", "412 | 18734.50", ["total of 19,000.20", "19,000.20"]),
        ("Há 1.180 linhas; 24 duplicados foram removidos.", "1204 31 24\n1180", []),
        ("Removi 96 duplicados.", "1204 31 24\n1180", ["96 duplicados"]),
        ("Both regions had 42 orders, 48 with the east.", "north: 12, 1.5\nsouth: 30, 2.5\neast: 6, 3.5", []),
        ("About 400 orders were late, and up to 500 rows fit a page.", "412 | 18734.50", []),
        ("The table can hold 90,000 rows.", "412 | 18734.50", []),
        ("Nobody can tell 438 orders from many numbers.", " ".join(map(str, range(1000, 1400))), []),
    ],
)
def test_a_count_or_a_total_follows_from_what_was_printed(text: str, printed: str, unknown: list[str]) -> None:
    assert list(uncounted(text, [Ran("run_sql {}", printed, None, foreign=True)], [printed])) == unknown


def test_of_tests_alone_no_count_is_asked() -> None:
    ran = [Ran("pytest -q", "Exit status 0.\n5 passed", 0)]

    assert counts("It wrote 438 rows.")
    assert list(uncounted("It wrote 438 rows.", ran, ["5 passed"])) == []


@pytest.mark.parametrize("text", ["CI passed.", "O CI passou.", "The pipeline is green."])
def test_a_look_that_shows_how_things_stand_is_enough_and_without_one_they_are_not_known(text: str) -> None:
    watched = Ran("gh run watch", "Exit status 0.\nbuild success", 0)

    assert list(undone(text, [watched], changed=True)) == []
    assert list(undone(text, [Ran("pytest -q", "Exit status 0.\n5 passed", 0)], changed=True))
