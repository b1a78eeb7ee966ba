"""The profile of a model follows its own name, whatever the provider, and a YAML file may say otherwise."""

from pathlib import Path

import pytest

from services.context_builder.tokenizers import ENCODING_FILES
from services.tool_loop.models.capability import (
    ENCODINGS,
    check_profiles,
    is_known,
    own_name,
    resolve,
    size_in_billions,
)
from services.tool_loop.models.errors import CapabilityError


@pytest.mark.parametrize(
    ("model", "name", "mode"),
    [
        ("openai/qwen2.5-coder-0.5b", "small", "slots"),
        ("ollama/qwen2.5-coder:1.5b", "small", "slots"),
        ("ollama/qwen2.5-coder:3b", "weak", "json_schema"),
        ("openrouter/qwen/qwen-2.5-coder-7b-instruct", "middle", "native"),
        ("local/smollm2-135m", "weakest", "slots"),
        ("openai/SmolLM2-135M-Instruct.Q4_1", "weakest", "slots"),
        ("local//models/tiny-270m.gguf", "weakest", "slots"),
        ("local//models/Some-1B.Q4_K_M.gguf", "small", "slots"),
        ("gpt-5", "strong", "native"),
        ("azure/gpt-4o-mini", "middle", "native"),
        ("anthropic/claude-sonnet-4-5", "strong", "native"),
        ("bedrock/anthropic.claude-sonnet-4-5-v1:0", "strong", "native"),
        ("gemini/gemini-2.5-pro", "strong", "native"),
        ("openai/scripted", "middle", "native"),
        ("", "middle", "native"),
    ],
)
def test_a_family_is_known_by_the_models_own_name(model: str, name: str, mode: str) -> None:
    profile = resolve(model)
    assert (profile.name, profile.tool_call_mode) == (name, mode)


def test_the_shipped_profiles_hold_the_table_of_the_specification() -> None:
    found = {name: resolve("any", name) for name in ("strong", "middle", "weak")}
    budgets = {name: profile.budgets for name, profile in found.items()}
    loops = {name: profile.anti_loop for name, profile in found.items()}
    assert [budgets[name].max_steps for name in found] == [200, 120, 60]
    assert [budgets[name].max_tool_calls for name in found] == [400, 240, 120]
    assert [budgets[name].max_calls_per_tool for name in found] == [150, 100, 50]
    assert [budgets[name].max_wall_clock for name in found] == [7200, 7200, 3600]
    assert {budgets[name].max_age for name in found} == {86400}
    assert {budgets[name].input_expires for name in found} == {7 * 86400}
    assert [loops[name].n_repeat for name in found] == [3, 3, 2]
    assert [loops[name].polling_limit for name in found] == [30, 30, 20]
    assert [loops[name].circuit_breaker for name in found] == [5, 4, 3]
    assert [loops[name].progress_budget for name in found] == [25, 15, 10]
    assert {profile.rejected_turns for profile in found.values()} == {3}
    assert {profile.stall for profile in found.values()} == {900}


@pytest.mark.parametrize("name", ["strong", "middle", "weak", "weakest"])
def test_a_prompt_and_a_reply_fit_the_context_of_a_profile(name: str) -> None:
    profile = resolve("any", name)
    assert sum(profile.layer_budgets.values()) + profile.max_output_tokens <= profile.context_tokens


@pytest.mark.parametrize(
    ("name", "billions"),
    [("smollm2-135m", 0.135), ("qwen2.5-coder:0.5b", 0.5), ("llama-3.3-70b-versatile", 70.0), ("gpt-4o", None)],
)
def test_the_size_is_read_from_the_name(name: str, billions: float | None) -> None:
    assert size_in_billions(name) == billions


def test_the_own_name_is_without_provider_and_ending() -> None:
    assert own_name("openrouter/qwen/Qwen2.5:7B") == "qwen2.5:7b"
    assert own_name("local//a/B.GGUF") == "b"


def test_a_named_profile_wins_over_the_family() -> None:
    assert resolve("gpt-5", "weak").tool_call_mode == "json_schema"


def test_an_unknown_profile_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(CapabilityError, match=r"no capability profile 'mighty'.*strong, middle, weak, weakest"):
        resolve("gpt-5", "mighty")


