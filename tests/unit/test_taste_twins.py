"""What the critic finds without a browser, kind by kind: each pair is a file that breaks a rule, and an honest twin."""

from __future__ import annotations

from typing import Any

import pytest

from services.gate_runner.taste import Taste, violations
from services.gate_runner.taste.apart import found_in

TOKENS = {"colours": ["#112233", "#fff", "hsl(0 100% 50%)"], "spacing": [0, 4, 8, 16]}


def taste_with(check: str, **more: Any) -> Taste:
    tokens = {"tokens": TOKENS[check]} if check in TOKENS else {}
    return Taste.model_validate({"rules": [{"name": check, "check": check, **tokens, **more}]})


def lines(check: str, file: str, text: str) -> list[int]:
    return [int(one.place.rpartition(":")[2]) for one in violations(taste_with(check), {file: text})]


PAIRS: list[tuple[str, str, str, str, list[int]]] = [
    # contrast in style sheets
    (
        "contrast",
        "a.css",
        ":root { --ink: #999; --paper: white }\np { color: var(--ink);\n background: var(--paper) }",
        ":root { --ink: #444; --paper: white }\np { color: var(--ink);\n background: var(--paper) }",
        [2],
    ),
    ("contrast", "a.css", "p { color: gainsboro; background: ivory }", "p { color: navy; background: ivory }", [1]),
    (
        "contrast",
        "a.css",
        "p { color: hsl(0 0% 60%); background-color: rgb(255 255 255) }",
        "p { color: hsl(0 0% 30%); background-color: rgb(255 255 255) }",
        [1],
    ),
    ("contrast", "a.css", "p { color: #0008; background: #fff }", "p { color: #000c; background: #fff }", [1]),
    (
        "contrast",
        "a.css",
        ".b { background: #fff }\n.b {\n  color: #aaa\n}",
        ".b { background: #fff }\n.c {\n  color: #aaa\n}",
        [3],
    ),
    (
        "contrast",
        "a.css",
        ".b { background: #06c; color: #fff }\n.b:hover { background: #6af }",
        ".b { background: #06c; color: #fff }\n.b:hover { background: #04a }",
        [2],
    ),
    (
        "contrast",
        "a.css",
        "p { color: #888; background: #fff }",
        "p { color: #888; background: #fff; font-size: 24px }",
        [1],
    ),
    (
        "contrast",
        "a.css",
        "h2 { color: #bbb; background: #fff; font: bold 2rem/1.2 serif }",
        "h2 { color: #888; background: #fff; font: bold 2rem/1.2 serif }",
        [1],
    ),
    (
        "contrast",
        "a.css",
        "p { color: #bbb; background: #fff }",
        "p { color: #bbb; background: #fff url(dark.png) } q { color: #ccc; background: linear-gradient(#000, #fff) }",
        [1],
    ),
    (
        "contrast",
        "a.css",
        "@media print { .a { color: #bbb; background: #fff } }",
        "@media (prefers-color-scheme: dark) { .a { color: #bbb; background: #111 } }",
        [1],
    ),
    (
        "contrast",
        "a.css",
        ".a { color: #000; background: #fff; & b { color: #999; background: #fff } }",
        ".a { color: #000; background: #fff; & b { color: #333; background: #fff } }",
        [1],
    ),
    (
        "contrast",
        "a.css",
        "b::part(x) { color: #ddd; background: #fff }",
        "button:disabled { color: #ddd; background: #fff } p { color: transparent; background: #fff }",
        [1],
    ),
    (
        "contrast",
        "a.css",
        'p { content: "}"; color: #bbb; background: #fff }',
        'p { content: "; color: #bbb"; background: #fff; color: #000 } /* p { color: #bbb; background: #fff } */',
        [1],
    ),
    (
        "contrast",
        "a.css",
        "p { background: #000; color: #444; background-color: #222 }",
        "p { background: #444; color: #444; background-color: #fff }",
        [1],
    ),
    # colours
    ("colours", "a.css", "p { border: 1px solid tomato }", "p { border: 1px solid red; animation: tomato 1s }", [1]),
    ("colours", "a.css", "p { color: hsl(120 50% 50%) }", "p { color: hsl(0 100% 50%); fill: currentColor }", [1]),
    ("colours", "a.css", "p { box-shadow: 0 0 2px #12345680 }", "p { box-shadow: 0 0 2px rgb(17 34 51 / 0.4) }", [1]),
    ("colours", "a.css", "p { color: #abcdef }", 'p { background: url(#abcdef); content: "#abcdef" }', [1]),
    (
        "colours",
        "a.css",
        "p { background: linear-gradient(#fff, #eee) }",
        "p { background: linear-gradient(#fff, red) }",
        [1],
    ),
    ("colours", "a.css", "p { color: var(--x, #eee) }", "p { color: var(--x, #fff); background: transparent }", [1]),
    ("colours", "a.html", '<svg><path fill="#00f"/></svg>', '<svg><path fill="#FFF" stroke="none"/></svg>', [1]),
    ("colours", "a.html", "<p>\n<b style='color: teal'>x</b>", "<p>\n<b style='color: RED; width: 1px'>x</b>", [2]),
    ("colours", "a.css", "@keyframes k { to { color: blue } }", "@keyframes k { to { color: red } }", [1]),
    ("colours", "sub/a.css", "a { color: blue }", "a { --mine: blue }", [1]),
    # spacing
    ("spacing", "a.css", "p { margin: 0.9rem }", "p { margin: -0.5rem auto 1rem 10% }", [1]),
    ("spacing", "a.css", "p { padding: .5px }", "p { padding: 8.0px; top: 13px }", [1]),
    ("spacing", "a.css", "p { margin-inline-start: 7px }", "p { margin: -8px }", [1]),
    ("spacing", "a.css", "p { gap: calc(100% - 13px) }", "p { gap: calc(100% - 16px); grid-row-gap: 2em }", [1]),
    (
        "spacing",
        "a.css",
        ".visually { width: 1px; margin: -1px }",
        ".visually-hidden { width: 1px; margin: -1px; clip: rect(0 0 0 0) }",
        [1],
    ),
    ("spacing", "a.css", "a{b:url(data:x;y)}\np{padding:3px}", "a{b:url(data:x;padding:3px)}\np{padding:4px}", [2]),
    (
        "spacing",
        "a.css",
        "@media (width < 40rem) { p { margin: 5px } }",
        "@media (width < 41rem) { p { margin: 4px } }",
        [1],
    ),
    # words for images
    ("alt_text", "a.html", '<img src="cat.png" alt="cat.png">', '<img src="cat.png" alt="a cat asleep">', [1]),
    (
        "alt_text",
        "a.html",
        '<img src="a.png" alt="Image">',
        '<img src="a.png" alt="Image of the harbour at dawn">',
        [1],
    ),
    ("alt_text", "a.html", "<svg role='img'><path/></svg>", "<svg role='img'><title>Sales</title><path/></svg>", [1]),
    ("alt_text", "a.html", "<img src=a.png>", "<!-- <img src=a.png> --><img src=a.png aria-hidden=true>", [1]),
    ("alt_text", "a.html", "<map><area href=x></map>", "<map><area href=x alt=North><area></map>", [1]),
    ("alt_text", "a.md", "one\ntwo ![](a.png)", "one\ntwo `![](a.png)`", [2]),
    ("alt_text", "a.md", "![ ][r]\n\n[r]: a.png", "    ![](a.png)\n", [1]),
    ("alt_text", "a.md", "<p>\n<img src=a.png>\n</p>", "<p>\n<img src=a.png alt=''>\n</p>\n\n<!-- ![](b.png) -->", [2]),
    ("alt_text", "a.md", "![screen.png](screen.png)", "![The list after sorting](screen.png) \\![](a.png)", [1]),
    ("alt_text", "a.md", "````\n```\n````\n![](a.png)", "````\n```\n![](a.png)\n````", [4]),
    # headings
    ("headings", "a.html", "<h1>a</h1>\n<h2> </h2>", "<h1>a</h1>\n<h2><img src=x alt=Fees></h2>", [2]),
    ("headings", "a.html", "<h2>a</h2><h4>b</h4>", "<h2>a</h2><template><h4>b</h4></template><h3>c</h3>", [1]),
    ("headings", "a.md", "A\n=\n\n### b", "A\n=\n\nb\n-\n\n### c", [4]),
    ("headings", "a.md", "# a\n\n#### b", "---\n# a comment\n#### another\n---\n# a\n\n## b", [3]),
    ("headings", "a.md", "<h1>a</h1>\n\n### b", "<h1 align=center>a</h1>\n\n## b\n\n> quoted\n\n### c", [3]),
    ("headings", "a.md", "# a\n\n##\n", "# a\n\n## b\n\n#hashtag\n", [3]),
    # controls with names
    ("labels", "a.html", '<label for="n"></label><input id="n">', '<input id="n"><label for="n">Name</label>', [1]),
    ("labels", "a.html", "<label><input></label>", "<label><input> Remember me</label>", [1]),
    ("labels", "a.html", '<input aria-labelledby="gone">', '<b id="t">Name</b><input aria-labelledby="t">', [1]),
    (
        "labels",
        "a.html",
        "<label><select><option>1</option></select></label>",
        "<label>N <select></select></label>",
        [1],
    ),
    ("labels", "a.html", '<input type="image" src="go.png">', '<input type="image" src="go.png" alt="Go">', [1]),
    ("labels", "a.html", "<input type=button>", "<input type=button value=Send><input type=submit>", [1]),
    (
        "labels",
        "a.html",
        '<a href="/"><i class="home"></i></a>',
        '<a href="/"><img src=h alt=Home></a><a id="x"></a>',
        [1],
    ),
    (
        "labels",
        "a.html",
        '<a href="/"><i aria-hidden="true">x</i></a>',
        '<a href="/" aria-label="Home"><i>x</i></a>',
        [1],
    ),
    ("labels", "a.html", '<div role="button"></div>', '<div role="button">Save</div>', [1]),
    ("labels", "a.html", "<button><svg></svg></button>", "<button><svg><title>Close</title></svg></button>", [1]),
    ("labels", "a.html", '<input placeholder="Name">', '<input placeholder="Name" title="Name">', [1]),
    ("labels", "a.html", "<div><textarea>x</textarea></div>", "<div hidden><textarea>x</textarea></div>", [1]),
    ("labels", "a.md", "see [](https://example.org)", "see [the guide](https://example.org) and [`x`](y)", [1]),
    ("labels", "a.html", "<button>\n</button>", "<button>{{ label }}</button>", [1]),
]


