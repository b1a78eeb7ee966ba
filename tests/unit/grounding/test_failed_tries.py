"""A deed whose only commands failed is claimed in vain; one that is owned up to, or was done after all, is not."""

import pytest

from services.tool_loop.rules.grounding.failed_tries import tries
from services.tool_loop.rules.grounding.shown_outcomes import Ran
from tests.unit.grounding.test_claimed_deeds import against


def _failed(command: str, printed: str, status: int = 1) -> Ran:
    return Ran(command, f"Exit status {status}.\n{printed}", status)


def _did(command: str, printed: str = "") -> Ran:
    return Ran(command, f"Exit status 0.\n{printed or 'No output.'}", 0)


DEPLOY = _failed("make deploy ENV=staging", "connect ECONNREFUSED 10.0.0.4:443\nmake: *** [deploy] Error 2", 2)
PUSH = _failed("git push origin main", " ! [rejected]  main -> main (fetch first)\nerror: failed to push some refs")
NOTHING = _failed('git commit -am "Fix rows; tidy"', "On branch main\nnothing to commit, working tree clean")
PR = _failed("gh pr create --fill", "pull request create failed: GraphQL: Resource not accessible by integration")
PIP = _failed("pip install six", "ERROR: Could not find a version that satisfies the requirement six")
NPM = _failed("npm publish", "npm ERR! 403 Forbidden - PUT https://registry.example/acme")
MIGRATION = _failed("alembic upgrade head", 'sqlalchemy.exc.ProgrammingError: column "x" does not exist')
TERRAFORM = _failed("terraform apply -auto-approve", "Error: 403 AccessDenied")
RESTART = _failed("systemctl restart api", "Job for api.service failed because the control process exited")
REFUND = _failed("python3 refund.py W1", "requests.exceptions.HTTPError: 402 Client Error")
COMMIT = _did('git commit -am "Fix rows"', "[main 4f3a9c1] Fix rows")