def test_overrides_add_families_and_change_profiles(tmp_path: Path) -> None:
    file = tmp_path / "profiles.yaml"
    file.write_text(
        "profiles:\n"
        "  weak: {extends: weak, temperature: 0.7, budgets: {max_steps: 5}}\n"
        "  house: {extends: weak, escalates_to: openai/gpt-5}\n"
        "families:\n"
        "  - {pattern: 'our-.*', profile: house}\n"
    )
    house = resolve("openai/our-model", overrides=file)
    assert (house.name, house.escalates_to, house.temperature) == ("house", "openai/gpt-5", 0.7)
    assert (house.budgets.max_steps, house.budgets.max_tool_calls) == (5, 120)
    assert resolve("gpt-5", overrides=file).name == "strong"
    assert resolve("openai/our-model").name == "middle"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("profiles: [", "is not YAML"),
        ("profiles: {house: {extends: nobody}}", "'house' extends 'nobody'"),
        ("profiles: {house: {extends: weak, temperature: hot}}", "profiles.house.temperature"),
        ("profiles: {house: {extends: weak, colour: red}}", "profiles.house.colour"),
        ("profiles: {a: {extends: b}, b: {extends: a}}", "does not lead to a profile"),
        ("families: [{pattern: x, profile: nobody}]", "has no profile 'nobody'"),
        ("families: [{pattern: '(', profile: weak}]", "cannot be read"),
        ("families: [{pattern: '(a|a)*$', profile: weak}]", "takes too long"),
        ("profiles: {house: {extends: weak, stall: .inf}}", "profiles.house.stall"),
        ("profiles: {house: {extends: weak, request_timeout: .inf}}", "profiles.house.request_timeout"),
        ("profiles: {house: {extends: weak, correction: .inf}}", "profiles.house.correction"),
        ("profiles: {house: {extends: weak, temperature: .nan}}", "profiles.house.temperature"),
        ("profiles: {house: {extends: weak, layer_budgets: {task_state: -1}}}", "profiles.house.layer_budgets"),
        ("profiles: {house: {extends: weak, max_output_tokens: 8192}}", "max_output_tokens leaves nothing"),
        ("profiles: {house: {extends: weak, tokenizer: guess}}", "profiles.house.tokenizer"),
        ("profiles: {house: {extends: weak, tokenizer: 'tiktoken:nope'}}", "profiles.house.tokenizer"),
        ("profiles: {house: {extends: weak, escalates_to: ''}}", "profiles.house.escalates_to"),
        ("profiles: {house: {extends: weak, self_consistency: 100000}}", "profiles.house.self_consistency"),
        ("profiles: {house: {extends: weak, budgets: {max_steps: true}}}", "profiles.house.budgets.max_steps"),
        ("profiles: " + "[" * 2000, "nested too deeply"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_by_its_field(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "profiles.yaml"
    file.write_text(text)
    with pytest.raises(CapabilityError) as refused:
        resolve("any", overrides=file)
    assert told in refused.value.line()
    assert "\n" not in refused.value.line()


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CapabilityError, match="cannot be read"):
        resolve("any", overrides=tmp_path / "missing.yaml")


@pytest.mark.parametrize(
    ("model", "known"),
    [
        ("openai/scripted", False),
        ("mystery", False),
        ("ollama/our-model:latest", False),
        ("openai/our-7b", True),
        ("openai/gpt-5", True),
        ("openai/qwen2.5-coder-0.5b", True),
        ("groq/mistral-large-latest", True),
    ],
)
def test_a_name_that_only_the_last_family_takes_is_not_known(model: str, known: bool) -> None:
    assert is_known(model) is known


def test_a_family_of_ones_own_makes_a_name_known(tmp_path: Path) -> None:
    file = tmp_path / "profiles.yaml"
    file.write_text("families: [{pattern: mystery, profile: weak}]")
    assert is_known("openai/mystery-1", file)
    check_profiles(file)
    check_profiles(None)


def test_the_profiles_are_checked_before_anything_is_asked(tmp_path: Path) -> None:
    file = tmp_path / "profiles.yaml"
    file.write_text("profiles: {house: {extends: nobody}}")
    with pytest.raises(CapabilityError, match="does not lead to a profile"):
        check_profiles(file)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("profiles: {a: {extends: [weak]}}", "extends ['weak'], which is no name"),
        ("profiles: {a: {extends: {x: 1}}}", "is no name"),
        ("profiles:\n  a: {extends: weak}\n  a: {extends: strong}\n", "'a' stands twice"),
        ("profiles:\n  a: {extends: weak, temperature: 0.1, temperature: 0.9}\n", "'temperature' stands twice"),
    ],
)
def test_what_would_be_lost_or_leads_nowhere_is_told_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "profiles.yaml"
    file.write_text(text)
    with pytest.raises(CapabilityError) as refused:
        check_profiles(file)
    assert told in refused.value.line() and "\n" not in refused.value.line()


def test_a_pattern_that_python_would_match_for_ever_halts_nothing(tmp_path: Path) -> None:
    file = tmp_path / "profiles.yaml"
    file.write_text("families: [{pattern: '(a+)+$', profile: weak}]")
    assert resolve("openai/" + "a" * 60 + "!", overrides=file).name == "middle"


def test_a_stronger_model_that_nobody_serves_is_told_at_the_start(tmp_path: Path) -> None:
    file = tmp_path / "profiles.yaml"
    file.write_text("profiles: {house: {extends: weak, escalates_to: '???'}}")
    with pytest.raises(CapabilityError, match=r"profiles\.house\.escalates_to: no provider is known"):
        check_profiles(file)
    file.write_text("profiles: {house: {extends: weak, escalates_to: openai/whatever-we-serve}}")
    check_profiles(file)


def test_the_tokenizers_of_a_profile_are_those_that_count() -> None:
    assert set(ENCODINGS) == set(ENCODING_FILES)
