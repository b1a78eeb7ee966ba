"""What the critic finds without a browser, kind by kind: each pair is a file that breaks a rule, and an honest twin."""

from __future__ import annotations

from typing import Any

import pytest

from services.gate_runner.taste import Taste, violations
from services.gate_runner.taste.apart import TooLong, found_in

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
    (
        "contrast",
        "a.css",
        ":root { --bg: #fff; --fg: #111 } @media (prefers-color-scheme: dark) { :root { --bg: #111 } }\n"
        "body { color: var(--fg); background: var(--bg) }",
        ":root { --bg: #fff; --fg: #111 } @media (prefers-color-scheme: dark) { :root { --bg: #111; --fg: #eee } }\n"
        "body { color: var(--fg); background: var(--bg) }",
        [2],
    ),
    (
        "contrast",
        "a.css",
        ":root { --bg: #fff; --fg: #111 } [data-theme=dark] { --bg: #111 }\n"
        "p { color: var(--fg); background: var(--bg) }",
        ":root { --bg: #fff; --fg: #111 } .dark { --bg: #111 } .dark p { color: #eee }\n"
        "p { color: var(--fg); background: var(--bg) }",
        [2],
    ),
    (
        "contrast",
        "a.css",
        "p { color: oklch(0.75 0.05 250); background: oklch(0.9 0.05 250) }",
        "p { color: oklch(0.35 0.05 250); background: oklch(0.9 0.05 250) }",
        [1],
    ),
    (
        "contrast",
        "a.css",
        "p { color: rgb(from #fff r g b / 40%); background: #0b5fff }",
        "p { color: color-mix(in oklab, white, #0b5fff 1%); background: #0b5fff }",
        [1],
    ),
    (
        "contrast",
        "a.css",
        "h4 { color: #888; background: #fff; font-size: 18px }",
        "h4 { color: #888; background: #fff; font-size: 19px } h2 { color: #888; background: #fff; font: 1.5em serif }",
        [1],
    ),
    # colours
    ("colours", "a.css", "p { color: OKLCH(0.7 0.2 150) }", "p { color: OKLCH(62.8% 0.2577 29.23) }", [1]),
    ("colours", "a.css", "p { fill: color(display-p3 1 0 0) }", "p { fill: color(srgb 1 0 0 / 20%) }", [1]),
    (
        "colours",
        "a.css",
        "p { color: color-mix(in oklab, red, #fff) }",
        "p { color: color-mix(in oklab, red, transparent) }",
        [1],
    ),
    (
        "colours",
        "a.css",
        "p { outline: 1px solid rgb(from red g r b) }",
        "p { outline: 1px solid rgb(from red r g b / .2) }",
        [1],
    ),
    (
        "colours",
        "a.css",
        "p { background: linear-gradient(in lab, lab(40% 50 20), #fff) }",
        "p { text-emphasis: dot RED }",
        [1],
    ),
    (
        "colours",
        "a.css",
        ".x { --one: tomato; --two: var(--one) }\np { color: var(--two) }\nb { color: var(--two) }",
        ".x { --one: tomato; --two: red }\np { color: var(--two); margin: var(--one) }",
        [2],
    ),
    (
        "colours",
        "a.css",
        "p { color: var(--x, #eee) } :root { --x: red }",
        "p { color: var(--x) } :root { --x: hsl(0deg 100 50) }",
        [1],
    ),
    (
        "colours",
        "a.html",
        "<svg aria-hidden=true><stop stop-color='lab(40% 50 20)'/></svg>",
        "<svg hidden><stop stop-color='lab(40% 50 20)'/></svg><p style='display: none'><b style='color: blue'>",
        [1],
    ),
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
    (
        "colours",
        "a.css",
        "p { border-image: linear-gradient(black, red) 1 }",
        "p { mask-image: linear-gradient(black, transparent); content: attr(tan); color-scheme: light dark }",
        [1],
    ),
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
    ("spacing", "a.css", "p { margin: 1cm }", "p { padding: 12pt 1pc }", [1]),
    ("spacing", "a.css", "p { margin: 5MM }", "p { margin: calc(1in / 6) calc(2 * (1rem - 8px)) max(8px, 4px) }", [1]),
    ("spacing", "a.css", "p { padding: 3q }", "p { padding: clamp(4px, 2vw, 16px) }", [1]),
    (
        "spacing",
        "a.css",
        ":root { --gap: 13px }\np { gap: var(--gap) }",
        ":root { --wide: 13px; --step: .25rem }\np { gap: calc(var(--step) * 4); width: var(--wide) }",
        [2],
    ),
    # words for images
    ("alt_text", "a.html", "<img src=a.png alt='  '>", "<img src=a.png alt>", [1]),
    ("alt_text", "a.html", "<img src=img/team-2.jpg alt=team-2>", "<img src=img/logo.svg alt=Logo>", [1]),
    (
        "alt_text",
        "a.html",
        "<img src=a.png aria-labelledby=gone>",
        "<img src=a.png aria-labelledby=t><p hidden id=t>x",
        [1],
    ),
    ("alt_text", "a.html", "<span role=img>&#x1f389;</span>", "<span role=img aria-label=Hooray>&#x1f389;</span>", [1]),
    (
        "alt_text",
        "a.html",
        "<p hidden>x<p>\n<img src=a.png>",
        "<p hidden>x<img src=a.png><p>\ny<div style='visibility:hidden'><img src=b.png></div>",
        [2],
    ),
    (
        "alt_text",
        "a.html",
        "<details><summary>x</summary><img src=a.png></details>",
        "<style>.off { display: none }</style><div class='a off'><img src=a.png></div>",
        [1],
    ),
    (
        "alt_text",
        "a.html",
        "<style>.m { display: none } .m.open { display: block }</style>\n<div class=m><img src=a.png></div>",
        "<template><img src=a.png></template><noscript><img src=a.png></noscript>",
        [2],
    ),
    (
        "alt_text",
        "a.html",
        "<template shadowrootmode=open><img src=a.png></template>",
        "<textarea><img src=a></textarea>",
        [1],
    ),
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
    (
        "headings",
        "a.html",
        "<h1>a</h1><p role=heading aria-level=3>b</p>",
        "<h1>a</h1><p role=heading>b</p><h3>c</h3>",
        [1],
    ),
    ("headings", "a.html", "<h1>a</h1><h2 aria-level=3>b</h2>", "<h1>a</h1><h4 role=presentation></h4><h2>b</h2>", [1]),
    ("headings", "a.html", "<p role=heading></p>", "<h2 role=tab>x</h2>", [1]),
    ("headings", "a.html", "<h1><span hidden>a</span></h1>", "<h1><span aria-label=a></span></h1>", [1]),
    # controls with names
    (
        "labels",
        "a.html",
        '<button :class="x"><i></i></button>',
        '<button x-text="x"></button><a :href="u" v-text="t"></a><label :for="i">N</label><input :id="i">',
        [1],
    ),
    (
        "labels",
        "a.html",
        "<input :placeholder='p'>",
        "<input [attr.aria-label]='k'><button :aria-label='x'></button>",
        [1],
    ),
    (
        "labels",
        "a.html",
        "<details><summary><i></i></summary>x</details>",
        "<details>x</details><summary></summary>",
        [1],
    ),
    ("labels", "a.html", "<input type=submit value=''>", "<input type=submit><input type=reset value=Clear>", [1]),
    ("labels", "a.html", "<div role=textbox>x</div>", "<div role=textbox aria-label=Note>x</div>", [1]),
    ("labels", "a.html", "<div role='menuitemradio x'></div>", "<div role='x switch'>Wi-Fi</div>", [1]),
    ("labels", "a.html", "<button>&#xf00d;</button>", "<button>&times;</button>", [1]),
    ("labels", "a.html", "<a href=x>&nbsp;&#x200b;</a>", "<a href=x><svg aria-label=Home></svg></a>", [1]),
    (
        "labels",
        "a.html",
        "<b id=t></b><input aria-labelledby=t>",
        "<b id=t hidden>Name</b><input aria-labelledby=t>",
        [1],
    ),
    (
        "labels",
        "a.html",
        "<label for=n hidden>Name</label><input id=n>",
        "<label for=n><img alt=Name></label><input id=n>",
        [1],
    ),
    (
        "labels",
        "a.html",
        "<label>Name<input></label>\n<table><tr><td>Age<td><input></table>",
        "<ul><li hidden><input><li>x</ul>",
        [2],
    ),
    ("labels", "a.html", "<button>\n<i></i>", "<button>\n<i>x</i>", [1]),
    (
        "labels",
        "a.md",
        'A <a href="x"><img src="b.png" alt=""></a>',
        "A <label>Name <input></label>, <a href='x'>b\nc</a>",
        [1],
    ),
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


