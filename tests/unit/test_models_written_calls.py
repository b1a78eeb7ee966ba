"""Calls in a text are found in every family's marks, at the tail, outside code, whole or not at all."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.tool_loop.models.written_calls import marked, without_marks, written_calls

OFFERED = ("run", "read_file", "count")

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
arguments = st.dictionaries(st.text(min_size=1), json_values, max_size=3)

FORMS = {
    "Hermes": '<tool_call>\n{"name": "run", "arguments": %s}\n</tool_call>',
    "Qwen's fence within": '<tool_call>\n```json\n{"name": "run", "arguments": %s}\n```\n</tool_call>',
    "a list": '<tool_calls>[{"name": "run", "arguments": %s}]</tool_calls>',
    "Mistral": '[TOOL_CALLS][{"name": "run", "arguments": %s}]',
    "Mistral, later": "[TOOL_CALLS]run[ARGS]%s",
    "Llama": '<|python_tag|>{"name": "run", "parameters": %s}<|eom_id|>',
    "Llama's function": "<function=run>%s</function>",
    "DeepSeek V3": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>run\n```json\n%s\n```"
    "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "DeepSeek V3.1": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>run<｜tool▁sep｜>%s"
    "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "Kimi": "<|tool_calls_section_begin|><|tool_call_begin|>functions.run:0<|tool_call_argument_begin|>%s"
    "<|tool_call_end|><|tool_calls_section_end|>",
    "Harmony": "<|channel|>commentary to=functions.run <|constrain|>json<|message|>%s<|call|>",
    "Gemma": "<|tool_call>call:run%s<tool_call|>",
    "Cohere": '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "run", "parameters": %s}]<|END_ACTION|>',
    "Apertus": '<|tools_prefix|>[{"run": %s}]<|tools_suffix|>',
    "Hunyuan": "<tool_calls><tool_call>run<tool_sep>\n```json\n%s\n```\n</tool_call></tool_calls>",
    "a fence": '```json\n{"name": "run", "arguments": %s}\n```',
    "bare": '{"name": "run", "arguments": %s}',
    "bare, constrained": '{"tool": "run", "args": %s}',
    "OpenAI's object": '{"tool_calls": [{"type": "function", "function": {"name": "run", "arguments": %s}}]}',
}
"""Ways to write one call; %s stands for the arguments as JSON."""

OPEN_ENDED = {"Mistral, later", "Harmony", "Mistral", "Llama"}
"""Their closing mark is a token that servers leave out: without it the call is whole all the same."""


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=20)
@given(given_arguments=arguments)
def test_a_call_in_any_familys_marks_is_read_as_it_was_written(form: str, given_arguments: dict[str, Any]) -> None:
    found = written_calls(FORMS[form] % json.dumps(given_arguments), OFFERED)
    (call,) = found.calls
    assert (call.arguments, call.code, found.content) == (given_arguments, None, "")
    assert call.name in ("run", "functions.run", "functions.run:0")


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=20)
@given(given_arguments=arguments)
def test_no_prefix_of_a_call_is_ever_executed(form: str, given_arguments: dict[str, Any]) -> None:
    whole = FORMS[form] % json.dumps(given_arguments)
    bare = whole.replace("<|eom_id|>", "").replace("<|call|>", "")
    end_of_call = len(bare) if form in OPEN_ENDED else len(whole)
    for end in range(end_of_call):
        found = written_calls("I look.\n" + whole[:end], OFFERED)
        assert all(call.arguments is None for call in found.calls), whole[:end]


@pytest.mark.parametrize(
    "form", [form for form in FORMS if form not in ("bare", "bare, constrained", "OpenAI's object", "a fence")]
)
def test_the_text_before_a_call_stays_and_the_marks_go(form: str) -> None:
    found = written_calls(f"I look.\n{FORMS[form] % '{}'}\n<|im_end|>", OFFERED)
    assert (found.content, len(found.calls)) == ("I look.", 1)


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        (
            "<tool_call>\n<function=run>\n<parameter=cmd>\nls -la\n</parameter>\n</function>\n</tool_call>",
            "run",
            {"cmd": "ls -la"},
        ),
        (
            '<function_calls>\n<invoke name="run">\n<parameter name="cmd">ls</parameter>\n</invoke>\n</function_calls>',
            "run",
            {"cmd": "ls"},
        ),
        ("<tool_call>run\n<arg_key>cmd</arg_key>\n<arg_value>ls</arg_value>\n</tool_call>", "run", {"cmd": "ls"}),
        ('<|python_tag|>run.call(cmd="ls")', "run", {"cmd": "ls"}),
        (
            '<｜DSML｜function_calls>\n<｜DSML｜invoke name="count">\n<｜DSML｜parameter name="s" string="true">1'
            '</｜DSML｜parameter>\n<｜DSML｜parameter name="n" string="false">[1]</｜DSML｜parameter>\n'
            "</｜DSML｜invoke>\n</｜DSML｜function_calls>",
            "count",
            {"s": "1", "n": [1]},
        ),
        (
            "<seed:tool_call>\n<function=run>\n<parameter=cmd>ls</parameter>\n</function>\n</seed:tool_call>",
            "run",
            {"cmd": "ls"},
        ),
        (
            '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="run">'
            '<steptml:parameter name="cmd">ls</steptml:parameter></steptml:invoke>'
            "<｜tool_call_end｜><｜tool_calls_end｜>",
            "run",
            {"cmd": "ls"},
        ),
        (
            '<|tool_call>call:run{cmd:<|"|>echo "}<tool_call|>" <|"|>,n:2}<tool_call|>',
            "run",
            {"cmd": 'echo "}<tool_call|>" ', "n": 2},
        ),
        ('Thought: I look.\nAction: run\nAction Input: {"cmd": "ls"}', "run", {"cmd": "ls"}),
        ('>>>run\n{"cmd": "ls"}', "run", {"cmd": "ls"}),
        ('Action: ```json\n[{"tool_name": "run", "parameters": {"cmd": "ls"}}]\n```', "run", {"cmd": "ls"}),
        (
            "<tool_call>\n<function=run>\n<parameter=s>\nuse </function> and </tool_call> here\n</parameter>\n"
            "</function>\n</tool_call>",
            "run",
            {"s": "use </function> and </tool_call> here"},
        ),
        (
            "<tool_call>run\n<arg_key>cmd</arg_key>\n"
            "<arg_value>a </arg_value> b </tool_call> c</arg_value>\n</tool_call>",
            "run",
            {"cmd": "a </arg_value> b </tool_call> c"},
        ),
        (
            "<tool_call>\n<function=run>\n<parameter=s>\nx\n</think>\ny\n</parameter>\n</function>\n</tool_call>",
            "run",
            {"s": "x\n</think>\ny"},
        ),
        ('For example, let me look at one:\n<tool_call>{"name": "run", "arguments": {}}</tool_call>', "run", {}),
        ('I do not know it yet.\n<tool_call>{"name": "run", "arguments": {}}</tool_call>', "run", {}),
        ('    <tool_call>{"name": "run", "arguments": {}}</tool_call>', "run", {}),
        ('<thinking>I look.</thinking>\n<tool_call>{"name": "run", "arguments": {}}</tool_call>', "run", {}),
        ("[run(cmd='ls', n=[1, None])]", "run", {"cmd": "ls", "n": [1, None]}),
        ("```tool_code\nrun(cmd='ls')\n```", "run", {"cmd": "ls"}),
        (
            '<tool_call>{"name": "run", "arguments": {"cmd": "echo </tool_call>"}}</tool_call>',
            "run",
            {"cmd": "echo </tool_call>"},
        ),
        ("<function=run><parameter=s>a</parameter>b</parameter></function>", "run", {"s": "a</parameter>b"}),
        ('<think><tool_call>no</tool_call></think>\n<tool_call>{"name": "run"}</tool_call>', "run", {}),
        ('<tool_call>{"name": "run", "arguments": "{\\"cmd\\": \\"ls\\"}"}</tool_call>', "run", {"cmd": "ls"}),
        ("<function=run><parameter=cmd>ls</parameter></function></tool_call>", "run", {"cmd": "ls"}),
        ('run(cmd="ls", n=1)', "run", {"cmd": "ls", "n": 1}),
        ("run()", "run", {}),
        (
            '<|start|>assistant to=functions.run<|channel|>commentary json<|message|>{"cmd": "ls"}<|call|>',
            "functions.run",
            {"cmd": "ls"},
        ),
        ('to=functions.run<|channel|>commentary json<|message|>{"cmd": "ls"}', "functions.run", {"cmd": "ls"}),
        ('<|channel|>analysis to=functions.run code<|message|>{"cmd": "ls"}<|call|>', "functions.run", {"cmd": "ls"}),
        ('[TOOL_CALLS]run[CALL_ID]abc123def[ARGS]{"cmd": "ls"}', "run", {"cmd": "ls"}),
        ('<|python_start|>[run(cmd="ls")]<|python_end|><|eot|>', "run", {"cmd": "ls"}),
        ('functools[{"name": "run", "arguments": {"cmd": "ls"}}]', "run", {"cmd": "ls"}),
        ('<functioncall>{"name": "run", "arguments": \'{"cmd": "ls"}\'}</functioncall>', "run", {"cmd": "ls"}),
        (
            '<antml:function_calls>\n<antml:invoke name="run">\n<antml:parameter name="cmd">ls</antml:parameter>\n'
            "</antml:invoke>\n</antml:function_calls>",
            "run",
            {"cmd": "ls"},
        ),
        (
            "<function_calls>\n<invoke>\n<tool_name>run</tool_name>\n<parameters>\n<cmd>ls</cmd>\n</parameters>\n"
            "</invoke>\n</function_calls>",
            "run",
            {"cmd": "ls"},
        ),
        ("I look.\n<run>\n<cmd>echo </cmd> && ls</cmd>\n</run>", "run", {"cmd": "echo </cmd> && ls"}),
        ('\ufeff{"name": "run", "arguments": {"cmd": "ls"}}', "run", {"cmd": "ls"}),
    ],
)
def test_other_ways_to_write_a_call_are_read(text: str, name: str, arguments: dict[str, Any]) -> None:
    (call,) = written_calls(text, OFFERED).calls
    assert (call.name, call.arguments, call.code) == (name, arguments, None)


@pytest.mark.parametrize(
    "text",
    [
        '````md\n```\n{"name": "run", "arguments": {}}\n```\n````',
        '````\n```\n<tool_call>{"name": "run", "arguments": {}}</tool_call>\n```\n````',
        '``` xml title="x"\n<tool_call>{"name": "run", "arguments": {}}</tool_call>\n```',
        '```markdown\n{"name": "run", "arguments": {}}\n```',
        'run("ls")',
        "run(x) is how it is called",
        "<b>\n<run>\n<cmd>ls</cmd>\n</run>\n</b>",
        "Use <run> for that.",
        "A call says to=functions.run in its head.",
    ],
)
def test_a_text_that_only_holds_an_example_is_no_call_and_nothing_is_wrong_with_it(text: str) -> None:
    assert written_calls(text, OFFERED).calls == ()


def test_an_element_without_its_end_is_truncated_and_two_values_of_one_parameter_are_malformed() -> None:
    assert [call.code for call in written_calls("<run>\n<cmd>ls</cmd>\n", OFFERED).calls] == ["truncated"]
    twice = "<run><cmd>a</cmd><cmd>b</cmd></run>"
    assert [call.code for call in written_calls(twice, OFFERED).calls] == ["malformed"]
    two = 'run(cmd="ls")\ncount(n=1)'
    assert [call.name for call in written_calls(two, OFFERED).calls] == ["run", "count"]


@pytest.mark.parametrize("text", ['run(cmd="ls"', '[run(cmd="ls"', '[run(cmd="ls", n=[1', '```tool_code\nrun(cmd="ls"'])
def test_python_without_its_end_is_truncated(text: str) -> None:
    (call,) = written_calls(text, OFFERED).calls
    assert (call.name, call.code) == ("run", "truncated")


def test_a_call_that_more_text_follows_is_told_as_not_executed_where_another_one_ends_the_reply() -> None:
    block = '<tool_call>{"name": "%s", "arguments": {}}</tool_call>'
    found = written_calls(f"First.\n{block % 'run'}\nand now\n{block % 'count'}", OFFERED)
    assert [(call.name, call.code) for call in found.calls] == [("run", "malformed"), ("count", None)]
    assert found.content == "First.\n\nand now"
    assert written_calls(f"Example:\n{block % 'run'}\nNow:\n{block % 'count'}", OFFERED).calls[0].name == "count"


def test_a_reply_that_was_constrained_may_have_words_before_its_call() -> None:
    text = 'I look.\n{"tool": "run", "args": {}}'
    assert written_calls(text, OFFERED).calls == ()
    assert [call.name for call in written_calls(text, OFFERED, constrained=True).calls] == ["run"]
    assert [call.name for call in written_calls('{"tool": "zap", "args": {}}', OFFERED, constrained=True).calls] == [
        "zap"
    ]


@pytest.mark.parametrize(
    "text",
    [
        'Run it:\n```json\n{"name": "run", "arguments": {}}\n```',
        'So:\n{"name": "run", "arguments": {}}',
        "<|some_tool_call_begin|>run",
        "Action: run\nAction Input: ls",
    ],
)
def test_what_looks_like_a_call_and_counts_as_none_is_told(text: str) -> None:
    assert written_calls(text, OFFERED).calls == ()
    assert marked(text, OFFERED)
    assert not marked('The config:\n```json\n{"name": "zap", "arguments": {}}\n```', OFFERED)


def test_several_calls_come_in_order() -> None:
    text = '<tool_call>{"name": "run"}</tool_call>\n<tool_call>{"name": "count", "arguments": {"times": 1}}</tool_call>'
    assert [call.name for call in written_calls(text, OFFERED).calls] == ["run", "count"]
    text = '[TOOL_CALLS]run{"cmd": "ls"}[TOOL_CALLS]count{}'
    assert [call.name for call in written_calls(text, OFFERED).calls] == ["run", "count"]
    text = '{"name": "run", "parameters": {}}; {"name": "count", "parameters": {}}'
    assert [call.name for call in written_calls(text, OFFERED).calls] == ["run", "count"]


@pytest.mark.parametrize(
    "text",
    [
        "no call",
        "Use <tool_call> to call. Then stop.",
        'The block <tool_call>{"name": "run", "arguments": {}}</tool_call> is how one calls it.',
        '```\n<tool_call>{"name": "run", "arguments": {}}</tool_call>\n```',
        '> <tool_call>{"name": "run", "arguments": {}}</tool_call>',
        'Write `<tool_call>{"name": "run", "arguments": {}}</tool_call>`',
        'An example of the format:\n```json\n{"name": "run", "arguments": {}}\n```',
        'Por exemplo:\n{"name": "run", "arguments": {}}',
        '{"name": "Ada", "age": 36}',
        'The config:\n```json\n{"name": "rm", "arguments": {}}\n```',
        '<think>I could <tool_call>{"name": "run", "arguments": {}}</tool_call>',
        '<thinking>I could\n<tool_call>{"name": "run", "arguments": {}}</tool_call>',
        'Hm.\n<reasoning>I could\n<tool_call>{"name": "run", "arguments": {}}</tool_call>',
        'Example:\n<tool_call>{"name": "run", "arguments": {}}</tool_call>',
        'The syntax is <tool_call>{"name": "run", "arguments": {}}</tool_call>',
        'The syntax is `<tool_call>{"name": "run", "arguments": {}}</tool_call>',
        'Exemplo:\n\n    <tool_call>{"name": "run", "arguments": {}}</tool_call>',
        'It goes like this.\n\n    <tool_call>{"name": "run", "arguments": {}}</tool_call>',
        '- so:\n      ```\n      <tool_call>{"name": "run", "arguments": {}}</tool_call>\n      ```',
        'I must not run this: <tool_call>{"name": "run", "arguments": {}}</tool_call>',
        'He wrote "<tool_call>{"name": "run", "arguments": {}}</tool_call>',
        'I must not run this, it is dangerous:\n```json\n{"name": "run", "arguments": {}}\n```',
        'Your config:\n```json\n{"name": "run", "parameters": {}}\n```',
        'Yesterday\'s log ends with\n{"name": "run", "arguments": {}}',
        '{"name": "Ada", "parameters": {"age": 36}}',
        "[a link](http://run)",
        "[1, 2, 3]",
        "print(run)",
    ],
)
def test_what_does_not_end_the_text_or_stands_in_code_is_only_text(text: str) -> None:
    assert written_calls(text, OFFERED).calls == ()
    assert written_calls(text, OFFERED).content == text


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call></tool_call>",
        '<tool_call>{"name": "run", "path": "x"}</tool_call>',
        '<tool_call>{"name": "run", "arguments": {}, "args": {"a": 1}}</tool_call>',
        "<tool_call>run everything</tool_call>",
        '<tool_call>{"name": "run", "arguments": [1]}</tool_call>',
        "<function=run><parameter=a>1</parameter><parameter=a>2</parameter></function>",
        "<|python_tag|>run(open('x'))",
        "<tool_call>run<arg_key>a</arg_key><arg_value>1</arg_value><arg_key>a</arg_key><arg_value>2</arg_value></tool_call>",
        '<tool_call>{"name": "run", "arguments": {"a": 1, "a": true}}</tool_call>',
        '{"name": "run", "arguments": {"a": 0, "a": false}}',
        "[run(n=1e999)]",
        '[run(s="\\ud800")]',
    ],
)
def test_what_is_marked_as_a_call_and_is_none_is_malformed(text: str) -> None:
    (call,) = written_calls(text, OFFERED).calls
    assert (call.arguments, call.code) == (None, "malformed")


def test_marks_are_never_shown_to_a_user() -> None:
    block = '<tool_call>{"name": "run", "arguments": {}}</tool_call>'
    assert without_marks(f"Before. {block} After.<|im_end|>") == "Before.  After."
    assert without_marks(f"```\n{block}\n```") == f"```\n{block}\n```"
    assert without_marks("Done. <tool_call>{") == "Done."
    assert marked(f"Before. {block} After.") and not marked(f"`{block}`")


@given(st.text(alphabet="<>tool_cal/{}\"':,[]`\n ") | st.text())
def test_no_text_makes_the_reader_fail(text: str) -> None:
    written_calls(text, OFFERED)
    without_marks(text)


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>" * 100_000,
        '<tool_call>{"' * 100_000,
        "`<tool_call>" * 100_000,
        '<tool_call>{"name": "run"}</tool_call>' * 20_000,
        "[" * 1_000_000,
        "```\n" * 200_000,
        "<invoke " * 100_000,
        "<function=run><parameter=a>" + "</parameter>" * 100_000,
        '{"name":' * 100_000,
        "[TOOL_CALLS]" * 100_000,
    ],
    ids=["marks", "strings", "quoted", "calls", "brackets", "fences", "elements", "closings", "objects", "tokens"],
)
def test_huge_and_deep_texts_are_read_or_refused_without_harm(text: str) -> None:
    assert all((call.arguments is None) == (call.code is not None) for call in written_calls(text, OFFERED).calls)
