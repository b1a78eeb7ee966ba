"""A mask is never written where a secret was, and a file keeps the bytes that no text shows."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.tool_loop.tools import ToolContext, ToolResult, registry
from services.tool_loop.tools.masks import note
from shared.workspace import sha256

TOOLS = registry()
KEY = "sk-proj-" + "Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5"
ENV = f"OPENAI_API_KEY={KEY}\nMODE=a\n"
URL = "db = 'postgresql://app:s3cretPa55@db/x'\nMODE = 'a'\n"


def put(root: Path, name: str, content: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_bytes(content.encode())


def seen(root: Path) -> ToolContext:
    files = [file for file in root.rglob("*") if file.is_file()]
    return ToolContext(root, seen={file.relative_to(root).as_posix(): sha256(file.read_bytes()) for file in files})


async def write(root: Path, name: str, content: str) -> ToolResult:
    return await TOOLS["write_file"].run({"path": name, "content": content}, seen(root))


async def edit(root: Path, name: str, old: str, new: str) -> ToolResult:
    return await TOOLS["edit_file"].run({"path": name, "old_text": old, "new_text": new}, seen(root))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (".env", ENV, "OPENAI_API_KEY=***\nMODE=b\n"),
        (".env", ENV, "MODE=b\nexport OPENAI_API_KEY='***'\n"),
        ("conf.py", URL, "db = 'postgresql://app:***@db/x'\nMODE = 'b'\n"),
        ("notes.md", f"# Keys\n\n***\n\nUse `{KEY}`.\n", "# Keys\n\n***\n\nUse `***` here.\n"),
    ],
)
async def test_a_file_with_a_secret_is_not_replaced_by_one_with_its_mask(
    tmp_path: Path, name: str, old: str, new: str
) -> None:
    put(tmp_path, name, old)
    result = await write(tmp_path, name, new)
    assert (result.status, result.error_class) == ("refused", "masked_secret")
    assert "edit_file" in result.text and "run_command" in result.text
    assert (tmp_path / name).read_text() == old
    assert KEY not in result.text and "s3cretPa55" not in result.text


async def test_the_way_out_that_is_told_leads_out(tmp_path: Path) -> None:
    put(tmp_path, ".env", ENV)
    assert (await edit(tmp_path, ".env", "MODE=a", "MODE=b")).status == "ok"
    assert (tmp_path / ".env").read_text() == ENV.replace("MODE=a", "MODE=b")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (".env", ENV, "MODE=b\n"),
        (".env", ENV, "OPENAI_API_KEY=$KEY\nMODE=b\n"),
        ("a.md", f"Use {KEY}.\n", "# A\n\n***\n\nSet ***your own*** key.\n"),
        ("a.md", "PASSWORD=***\n", "PASSWORD=***\nMODE=***\n"),
        ("a.c", f'/*** one */ char *k = "{KEY}";\n', "/*** one */ /**** two ***/ char *k = load();\n"),
    ],
)
async def test_a_secret_that_is_taken_out_on_purpose_and_other_stars_are_written(
    tmp_path: Path, name: str, old: str, new: str
) -> None:
    put(tmp_path, name, old)
    assert (await write(tmp_path, name, new)).status == "ok"
    assert (tmp_path / name).read_text() == new


async def test_a_new_file_takes_no_masked_line_from_another(tmp_path: Path) -> None:
    put(tmp_path, ".env", ENV)
    result = await write(tmp_path, "deploy/prod.env", "OPENAI_API_KEY=***\nMODE=b\n")
    assert (result.error_class, "cp, sed" in result.text) == ("masked_secret", True)
    assert not (tmp_path / "deploy").exists()
    assert (await write(tmp_path, ".env.example", "OPENAI_API_KEY=***\nMODE=b\n")).status == "ok"
    assert (await write(tmp_path, "stars.txt", "RATING=***\n")).status == "ok"


async def test_an_edit_brings_no_masked_line(tmp_path: Path) -> None:
    put(tmp_path, ".env", ENV)
    put(tmp_path, "other.env", "MODE=a\n")
    for name in (".env", "other.env"):
        result = await edit(tmp_path, name, "MODE=a", "OPENAI_API_KEY=***\nMODE=b")
        assert result.error_class == "masked_secret"
    assert (await edit(tmp_path, "other.env", "MODE=a", "RATING=***")).status == "ok"


@given(lines=st.lists(st.sampled_from(["A=1", "OPENAI_API_KEY=***", "x: ***", "***", "", "# note"]), max_size=8))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_a_write_never_leaves_a_masked_key_in_place_of_the_key(tmp_path: Path, lines: list[str]) -> None:
    put(tmp_path, ".env", ENV)
    await write(tmp_path, ".env", "\n".join(lines))
    now = (tmp_path / ".env").read_text()
    assert KEY in now or "=***" not in now


def test_a_command_that_wrote_a_mask_is_told_so(tmp_path: Path) -> None:
    put(tmp_path, ".env", "OPENAI_API_KEY=***\n")
    context = ToolContext(tmp_path)
    assert ".env" in note("cat > .env <<'E'\nOPENAI_API_KEY=***\nE", [".env"], context)
    assert ".env" in note("sed -i 's/OPENAI_API_KEY=.*/OPENAI_API_KEY=***/' .env", [".env"], context)
    assert note("touch .env", [".env"], context) == ""
    assert note("echo '***' >> .env", [".env"], context) == ""
    assert note("grep -c OPENAI_API_KEY=*** .env", [], context) == ""


async def test_a_whole_write_keeps_the_line_breaks_and_the_encoding_of_the_file(tmp_path: Path) -> None:
    put(tmp_path, "dos.txt", "one\r\ntwo\r\n")
    assert (await write(tmp_path, "dos.txt", "one\nthree\n")).status == "ok"
    assert (tmp_path / "dos.txt").read_bytes() == b"one\r\nthree\r\n"
    put(tmp_path, "mixed.txt", "one\r\ntwo\n")
    await write(tmp_path, "mixed.txt", "one\nthree\n")
    assert (tmp_path / "mixed.txt").read_bytes() == b"one\nthree\n"
    (tmp_path / "old.txt").write_bytes("preço\n".encode("latin-1"))
    assert (await write(tmp_path, "old.txt", "pre\ufffdo\n")).error_class == "bad_text"
    assert (await write(tmp_path, "old.txt", "preço: não\n")).status == "ok"
    assert (tmp_path / "old.txt").read_bytes() == "preço: não\n".encode("latin-1")


async def test_hits_that_lap_over_each_other_are_more_than_one(tmp_path: Path) -> None:
    put(tmp_path, "a.txt", "aaaa\n")
    assert (await edit(tmp_path, "a.txt", "aaa", "b")).error_class == "old_text_not_unique"
    assert (tmp_path / "a.txt").read_text() == "aaaa\n"


def test_a_mask_behind_a_word_of_megabytes_is_found_by_looking_at_the_word_once(tmp_path: Path) -> None:
    put(tmp_path, "conf", "TOKEN=***\n")
    assert "into conf" in note(
        f"echo {'y' * 3_000_000} > big; echo TOKEN=*** > conf", ["big", "conf"], ToolContext(tmp_path)
    )
