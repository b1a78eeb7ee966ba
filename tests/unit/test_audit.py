"""The audit says what is vulnerable, and never takes a package that nobody was asked about for a sound one."""

import json

import pytest

from deploy.audit import LOCK, Audit, audit_of, pinned, read_audit, say


def test_a_vulnerable_package_fails_the_audit_and_is_named() -> None:
    audit = read_audit(
        {
            "dependencies": [
                {"name": "good", "version": "1", "vulns": []},
                {"name": "bad", "version": "2", "vulns": [{"id": "PYSEC-1"}, {"id": "CVE-2"}]},
            ]
        }
    )
    assert audit == Audit({"bad 2": ("PYSEC-1", "CVE-2")}, ("good",), ()) and audit.status == 1
    assert say(audit)[0] == "bad 2: PYSEC-1, CVE-2"


def test_what_could_not_be_asked_about_is_said_and_is_no_success() -> None:
    skipped = {"name": "unseen", "skip_reason": "not found"}
    for others in ([], [{"name": "good", "version": "1", "vulns": []}]):
        audit = read_audit({"dependencies": [skipped, *others]})
        assert audit.status == 2 and say(audit)[-1].startswith("NOT AUDITED") and "1 (unseen)" in say(audit)[-1]


def test_a_sound_image_passes_quietly() -> None:
    audit = read_audit({"dependencies": [{"name": "x", "version": "1", "vulns": []}]})
    assert audit.status == 0 and say(audit) == ["0 vulnerable, 1 with nothing known against them"]


def test_what_is_no_report_is_no_audit() -> None:
    with pytest.raises(KeyError):
        read_audit(json.loads("{}"))
    assert LOCK.is_file()


@pytest.mark.parametrize("answer", ["", "Traceback", "{}", '{"dependencies": []}'])
def test_an_auditor_without_network_has_audited_nothing_and_all_of_the_lock_is_named(answer: str) -> None:
    names = pinned(LOCK.read_text())
    audit = audit_of(answer, names)
    assert len(names) > 60 and audit.status == 2
    assert f"{len(names)} ({', '.join(sorted(names))})" in say(audit)[-1] and say(audit)[-1].startswith("NOT AUDITED")


def test_of_an_answer_that_leaves_some_out_those_are_named() -> None:
    good, bad = {"name": "a-good", "version": "1", "vulns": []}, {"name": "bad", "version": "2", "vulns": [{"id": "X"}]}
    names = pinned("A_good==1 \\\n    --hash=x\nbad==2\nleft.out[more]==3\n")
    assert audit_of(json.dumps({"dependencies": [good, bad]}), names).unknown == ("left.out",)
