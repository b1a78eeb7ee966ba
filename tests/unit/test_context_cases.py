"""Mistakes that other systems of this kind were reported to make, each with what happens here instead."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

from services.context_builder.assembler import assemble
from services.context_builder.handlers import ContextBuilder
from services.context_builder.instruction_cache import InstructionCache, collect, load
from services.context_builder.layers import Layer, LayerName, Unit
from services.context_builder.tokenizers import Approximate, tokenizer
from shared import prompt
from tests.support.context_memory import ask, begun, turn

JAPANESE = "東京都は日本の首都であり、人口が最も多いまちです。"[:24]


def test_keeping_the_last_messages_never_begins_with_a_result_whose_call_is_gone() -> None:
    """Cut by position, a tail can begin with a result; providers then refuse every further request."""
    memory = begun()
    for number in range(3):
        turn(memory, number, f"result {number} " * 40)
    memory.add("model.replied", content="Thinking aloud.", calls=[])
    memory.add("turn.rejected", code="no_action", nudge="Act.", in_a_row=1)
    for budget in range(60, 700, 10):
        manifest, messages = ask(memory, budgets={"task_state": budget})
        if manifest.unfittable:
            continue
        calls = [call["id"] for message in messages for call in message.get("tool_calls", ())]
        results = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
        assert results == calls
        for name in results:
            called = next(
                place
                for place, message in enumerate(messages)
                if name in [call["id"] for call in message.get("tool_calls", ())]
            )
            assert messages[called + 1]["role"] == "tool"


def test_two_parallel_calls_and_their_interleaved_results_go_or_stay_together() -> None:
    memory = begun()
    calls: list[dict[str, Any]] = [{"id": name, "name": "run", "arguments": {}} for name in ("c1", "c2")]
    memory.add("model.replied", content="", calls=calls)
    for name in ("c2", "c1"):
        memory.add("tool.finished", call_id=name, tool="run", status="ok", text=f"result of {name} " * 20)
    turn(memory, 3, "the last")
    seen = set()
    for budget in range(40, 500, 5):
        manifest, messages = ask(memory, budgets={"task_state": budget})
        if not manifest.unfittable:
            told = [message.get("tool_call_id") for message in messages if message["role"] == "tool"]
            seen.add(tuple(name for name in told if name in ("c1", "c2")))
    assert seen == {(), ("c1", "c2")}


def test_a_text_is_estimated_by_its_bytes_never_by_its_characters() -> None:
    """24 Japanese characters are 72 bytes: 18 tokens estimated, where characters over four would say 6."""
    assert (len(JAPANESE), len(JAPANESE.encode())) == (24, 72)
    assert Approximate().count(JAPANESE).tokens == 18
    exact = tokenizer("tiktoken:cl100k_base").count(JAPANESE)
    assert not exact.estimated and exact.tokens > 10
    rules = (Unit("japanese", JAPANESE, 0),)
    kept = assemble([Layer(LayerName.BUSINESS_RULES, rules, 10)], Approximate()).layers[0].report.kept
    assert kept == ()
    for text in ("", "a", "abc def" * 30, "olá", JAPANESE, "🇧🇷"):
        estimated = Approximate().count(text).tokens
        assert estimated >= -(-len(text) // 4)
        assert not text.isascii() or estimated == -(-len(text) // 4)


def test_rows_and_tools_in_another_order_give_the_same_bytes() -> None:
    """Without an order of its own a prompt follows the database's, and the provider's cache is never hit."""
    rows = [Unit(name, f"# {name}", order=(1, name)) for name in ("SOUL.md", "IDENTITY.md", "TOOLS.md", "USER.md")]
    tools = [Unit(f"tool:{name}", f"{name}: does {name}", order=0) for name in "cab"]
    prompts = set()
    for shuffled in itertools.permutations(rows):
        layers = [
            Layer(LayerName.INSTRUCTION_FILES, shuffled, 1_000),
            Layer(LayerName.PROJECT_CONTEXT, (Unit("project", "about"),), 100),
            Layer(LayerName.BUSINESS_RULES, tuple(random.Random(str(shuffled)).sample(tools, len(tools))), 100),
        ]
        random.Random(str(shuffled)).shuffle(layers)
        prompts.add(assemble(layers, Approximate()).prompt)
    assert len(prompts) == 1


def test_a_link_that_was_checked_out_as_a_tiny_file_is_never_the_instructions(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("The real rules.")
    (tmp_path / "CLAUDE.md").write_text("AGENTS.md")
    assert [unit.text for unit in collect(tmp_path).units] == ["The real rules."]
    (tmp_path / "AGENTS.md").write_text("CLAUDE.md")
    (tmp_path / "CLAUDE.md").write_text("The real rules.")
    assert [unit.text for unit in collect(tmp_path).units] == ["The real rules."]


def test_a_rewrite_of_the_same_size_with_an_old_time_is_seen(tmp_path: Path) -> None:
    """Where freshness is the equality of mtimes, such a rewrite is invisible for ever."""
    cache, file = InstructionCache(), tmp_path / "AGENTS.md"
    file.write_text("v1")
    stamp = file.stat().st_mtime_ns
    assert [unit.text for unit in load(cache, "", tmp_path).files.units] == ["v1"]
    for text, time in (("v2", stamp), ("v3", stamp - 9 * 3600 * 10**9)):
        file.write_text(text)
        os.utime(file, ns=(time, time))
        assert [unit.text for unit in load(cache, "", tmp_path).files.units] == [text]
    file.unlink()
    assert load(cache, "", tmp_path).files.units == ()
    file.write_text("v1")
    os.utime(file, ns=(stamp, stamp))
    assert [unit.text for unit in load(cache, "", tmp_path).files.units] == ["v1"]
    file.write_bytes(b"v\xff")
    found = load(cache, "", tmp_path).files
    assert found.units == () and found.skipped[0].why == "not UTF-8 (byte 1)"


def test_one_file_under_two_names_and_behind_a_link_upwards_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("X")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/AGENTS.md").symlink_to("../CLAUDE.md")
    (tmp_path / "docs").symlink_to("..")
    (tmp_path / "self").symlink_to(".")
    found = collect(tmp_path)
    assert [unit.text for unit in found.units] == ["X"]
    assert [(file.path, file.why) for file in found.skipped] == [("sub/AGENTS.md", "the same file as AGENTS.md")]


REBUILD = """
import json, sys
from pathlib import Path
from typing import Any
from tests.unit.test_context_cases import rebuilt
print(json.dumps(rebuilt(Path(sys.argv[1]))))
"""


def rebuilt(workspace: Path) -> list[str]:
    """The prompts' hashes of one session, turn by turn, as a process of its own makes them."""
    memory, hashes = begun(workspace=str(workspace)), []
    builder = ContextBuilder(memory, memory)
    for number in range(5):
        turn(memory, number, f"output {number} 漢字 " * 90)
        request = {"workspace": str(workspace), "budgets": {"task_state": 900}, "tokenizer": "tiktoken:o200k_base"}
        manifest, _ = ask(memory, builder, **request)
        hashes.append(manifest.prompt_sha256)
        memory.add("context.built", manifest=manifest.model_dump(mode="json"))
    return hashes


