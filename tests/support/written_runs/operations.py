"""Runs in the style of agents that run machines: clusters, clouds, pipelines and packages."""

from .writing import Good, Steps, Stuck, call, rounds


def run(command: str, output: str = "", failed: bool = False):  # type: ignore[no-untyped-def]
    """A command on a machine."""
    return call("run_bash", output, failed, bash_command="", command=command)


def _begin() -> Steps:
    return [
        run("kubectl config current-context", "prod-eu"),
        run("kubectl get deploy", "NAME READY UP-TO-DATE\nweb 1/3 3\napi 2/2 2"),
        run("kubectl describe deploy web", "Replicas: 3 desired | 1 available\nImage: web:14"),
    ]


def _apt_waits_for_its_lock() -> Steps:
    held = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 811 (unattended-upgr)\nE: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?"
    return [
        *_begin(),
        *rounds(6, lambda n: [run("apt-get install -y jq", held, True), run("sleep 20")]),
        run("apt-get install -y jq", "Setting up jq (1.6-2) ..."),
    ]


def _apt_tried_at_once_until_free() -> Steps:
    held = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 99 (apt-get)"
    return [*_begin(), *rounds(4, lambda n: [run("apt-get update", held, True)]), run("apt-get update", "Reading package lists... Done"),
            run("apt-get install -y jq", "Setting up jq (1.6-2) ...")]  # fmt: skip


def _deleted_and_seen_to_be_deleted() -> Steps:
    names = ("old-web", "old-api", "canary", "blue", "debug", "load", "tmp-1", "tmp-2")
    return [
        *_begin(),
        *[run(f"kubectl delete deploy {name}", f'deployment.apps "{name}" deleted') for name in names],
        *[run(f"kubectl get deploy {name}", f'Error from server (NotFound): deployments.apps "{name}" not found', True) for name in names],
        run("kubectl get deploy", "NAME READY\nweb 3/3"),
    ]  # fmt: skip


def _files_removed_and_looked_for() -> Steps:
    names = ("a.log", "b.log", "c.log", "d.log", "e.log", "f.log", "g.log", "h.log", "i.log", "j.log")
    return [
        *[step for name in names for step in (
            run(f"rm /var/log/app/{name}"), run(f"ls /var/log/app/{name}", f"ls: cannot access '/var/log/app/{name}': No such file or directory", True))],
        run("df -h /var", "/dev/sda1 40G 12G 28G 30% /var"),
    ]  # fmt: skip


def _passwords_of_an_archive() -> Steps:
    words = (
        "secret",
        "letmein",
        "dragon",
        "winter",
        "hunter2",
        "qwerty",
        "admin",
        "monkey",
        "abc123",
        "shadow",
        "sunshine",
        "master",
    )
    return [
        run("ls", "backup.7z\nhint.txt"),
        run("cat hint.txt", "a season and a year"),
        *[
            run(f"7z t -p{word} backup.7z", "ERROR: Wrong password : data.sql\nSub items Errors: 1", True)
            for word in words
        ],
        run("7z x -pwinter2019 backup.7z", "Everything is Ok"),
        run("head -1 data.sql", "-- dump"),
    ]


def _a_pipeline_watched_to_its_end() -> Steps:
    return [
        run("git push origin fix", "To gitlab.example:a/b\n   1a2..3b4 fix -> fix"),
        *rounds(14, lambda n: [run("glab ci status", "(running) • 00m 41s test\n(created) deploy")]),
        run("glab ci status", "(success) • 06m 12s test\n(success) • 01m 02s deploy"),
    ]


def _a_rollout_that_never_ends() -> tuple[Steps, Steps]:
    shown = "NAME READY STATUS RESTARTS AGE\nweb-6d4-x 0/1 ImagePullBackOff 0 {}m"
    return _begin(), rounds(45, lambda n: [run("sleep 30"), run("kubectl get pods -l app=web", shown.format(n))])


def _a_deployment_restarted_again_and_again() -> tuple[Steps, Steps]:
    return _begin(), rounds(14, lambda n: [
        run("kubectl rollout restart deploy web", "deployment.apps/web restarted"),
        run("kubectl rollout status deploy web --timeout=60s", "error: timed out waiting for the condition", True),
    ])  # fmt: skip


def _a_health_check_waited_for_in_one_line() -> tuple[Steps, Steps]:
    refused = "curl: (7) Failed to connect to 10.0.3.7 port 443 after 3 ms: Couldn't connect to server"
    return _begin(), rounds(
        30, lambda n: [run(f"sleep {5 + n % 3}; curl -s https://10.0.3.7/health || echo down", f"{refused}\ndown")]
    )


def _apt_lock_for_ever() -> tuple[Steps, Steps]:
    held = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process {} (apt-get)"
    return _begin(), rounds(24, lambda n: [run("sleep 10"), run("apt-get install -y jq", held.format(811), True)])


def _versions_of_a_package_guessed() -> tuple[Steps, Steps]:
    return _begin(), rounds(16, lambda n: [run(f"pip install torchtext==0.{n}.1", f"ERROR: Could not find a version that satisfies the requirement torchtext==0.{n}.1 (from versions: none)\nERROR: No matching distribution found for torchtext==0.{n}.1", True)])  # fmt: skip


def _a_state_lock_of_terraform() -> tuple[Steps, Steps]:
    held = "Error: Error acquiring the state lock\n\nError message: ConditionalCheckFailedException\nLock Info:\n  ID:        5f1c{:04}-aaaa-bbbb-cccc-0123456789ab\n  Who:       ci@runner"
    return _begin(), rounds(14, lambda n: [run("terraform plan -out=p", held.format(n), True), run("terraform init -input=false", "Terraform has been successfully initialized!")])  # fmt: skip


GOOD: dict[str, Good] = {
    "a lock of apt that is waited for": _apt_waits_for_its_lock,
    "a lock of apt tried at once": _apt_tried_at_once_until_free,
    "deleted and seen to be deleted": _deleted_and_seen_to_be_deleted,
    "files removed and looked for": _files_removed_and_looked_for,
    "passwords of an archive": _passwords_of_an_archive,
    "a pipeline watched to its end": _a_pipeline_watched_to_its_end,
}
STUCK: dict[str, Stuck] = {
    "a rollout that never ends": _a_rollout_that_never_ends,
    "a deployment restarted again and again": _a_deployment_restarted_again_and_again,
    "a check waited for in one line": _a_health_check_waited_for_in_one_line,
    "a lock of apt for ever": _apt_lock_for_ever,
    "versions of a package guessed": _versions_of_a_package_guessed,
    "a lock of terraform": _a_state_lock_of_terraform,
}
