"""Runs in the style of MCP tools: trackers, databases, clusters, chats; many with an action as an argument."""

from .writing import Good, Steps, Stuck, call, rounds


def _begin() -> Steps:
    return [
        call("tracker__list_projects", '["core", "web"]'),
        call("tracker__search_issues", '{"issues": [{"key": "CORE-12"}]}', query="is:open label:bug"),
        call(
            "manage_issue",
            '{"key": "CORE-12", "state": "open", "transitions": ["start", "close"]}',
            action="get",
            key="CORE-12",
        ),
    ]


def _pages_by_cursor() -> Steps:
    def page(number: int) -> Steps:
        return [
            call(
                "tracker__list_issues",
                f'{{"issues": ["CORE-{number * 2}", "CORE-{number * 2 + 1}"], "next": "c{number + 1}"}}',
                cursor=f"c{number}",
            )
        ]

    return [*_begin(), *rounds(14, page)]


def _issues_filed_one_by_one() -> Steps:
    return [
        *_begin(),
        *rounds(
            9,
            lambda n: [
                call(
                    "manage_issue",
                    f'{{"created": "CORE-{90 + n}"}}',
                    action="create",
                    title=f"Part {n}",
                    body="see plan",
                )
            ],
        ),
    ]


def _a_query_that_is_corrected() -> Steps:
    names = ("total", "amount", "sum_total", "price")
    return [*_begin(), *[call("postgres__query", f"ERROR: column \"{name}\" does not exist", True, sql=f"SELECT {name} FROM orders") for name in names],
            call("postgres__query", "[\"id\", \"gross\", \"net\"]", sql="SELECT column_name FROM information_schema.columns"),
            call("postgres__query", "[[412.5]]", sql="SELECT sum(gross) FROM orders")]  # fmt: skip


def _a_job_that_is_asked_after() -> Steps:
    def look(number: int) -> Steps:
        return [
            call("jobs", f'{{"id": "j1", "state": "RUNNING", "done": {number // 3 * 10}}}', action="status", id="j1")
        ]

    return [
        *_begin(),
        call("jobs", '{"id": "j1"}', action="start", spec="reindex"),
        *rounds(18, look),
        call("jobs", '{"state": "DONE"}', action="status", id="j1"),
    ]


def _a_cluster_brought_up() -> Steps:
    def one(number: int) -> Steps:
        return [call("kubernetes", f"deployment.apps/svc{number} configured", action="apply", manifest=f"name: svc{number}"),
                call("kubernetes", f"svc{number} 1/1 Running", action="get", kind="pod", name=f"svc{number}")]  # fmt: skip

    return [*_begin(), *rounds(8, one)]


def _notes_looked_up_and_sent() -> Steps:
    def one(number: int) -> Steps:
        return [
            call("notes__read", f"note {number}: ship v{number}", id=f"n{number}"),
            call("chat__post_message", '{"ok": true}', channel=f"team-{number}", text=f"v{number} ships"),
        ]

    return [*_begin(), *rounds(8, one)]


def _a_transition_that_is_refused() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            call(
                "manage_issue",
                f'{{"error": "transition not allowed", "field": "resolution", "given": "r{number}"}}',
                True,
                action="update",
                key="CORE-12",
                resolution=f"r{number}",
            ),
            call(
                "manage_issue",
                '{"key": "CORE-12", "state": "open", "transitions": ["start", "close"]}',
                action="get",
                key="CORE-12",
            ),
        ]

    return _begin(), rounds(12, one)


def _a_query_with_fresh_ids() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        told = f"upstream error: backend proj_{number:02}ab7k{number}9 is unavailable (request req_{number}x9Kd2, waited {number + 3}.1%, used {12 + number}.4 MB)"
        return [call("warehouse__run", told, statement="SELECT 1")]

    return _begin(), rounds(10, one)


def _messages_that_are_throttled() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            call(
                "chat__post_message",
                f'{{"ok": false, "error": "ratelimited", "retry_after": {number + 2}}}',
                True,
                channel="team",
                text=f"Status {number}: all is well",
            )
        ]

    return _begin(), rounds(12, one)


def _statements_that_are_not_allowed() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            call(
                "postgres__query",
                f"ERROR: permission denied for table orders_{number}",
                True,
                sql=f"SELECT max(x{number}) FROM orders_{number}",
            )
        ]

    return _begin(), rounds(14, one)


def _a_service_that_panics() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        dump = (
            f"panic: runtime error: index out of range [3] with length 3\n\ngoroutine {17 + number * 4} [running]:\n"
            f"main.handle(0xc000{number:04x}20, 0x{number + 3:x})\n\t/src/main.go:41 +0x{0x1A0 + number:x}\nseed: {number * 9173 + 11}"
        )
        return [call("runner__invoke", dump, function="handle")]

    return _begin(), rounds(10, one)


def _get_and_list_in_turn() -> tuple[Steps, Steps]:
    turn = [
        call(
            "manage_issue",
            '{"key": "CORE-12", "state": "open", "transitions": ["start", "close"]}',
            action="get",
            key="CORE-12",
        ),
        call("tracker__list_comments", "[]", key="CORE-12"),
    ]
    return _begin(), turn * 9


GOOD: dict[str, Good] = {
    "pages by cursor": _pages_by_cursor,
    "issues filed one by one": _issues_filed_one_by_one,
    "a query that is corrected": _a_query_that_is_corrected,
    "a job that is asked after": _a_job_that_is_asked_after,
    "a cluster brought up": _a_cluster_brought_up,
    "notes looked up and sent": _notes_looked_up_and_sent,
}
STUCK: dict[str, Stuck] = {
    "a transition that is refused": _a_transition_that_is_refused,
    "a query with fresh ids": _a_query_with_fresh_ids,
    "messages that are throttled": _messages_that_are_throttled,
    "statements that are not allowed": _statements_that_are_not_allowed,
    "a service that panics": _a_service_that_panics,
    "get and list in turn": _get_and_list_in_turn,
}
