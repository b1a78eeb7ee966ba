"""`contract: FILE :: SCHEMA` holds when the file fits a JSON Schema, an OpenAPI document or a pydantic model."""

from pathlib import Path
from typing import ClassVar

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import ContractCriterion
from pathspec import GitIgnoreSpec

from shared.canonical import sha256_hex
from shared.schemas import Checked, Unusable, form_of
from shared.schemas.documents import Unreadable, read_document
from shared.schemas.files import contract_files
from shared.verifiers import names_model
from shared.workspace import PathRefused, confine

from ..cheating import Finding
from ..commands import CommandsUnavailable
from ..contracts import check
from ..contracts.pydantic_model import checked_by, telling
from .base import Bench, content_of, failed, not_run, passed


class ContractJudge:
    """Judges `contract`. A contract that cannot be used and that the task did not make is for a person to mend."""

    cheap: ClassVar[bool] = True

    async def judge(self, criterion: ContractCriterion, bench: Bench) -> CriterionResult:
        """See `Judge.judge`."""
        expected = f"{criterion.path} fits {criterion.schema_path}"
        turned = _turned(criterion, bench)
        if turned:
            return failed(criterion, "the contract as it was when the task began", turned)
        try:
            real = confine(bench.workspace, criterion.path).real
            found = await _checked(criterion, real, bench)
        except (PathRefused, Unreadable) as error:
            return failed(criterion, expected, str(error))
        except Unusable as error:
            return not_run(criterion, str(error), expected=expected, environment=_given(criterion, bench))
        except CommandsUnavailable as error:
            return not_run(criterion, str(error), expected=expected, environment=True)
        if not found.problems:
            return passed(criterion)
        lines = [*map(str, found.problems), *([f"… and {found.more} more"] if found.more else [])]
        return failed(criterion, expected, "\n".join(lines))


async def _checked(criterion: ContractCriterion, real: Path, bench: Bench) -> Checked:
    document = read_document(real, produced=True)
    if form_of(criterion.schema_path) != "model":
        return await check(document, real, criterion.schema_path, bench.workspace.resolve())
    tell = telling(criterion.path, criterion.schema_path)
    ran = await bench.commands.run(f"contract: {criterion.path}", tell=tell)
    if ran.limit is not None:
        raise Unreadable(f"checking it was {ran.limit}")
    return checked_by(ran.found, ran.result.output)


def _given(criterion: ContractCriterion, bench: Bench) -> bool:
    """Whether the contract was there before the task began, so that it is not the task's to mend."""
    files = contract_files(bench.workspace, criterion.schema_path)
    return criterion.schema_path.startswith("/") or any(file in (bench.verifiers or {}) for file in files)


def _turned(criterion: ContractCriterion, bench: Bench) -> str:
    """What was done to the files that make the contract, where nothing opens them to change."""
    held, patterns = bench.verifiers or {}, GitIgnoreSpec.from_lines(bench.editable)
    files = contract_files(bench.workspace, criterion.schema_path)
    own = files[: 2 if names_model(criterion.schema_path) else 1]
    was_kept = any(bench.began(file) is not None for file in own)
    found: list[Finding] = []
    for path in files:
        if path in bench.opened or patterns.match_file(path):
            continue
        content = content_of(bench.workspace, path)
        if path in held and content is None:
            found.append(Finding(path, "contract_deleted", criterion.path))
        elif path in held and content is not None and sha256_hex(content) != held[path]:
            found.append(Finding(path, "contract_changed", criterion.path))
        elif path not in held and content is not None and was_kept and bench.began(path) is None:
            found.append(Finding(path, "contract_hidden"))
    return "\n".join(finding.said(bench.language) for finding in found)