@pytest.mark.parametrize(("check", "file", "broken", "honest", "at"), PAIRS)
def test_a_file_that_breaks_a_rule_is_told_from_its_honest_twin(
    check: str, file: str, broken: str, honest: str, at: list[int]
) -> None:
    assert (lines(check, file, broken), lines(check, file, honest)) == (at, [])


@pytest.mark.parametrize("path", ["site.min.css", "node_modules/x/a.css", "web/vendor/a.css", "a.scss", "a.txt"])
def test_what_is_generated_or_of_another_kind_is_left_alone(tmp_path: Any, path: str) -> None:
    from services.gate_runner.taste import texts_of

    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("p { margin: 13px }")
    assert texts_of(tmp_path, [path]) == {}


def test_a_rule_may_be_for_some_files_only() -> None:
    taste = taste_with("spacing", files=["src/**", "!src/old/**"])
    texts = dict.fromkeys(["src/a.css", "src/old/a.css", "b.css"], "p { margin: 13px }")
    assert [one.place for one in violations(taste, texts)] == ["src/a.css:1"]


@pytest.mark.parametrize("file", ["a.css", "a.html", "a.md"])
async def test_large_files_are_judged_apart_to_the_same_end(file: str) -> None:
    small = "".join(
        f"<p style='margin: {size}px'></p>\n\n![](a.png)\n\n.a {{ margin: {size}px }}\n\n" for size in range(9)
    )
    taste = Taste.model_validate(
        {"rules": [{"name": "a", "check": "spacing", "tokens": [0]}, {"name": "b", "check": "alt_text"}]}
    )
    here = await found_in(taste, {file: small})
    assert here and await found_in(taste, {file: small + "\n" * 10_000}) == here


@pytest.mark.parametrize(
    "text", ["<![", "<![x", "<!", "<!-", "<![CDATA[", "<?", "</", "<a <b>", "&#x110000;", "<![ ]]>"]
)
def test_markup_that_no_parser_takes_is_judged_as_far_as_it_can_be_read(text: str) -> None:
    assert lines("alt_text", "a.html", f"<img src=a.png>{text * 50}") == [1]
    assert lines("alt_text", "a.md", f"![](a.png)\n\n<p>{text * 50}") == [1]