def test_two_processes_with_other_hash_seeds_rebuild_a_session_to_the_same_prompts(tmp_path: Path) -> None:
    for folder in ("", "a", "b/c", "z", "node_modules/m"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "AGENTS.md").write_text(f"Rules of <{folder}>.")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "shop"\n[tool.pytest.ini_options]\n[tool.ruff]\n')
    (tmp_path / "package.json").write_text(json.dumps({"scripts": {"test": "vitest", "build": "vite build"}}))
    found = [rebuilt(tmp_path)]
    root = str(Path(__file__).parents[2])
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{root}{os.pathsep}{root}/contracts"}
        done = subprocess.run(
            [sys.executable, "-c", REBUILD, str(tmp_path)], capture_output=True, text=True, env=environment, cwd=root
        )
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout))
    assert len(found[0]) == 5 and all(hashes == found[0] for hashes in found)


def test_the_prompt_of_an_old_turn_is_rebuilt_byte_for_byte_after_its_files_are_gone(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("The old text.")
    memory = begun(workspace=str(tmp_path))
    first, before = ask(memory, workspace=str(tmp_path))
    memory.add("context.built", manifest=first.model_dump(mode="json"))
    (tmp_path / "AGENTS.md").write_text("The new text.")
    second, after = ask(memory, workspace=str(tmp_path))
    (tmp_path / "AGENTS.md").unlink()
    for manifest, told in ((first, before), (second, after)):
        texts = {name: memory.blobs[name].decode() for name in prompt.hashes(manifest)}
        assert prompt.messages(manifest, texts) == told
        assert prompt.prompt_sha256(told) == manifest.prompt_sha256
    assert "The old text." in before[0]["content"] and "The new text." in after[0]["content"]
    [change] = second.changed
    assert change.path == "AGENTS.md"
    assert change.old is not None and "The old text." in memory.blobs[change.old].decode()
    assert change.new is not None and "The new text." in memory.blobs[change.new].decode()