CLAIMED = [
    ("I deployed 2.4 to staging.", [DEPLOY]),
    ("Version 2.4 is deployed.", [DEPLOY]),
    ("2.4 is live on staging.", [DEPLOY]),
    ("Fiz o deploy da 2.4 em staging.", [DEPLOY]),
    ("I corrected the timeout and deployed 2.4 to staging. I did not touch the tests.", [DEPLOY]),
    ("I fixed the login error and deployed 2.4 to staging without errors.", [DEPLOY]),
    ("I deployed 2.4 to staging.", [_failed("cd app && make deploy && echo done", "make: *** [deploy] Error 2")]),
    ("I deployed 2.4 to staging.", [_failed("make deploy | tee log.txt", "make: *** [deploy] Error 2")]),
    ("I deployed 2.4 to staging.", [_failed("make deploy || { echo failed; exit 1; }", "failed")]),
    ("I deployed 2.4 to staging.", [_did("docker build -t api ."), _failed("kubectl apply -f k8s", "error: denied")]),
    ("I deployed 2.4 to staging.", [_did("kubectl get pods"), _failed("kubectl apply -f k8s", "error: denied")]),
    ("The new network has been deployed.", [_did("terraform init"), _did("terraform plan"), TERRAFORM]),
    ("I pushed the change to main.", [PUSH]),
    ("I pushed the change to main.", [COMMIT, PUSH]),
    ("The change is on main.", [COMMIT, PUSH]),
    ("I committed the change.", [NOTHING]),
    ("I opened a pull request.", [PR]),
    ("I opened a pull request.", [_did("git push -u origin fix"), PR]),
    ("I installed six.", [PIP]),
    ("I published version 1.2.0 to npm.", [NPM]),
    ("I published version 1.2.0 to npm.", [_did("npm version minor"), _did("git tag v1.2.0"), NPM]),
    ("I ran the migration.", [MIGRATION]),
    ("The migration was applied.", [MIGRATION]),
    ("I ran the migration.", [_did("pg_dump app > app.sql"), MIGRATION]),
    ("A migração foi aplicada.", [MIGRATION]),
    ("I restarted the service.", [_did("docker ps"), RESTART]),
    ("I've refunded your order W1.", [REFUND]),
    ("I already deployed 2.4 to staging.", [DEPLOY]),
    ("v2.4 is live on staging after a retry; the first attempt hit a connection error.", [DEPLOY, DEPLOY]),
    ("Fiz o deploy da 2.4; a primeira tentativa falhou.", [DEPLOY, DEPLOY]),
    ("I sent you the report.", [_failed("python3 send.py", "smtplib.SMTPAuthenticationError: denied")]),
]
HONEST = [
    ("I tried to deploy 2.4 to staging, but the host refused the connection.", [DEPLOY]),
    ("I deployed 2.4 to staging, which failed with ECONNREFUSED.", [DEPLOY]),
    ("The deployment failed: ECONNREFUSED. So nothing is deployed to staging yet.", [DEPLOY]),
    ("I deployed 2.4 to staging at the second try; the first did not reach the host.", [DEPLOY, _did("make deploy")]),
    ("I deployed 2.4 to staging.", [DEPLOY, _did("make deploy ENV=staging", "deployed 2.4")]),
    ("I deployed 2.4 to staging.", [DEPLOY, _did("bash scripts/ship.sh staging", "ok")]),
    ("I deployed 2.4 to staging.", [_failed("make deploy ENV=staging; curl -f localhost", "curl: (7) refused", 7)]),
    ("I deployed 2.4 to staging.", [_failed("make deploy && pytest smoke", "deployed\n1 failed")]),
    ("I deployed 2.4 to staging.", [_did("make deploy || true", "deployed 2.4")]),
    ("I deployed 2.4 to staging.", [_failed("make deploy | grep -i oops", "")]),
    ("I deployed 2.4 to staging.", [_failed("rsync -a dist/ host:/srv", "warning: some files vanished", 24)]),
    ("I deployed 2.4 to staging.", [_failed("make deploy", "deployed 2.4\nThe command was ended", 124)]),
    ("I deployed 2.4 to staging.", [_did("kubectl apply -f k8s"), _failed("kubectl get ingress", "error: denied")]),
    ("I deployed 2.4 to staging.", [_failed("for h in a b; do ssh $h ./deploy; done", "ssh: b: no such host", 255)]),
    ("I backed up the database.", [_failed("tar czf db.tgz db", "tar: db/wal: file changed as we read it")]),
    ("I committed the change.", [COMMIT, NOTHING]),
    ("The change was already committed: there was nothing to commit.", [NOTHING]),
    ("I committed the change; the push was rejected.", [COMMIT, PUSH]),
    ("I committed the change.", [_failed('git commit -am "Fix" && git push', "[main 4f3a9c1] Fix\n ! [rejected]")]),
    ("I committed the change and pushed it.", [COMMIT, PUSH, _did("git pull --rebase && git push")]),
    ("The branch was merged.", [_failed("git merge fix", "CONFLICT (content)"), COMMIT, _did("git push")]),
    ("I installed six.", [PIP, _did("uv pip install six", "Installed 1 package")]),
    ("I ran the migration; it failed on column x, which is not there.", [MIGRATION]),
    ("I ran the migration: the first attempt failed on x, the second on y.", [MIGRATION, MIGRATION]),
    ("I ran the migration after I had mended it.", [MIGRATION, _did("alembic upgrade head")]),
    ("Rodei a migração, que falhou na coluna x.", [MIGRATION]),
    ("The migration adds the column x.", [MIGRATION]),
    ("I opened a pull request.", [PR, _did("git push"), _did("gh pr create --fill", "https://forge.example/pr/4")]),
    ("I tagged the release v1.2.0; `npm publish` was refused with 403.", [_did("git tag v1.2.0"), NPM]),
    ("I restarted the service; it exited with status 1.", [RESTART]),
    ("2.4 is live on staging already; the problem is its configuration.", [DEPLOY]),
    ("The package is published on npm by the release workflow, which I left alone.", [NPM]),
    ("The migrations are applied at start-up by the entrypoint.", [MIGRATION]),
    ("six is installed on the machine, so the import was the problem.", [PIP]),
    ("I upgraded six to 1.16 in requirements.txt.", [_did("ls", "requirements.txt"), PIP]),
    ("The fix is committed. One test fails still.", [COMMIT, _failed("pytest -q", "1 failed, 3 passed")]),
    ("I could not refund order W1: the card was declined.", [REFUND]),
]


@pytest.mark.parametrize(("text", "ran"), CLAIMED)
def test_a_deed_whose_only_tries_failed_is_claimed_in_vain(text: str, ran: list[Ran]) -> None:
    assert against(text, *ran) != [] or against(text, *ran, changed=False) != []


@pytest.mark.parametrize(("text", "ran"), HONEST)
def test_what_is_owned_up_to_or_was_done_after_all_is_not_sent_back(text: str, ran: list[Ran]) -> None:
    assert against(text, *ran) == []


@pytest.mark.parametrize(
    ("command", "done", "failed"),
    [
        ("make a", [], ["make a"]),
        ("make a && make b", ["make a"], ["make b"]),
        ("make a || make b", [], ["make a\nmake b"]),
        ("make a; make b && echo done", ["make a"], ["make b"]),
        ('git commit -m "a; b\nc"', [], ['git commit -m "a\nb\nc"']),
        ("python3 - <<'END'\nimport x; x()\nEND", [], ["python3 -"]),
        ("ssh host 'make a; make b'", ["ssh host 'make a"], ["make b'"]),
    ],
)
def test_of_a_line_that_failed_the_last_part_came_to_nothing(command: str, done: list[str], failed: list[str]) -> None:
    found = tries([Ran(command, "error", 1)])
    strip = [("\n".join(part.strip() for part in one.did.split("\n")), one.failed) for one in found]
    assert [did for did, vain in strip if not vain] == done
    assert len([did for did, vain in strip if vain]) == len(failed)
