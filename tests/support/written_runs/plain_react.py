"""Runs in the style of plain ReAct agents, of worlds in text, and of code that calls the interfaces of apps."""

from .writing import Good, Steps, Stuck, call, rounds


def act(action: str, shown: str):  # type: ignore[no-untyped-def]
    """An action in a world of text."""
    return call("act", shown, action=action)


def code(text: str, shown: str, failed: bool = False):  # type: ignore[no-untyped-def]
    """Code that calls apps."""
    return call("run_code", shown, failed, code=text)


def tool(name: str, raw: str, shown: str):  # type: ignore[no-untyped-def]
    """A tool with one text."""
    return call(name, shown, raw=raw)


def _begin() -> Steps:
    return [
        act("look", "You are in a kitchen. You see a fridge 1, a table 1, drawers 1 to 9 and a sink 1."),
        act("open fridge 1", "The fridge 1 is open. In it, you see an egg 1."),
    ]


def _drawers_until_found() -> Steps:
    return [
        *_begin(),
        *rounds(8, lambda n: [act(f"go to drawer {n}", f"The drawer {n} is closed."), act(f"open drawer {n}", f"You open the drawer {n}. In it, you see nothing.")]),
        act("go to drawer 9", "The drawer 9 is closed."),
        act("open drawer 9", "You open the drawer 9. In it, you see a knife 1."),
        act("take knife 1 from drawer 9", "You take the knife 1."),
    ]  # fmt: skip


def _walking_north() -> Steps:
    return [
        *_begin(),
        *[act("go north", f"You are on the road, at milestone {n}.") for n in range(9)],
        act("enter house", "You are in the hall."),
    ]


def _songs_page_by_page() -> Steps:
    return [
        code("print(apis.supervisor.show_account_passwords())", "[{'account_name': 'spotify', 'password': 'x'}]"),
        *rounds(10, lambda n: [code(f"print(apis.spotify.show_song_library(page_index={n}))", f"[{{'song_id': {n * 31}, 'title': 'Song {n}'}}]")]),
        code("apis.supervisor.complete_task(answer='Song 3')", "Execution successful."),
    ]  # fmt: skip


def _sums_one_after_the_other() -> Steps:
    return [*rounds(10, lambda n: [tool("Search", f"population of town {n}", f"Town {n} has {n * 913 + 400} people."), tool("Calculator", f"{n * 913 + 400} / 12", f"Answer: {(n * 913 + 400) / 12:.2f}")])]  # fmt: skip


def _polite_retries_of_a_busy_service() -> Steps:
    busy = "HTTP 429 Too Many Requests. Retry-After: 30"
    return [
        *rounds(4, lambda n: [call("http_get", busy, True, url="https://api.example/v1/rates"), call("wait_seconds", "waited", seconds=30 * (n + 1))]),
        call("http_get", '{"EUR": 1.08}', url="https://api.example/v1/rates"),
    ]  # fmt: skip


def _nothing_happens() -> tuple[Steps, Steps]:
    acts = (
        "use knife 1",
        "cut egg 1 with knife 1",
        "slice egg 1",
        "put egg 1 on table 1",
        "cook egg 1",
        "heat egg 1",
        "use table 1",
        "place egg 1",
    )
    return _begin(), [act(acts[n % len(acts)], "Nothing happens.") for n in range(24)]


def _between_two_rooms() -> tuple[Steps, Steps]:
    return _begin(), rounds(
        14,
        lambda n: [
            act("go to table 1", "On the table 1, you see nothing."),
            act("go to sink 1", "On the sink 1, you see a cup 1."),
        ],
    )


def _a_login_that_fails_in_code() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        shown = f'Execution failed. Traceback:\n  File "<python-input>", line {number + 1}\nException: Response status code is 401:\n{{"message":"Invalid credentials"}}'
        return [
            code(
                f"token = apis.venmo.login(username='ana{number}@x.com', password=pw)['access_token']\nprint(token)",
                shown,
            )
        ]

    return [code("print(apis.api_docs.show_app_descriptions())", "[...]")], rounds(14, one)


def _the_same_answer_of_a_search() -> tuple[Steps, Steps]:
    return [tool("Search", "who built it", "A bridge is a structure.")], [
        tool("Search", "bridge of Xanadu builder", "A bridge is a structure.") for _ in range(14)
    ]


def _three_tools_in_turn() -> tuple[Steps, Steps]:
    return [tool("Search", "rate of tax", "It differs.")], rounds(9, lambda n: [
        tool("Search", "rate of tax 2024", f"Updated {n} seconds ago. It differs by country."), tool("Calculator", "100 * rate", "Error: name 'rate' is not defined"), tool("Lookup", "rate", "(Result 1 / 1) It differs by country."),
    ])  # fmt: skip


GOOD: dict[str, Good] = {
    "drawers until it is found": _drawers_until_found,
    "walking north": _walking_north,
    "songs page by page": _songs_page_by_page,
    "sums one after the other": _sums_one_after_the_other,
    "a busy service asked politely": _polite_retries_of_a_busy_service,
}
STUCK: dict[str, Stuck] = {
    "nothing happens": _nothing_happens,
    "between two rooms": _between_two_rooms,
    "a login that fails in code": _a_login_that_fails_in_code,
    "one search with one answer": _the_same_answer_of_a_search,
    "three tools in turn": _three_tools_in_turn,
}
