"""The marks between which the families of models write their calls: a table."""

import re
from collections.abc import Sequence
from typing import Final

MARKS: Final[Sequence[tuple[str, str]]] = (
    ("<tool_calls>", "</tool_calls>"),  # Hunyuan, around the next one
    ("<tool_call>", "</tool_call>"),  # Hermes, Qwen, GLM
    ("<function_call>", "</function_call>"),
    ("<functioncall>", "</functioncall>"),  # FireFunction, OpenChat
    ("<function_calls>", "</function_calls>"),  # Claude
    ("<antml:function_calls>", "</antml:function_calls>"),
    ("<tool_use>", "</tool_use>"),
    ("<tools>", "</tools>"),
    ("<TOOLCALL>", "</TOOLCALL>"),  # Nemotron
    ("<minimax:tool_call>", "</minimax:tool_call>"),
    ("<seed:tool_call>", "</seed:tool_call>"),  # Seed-OSS
    ("<｜DSML｜function_calls>", "</｜DSML｜function_calls>"),  # DeepSeek V3.2
    ("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),  # DeepSeek
    ("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"),
    ("<｜tool_calls_begin｜>", "<｜tool_calls_end｜>"),  # Step-3
    ("<｜tool_call_begin｜>", "<｜tool_call_end｜>"),
    ("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),  # Kimi
    ("<|tool_call_begin|>", "<|tool_call_end|>"),
    ("<|tool_call_start|>", "<|tool_call_end|>"),  # LFM2
    ("<|tool_call|>", "<|/tool_call|>"),  # Phi
    ("<|tool_call>", "<tool_call|>"),  # Gemma
    ("<start_function_call>", "<end_function_call>"),  # FunctionGemma
    ("<|action_start|><|plugin|>", "<|action_end|>"),  # InternLM
    ("<|START_ACTION|>", "<|END_ACTION|>"),  # Cohere
    ("<|tools_prefix|>", "<|tools_suffix|>"),  # Apertus
    ("[TOOL_CALLS]", "[/TOOL_CALLS]"),  # Mistral
    ("<|python_tag|>", "<|eom_id|>"),  # Llama
    ("<|python_start|>", "<|python_end|>"),  # Llama 4
    ("<function=", "</function>"),
    ("<invoke ", "</invoke>"),
    ("<invoke>", "</invoke>"),  # Claude 2
    ("<antml:invoke ", "</antml:invoke>"),
    ("<｜DSML｜invoke ", "</｜DSML｜invoke>"),
    ("<|channel|>commentary to=", "<|call|>"),  # gpt-oss
    ("<|channel|>analysis to=", "<|call|>"),
    ("<|start|>assistant to=", "<|call|>"),
    ("to=functions.", "<|call|>"),  # the same, where the prompt holds what comes before it
)
"""The opening mark and the closing one; of two that begin alike, the longer stands first."""

_HARMONY: Final = frozenset(opening for opening, closing in MARKS if closing == "<|call|>")

OPEN_ENDED: Final = frozenset({"[TOOL_CALLS]", "<|python_tag|>", "<|python_start|>", "<|tool_call|>"}) | _HARMONY
"""Marks that need no closing one: the reply's end closes them, where the call itself is whole."""

PART_OF_BODY: Final = frozenset({"<function=", "<invoke ", "<invoke>", "<antml:invoke ", "<｜DSML｜invoke "}) | _HARMONY
"""Marks that name what is called."""

CLOSES_BODY: Final = frozenset({"</function>", "</invoke>", "</antml:invoke>", "</｜DSML｜invoke>"})

CLOSINGS: Final = dict(MARKS)

OPENING: Final = re.compile("|".join(re.escape(opening) for opening, _ in MARKS))
STRAY: Final = re.compile(r"\s*(?:" + "|".join(re.escape(closing) for _, closing in MARKS) + r")")

LIKE_A_MARK: Final = re.compile(r"</?[|｜]?[\w:]{0,20}(?:tool|function)[_▁]?calls?\w{0,20}[|｜]?>|^Action Input:", re.M)
"""What looks like a mark of a family that is not known."""


def has_mark(text: str) -> bool:
    """Whether any mark stands in a text at all, which most have none of: looked for a mark at a time, that is quick."""
    return any(opening in text for opening, _ in MARKS)