def test_custom_properties_that_lead_in_a_circle_or_grow_without_end_come_to_nothing() -> None:
    for join in (" ", " + "):
        grown = "".join(f"--a{at}: calc({join.join([f'var(--a{at + 1})'] * 10)});" for at in range(7))
        text = f":root {{ {grown} --a7: 13px; --b: var(--c); --c: var(--b) }} p {{ margin: var(--a0) var(--b) }}"
        assert [lines(check, "a.css", text) for check in ("spacing", "colours", "contrast")] == [[], [], []]


async def test_what_is_nested_too_deeply_is_not_judged_and_that_is_said() -> None:
    with pytest.raises(TooLong, match="nested too deeply"):
        await found_in(taste_with("spacing"), {"a.css": "p { margin: " + "(" * 1500})


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


async def test_large_files_are_judged_apart_to_the_same_end() -> None:
    small = "".join(
        f"<p style='margin: {size}px'></p>\n\n![](a.png)\n\n.a {{ margin: {size}px }}\n\n" for size in range(9)
    )
    taste = Taste.model_validate(
        {"rules": [{"name": "a", "check": "spacing", "tokens": [0]}, {"name": "b", "check": "alt_text"}]}
    )
    files = ("a.css", "a.html", "a.md")
    here = await found_in(taste, dict.fromkeys(files, small))
    assert {one.place.partition(":")[0] for one in here} == {*files}
    assert await found_in(taste, dict.fromkeys(files, small + "\n" * 10_000)) == here


@pytest.mark.parametrize(
    "text", ["<![", "<![x", "<!", "<!-", "<![CDATA[", "<?", "</", "<a <b>", "&#x110000;", "<![ ]]>"]
)
def test_markup_that_no_parser_takes_is_judged_as_far_as_it_can_be_read(text: str) -> None:
    assert lines("alt_text", "a.html", f"<img src=a.png>{text * 50}") == [1]
    assert lines("alt_text", "a.md", f"![](a.png)\n\n<p>{text * 50}") == [1]
