"""A prompt's hash without reading the prompt: it is that of the messages, whatever is in them."""

import json

from arreio_contracts.events import ContextBuilt, Metadata
from arreio_contracts.messages import ContextManifest, LayerManifest, UnitRef
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.prompts import PromptCheck, PromptDiffers
from services.tool_loop.replay import Recorded
from shared.canonical import canonical_json, sha256_hex
from shared.list_hashes import STRIDE, ListHashes
from shared.prompt import TASK_STATE, PromptHashes, messages, prompt_sha256
from tests.support.histories import BlobsInMemory

words = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=20)
awkward = st.text(st.sampled_from('\x00␛\ud800\n"\\é\U0001f600 '), max_size=6)
said = st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "tool"]), "content": words | awkward})
prompts = st.tuples(st.lists(words, max_size=3), st.lists(st.lists(said, max_size=3), max_size=4))


def manifest_of(system: list[str], units: list[str]) -> tuple[ContextManifest, dict[str, str]]:
    """A prompt of these texts, and the texts by their hashes."""
    layers = []
    for name, pieces in (("identity", system), (TASK_STATE, units)):
        refs = tuple(UnitRef(id=f"{name}:{at}", sha256=sha256_hex(text)) for at, text in enumerate(pieces))
        layers.append(LayerManifest(name=name, strategy="keep", budget=1, tokens=1, estimated=True, units=refs))
    texts = {sha256_hex(text): text for text in (*system, *units)}
    found = ContextManifest(layers=tuple(layers))
    return found.model_copy(update={"prompt_sha256": prompt_sha256(messages(found, texts))}), texts


@given(prompts)
def test_the_hash_of_the_joined_texts_is_that_of_the_messages(prompt: tuple[list[str], list[list[object]]]) -> None:
    system, lists = prompt
    manifest, texts = manifest_of(system, [canonical_json(unit) for unit in lists])
    assert PromptHashes().sha256(manifest, texts) == manifest.prompt_sha256


@given(st.lists(prompts, max_size=4))
def test_the_hash_of_a_prompt_does_not_hang_on_the_one_before(
    several: list[tuple[list[str], list[list[object]]]],
) -> None:
    hashed = PromptHashes()
    for system, lists in several:
        manifest, texts = manifest_of(system, [canonical_json(unit) for unit in lists])
        assert hashed.sha256(manifest, texts) == manifest.prompt_sha256


@given(st.lists(st.tuples(st.integers(0, 3 * STRIDE), st.integers(0, 3 * STRIDE), st.integers(0, 2)), max_size=5))
def test_a_list_that_goes_on_from_the_one_before_at_any_place_has_the_hash_of_its_own_text(
    changes: list[tuple[int, int, int]],
) -> None:
    hashed, numbers = ListHashes(), list[int]()
    for kept, added, number in changes:
        numbers = [*numbers[:kept], *[number] * added]
        assert hashed.sha256([f"[{n}]" for n in numbers]) == sha256_hex(canonical_json(numbers))


async def checked(manifest: ContextManifest, texts: dict[str, str]) -> PromptDiffers | None:
    blobs = BlobsInMemory({name: text.encode() for name, text in texts.items()})
    event = Recorded(7, "e7", "t_1", ContextBuilt(manifest=manifest), Metadata(service="tool_loop"))
    return await PromptCheck(blobs).differs(event)


async def test_a_text_that_says_the_same_in_another_form_is_the_same_prompt() -> None:
    manifest, texts = manifest_of(["who"], [json.dumps([{"role": "user", "content": "a"}], indent=1)])
    assert PromptHashes().sha256(manifest, texts) != manifest.prompt_sha256
    assert await checked(manifest, texts) is None


async def test_a_text_that_says_something_else_is_another_prompt() -> None:
    manifest, texts = manifest_of(["who"], [canonical_json([{"role": "user", "content": "a"}])])
    changed = {name: text.replace('"a"', '"b"') for name, text in texts.items()}
    found = await checked(manifest, changed)
    assert found is not None and (found.seq, found.recorded) == (7, manifest.prompt_sha256)
    assert found.rebuilt == prompt_sha256(messages(manifest, changed))
