"""The files of a deployment fit their schemas, and what they name is what the code has."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import yaml
from packaging.requirements import Requirement

from arreio.service_process import CONSOLE, service_name
from arreio.service_process import SERVICES as FIVE
from deploy import make_certificates, make_secrets
from deploy.render import rendered
from shared.bus import service_rights
from shared.bus.streams import CONSUMERS
from shared.engine.child import nats_binary
from shared.engine.credentials import ADMIN_ROLE, NATS_USERS
from shared.provision import LOGINS
from shared.settings import PREFIX, Settings
from tests.support.deployment import new_authority

SERVICES = {**FIVE, **CONSOLE}
ROOT = Path(__file__).parent.parent.parent
BIN = Path(sys.executable).parent
HTTP = {"ARREIO_HTTP", "ARREIO_CONSOLE"}
KNOWN = {f"{PREFIX}{name}".upper() for name in Settings.model_fields}
PROXIES = "FORWARDED_ALLOW_IPS"  # uvicorn's own name for who is believed about where a request comes from
OTHERS = ("keda.sh/", "postgresql.cnpg.io/")  # kinds of operators, whose schemas Kubernetes does not bring


def make(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Call deploy/make_secrets.py as someone whose new files are for nobody else."""
    program = [sys.executable, "-I", str(ROOT / "deploy" / "make_secrets.py"), str(folder), *options]
    return subprocess.run(program, umask=0o077, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What deploy/make_secrets.py makes, as docs/deployment.md has it called for a cluster."""
    place = tmp_path_factory.mktemp("secrets")
    new_authority(place / "authority.pem")
    done = make(place / "files")
    assert done.returncode == 0, done.stderr
    done = make(place / "files", "--tls", "--database-ca", str(place / "authority.pem"), "--database", "db:5432/arreio")
    assert done.returncode == 0, done.stderr
    return place / "files"


@pytest.fixture(scope="module", params=["one-node", "clustered"])
def overlay(
    request: pytest.FixtureRequest, secrets: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[dict[str, Any]]:
    """All objects of an overlay, as `kubectl kustomize` builds them."""
    place = tmp_path_factory.mktemp("tree")
    shutil.copytree(ROOT / "k8s", place / "k8s", ignore=shutil.ignore_patterns("files"))
    shutil.copytree(secrets, place / "k8s" / "components" / "secrets" / "files")
    built = subprocess.run(
        [BIN / "kubectl", "kustomize", place / "k8s" / "overlays" / request.param],
        capture_output=True,
        text=True,
        check=True,
    )
    return [one for one in yaml.safe_load_all(built.stdout) if one]


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return found


def pods(objects: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The specifications of all pods, by the name of what makes them."""
    makers = [one for one in objects if "template" in one.get("spec", {})]
    return {one["metadata"]["name"]: one["spec"]["template"]["spec"] for one in makers}


def test_compose_fits_its_schema(compose: dict[str, Any]) -> None:
    schema = files("check_jsonschema") / "builtin_schemas" / "vendor" / "compose-spec.json"
    jsonschema.validate(compose, json.loads(schema.read_text()))


def test_compose_runs_every_service_with_its_own_secrets_and_no_rights(compose: dict[str, Any]) -> None:
    commands = {
        name: one["command"]
        for name, one in compose["services"].items()
        if "arreio" in one["image"]
        if "command" in one
    }
    served = {service_name(command[1]) for command in commands.values() if command[0] == "serve"}
    assert served == set(SERVICES)
    for name, one in compose["services"].items():
        if "command" not in one or "ARREIO_SECRETS_DIR" not in one.get("environment", {}):
            continue
        mine = {pair["source"] for pair in one["secrets"]}
        who = {"provision": "provisioner"}.get(name, name.replace("-", "_"))
        assert mine == {f"{who}_database", f"{who}_nats"}, name
        assert one["read_only"] and one["user"] == "10001:10001" and one["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in one["security_opt"], name
        assert set(one["environment"]) <= KNOWN | {PROXIES}, name
        assert (PROXIES in one["environment"]) == (not one["environment"].keys().isdisjoint(HTTP)), name


def test_every_secret_that_compose_mounts_is_made(compose: dict[str, Any], secrets: Path) -> None:
    for one in compose["secrets"].values():
        assert (secrets / Path(one["file"]).relative_to("deploy/secrets")).is_file(), one
    used = {
        pair["source"] if isinstance(pair, dict) else pair
        for one in compose["services"].values()
        for pair in one.get("secrets", ())
    }
    assert used == set(compose["secrets"])


def test_every_object_fits_the_schema_of_its_kind(overlay: list[dict[str, Any]]) -> None:
    ours = [one for one in overlay if not one["apiVersion"].startswith(OTHERS)]
    assert len(ours) > 20
    for one in ours:
        kubernetes_validate.validate(one, kubernetes_validate.latest_version(), strict=True)


def test_what_a_pod_mounts_and_reads_is_there(overlay: list[dict[str, Any]]) -> None:
    names = {(one["kind"], one["metadata"]["name"]) for one in overlay}
    for name, pod in pods(overlay).items():
        claims = {one["name"] for one in pod.get("volumes", ())}
        for volume in pod.get("volumes", ()):
            if "secret" in volume:
                assert ("Secret", volume["secret"]["secretName"]) in names, name
            if "configMap" in volume:
                assert ("ConfigMap", volume["configMap"]["name"]) in names, name
        for container in pod["containers"]:
            mounts = {one["name"] for one in container["volumeMounts"]} - {"store"}
            assert mounts <= claims, name
            for source in container.get("envFrom", ()):
                if "configMapRef" in source:
                    assert ("ConfigMap", source["configMapRef"]["name"]) in names, name


def test_every_container_is_restricted_but_for_what_the_sandbox_needs(overlay: list[dict[str, Any]]) -> None:
    for name, pod in pods(overlay).items():
        assert pod["securityContext"]["runAsNonRoot"] and not pod["automountServiceAccountToken"], name
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, name
        for container in pod["containers"]:
            context = dict(container["securityContext"])
            if name in ("tool-loop", "gate-runner"):
                assert pod["hostUsers"] is False and context.pop("procMount") == "Unmasked"
                assert context.pop("appArmorProfile") == {"type": "Unconfined"}
                profile = context.pop("seccompProfile")["localhostProfile"]
                assert profile == f"arreio/{(ROOT / 'deploy' / 'seccomp-sandbox.json').name}"
            assert context == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }, name
            assert {"requests", "limits"} <= container["resources"].keys(), name


def test_every_service_is_deployed_with_probes_and_settings_that_exist(overlay: list[dict[str, Any]]) -> None:
    found = {}
    settings = next(
        one for one in overlay if one["kind"] == "ConfigMap" and one["metadata"]["name"].startswith("settings")
    )
    assert set(settings["data"]) <= KNOWN | {PROXIES} and PROXIES in settings["data"]
    for name, pod in pods(overlay).items():
        (container,) = pod["containers"]
        if container.get("args", [""])[0] != "serve":
            continue
        found[service_name(container["args"][1])] = container
        assert {"configMapRef": {"name": settings["metadata"]["name"]}} in container["envFrom"], name
        assert {"startupProbe", "readinessProbe", "livenessProbe"} <= container.keys(), name
        assert {one["name"] for one in container.get("env", ())} <= KNOWN, name
    assert found.keys() == SERVICES.keys()


def test_a_cluster_speaks_tls_by_what_its_processes_and_servers_are_given(overlay: list[dict[str, Any]]) -> None:
    made = {(one["kind"], one["metadata"]["name"].partition("-")[0]): one.get("data", {}) for one in overlay}
    settings, config = made["ConfigMap", "settings"], made["ConfigMap", "nats"]["nats.conf"]
    assert ('"tls": {' in config) == ("ARREIO_NATS_CA" in settings) == ("nats_cluster.conf" in config)
    if "ARREIO_NATS_CA" not in settings:
        return
    assert {"nats.crt", "nats.key", "ca.crt"} <= made["Secret", "nats"].keys()
    place, _, name = settings["ARREIO_NATS_CA"].rpartition("/")
    assert {name, "database_ca.crt"} <= made["Secret", "certificates"].keys()
    for pod in (
        pod for pod in pods(overlay).values() if pod["containers"][0].get("args", [""])[0] in ("serve", "provision")
    ):
        mounts = {one["mountPath"]: one["name"] for one in pod["containers"][0]["volumeMounts"]}
        volumes = {one["name"]: one for one in pod["volumes"]}
        assert volumes[mounts[place]]["secret"]["secretName"] == "certificates"


def test_the_network_lets_every_service_and_commands_by_hand_reach_the_engine(overlay: list[dict[str, Any]]) -> None:
    policies = {one["metadata"]["name"]: one["spec"] for one in overlay if one["kind"] == "NetworkPolicy"}
    selectors = [policies["engine"]["podSelector"], policies["nats"]["ingress"][0]["from"][0]["podSelector"]]
    if "database" in policies:
        selectors.append(policies["database"]["ingress"][0]["from"][0]["podSelector"])
    for selector in selectors:
        (expression,) = selector["matchExpressions"]
        assert set(expression["values"]) == {name.replace("_", "-") for name in SERVICES} | {"provision", "operator"}


def test_commands_by_hand_have_a_place_with_the_operators_secrets(overlay: list[dict[str, Any]]) -> None:
    operator = next(one for one in overlay if one["kind"] == "Deployment" and one["metadata"]["name"] == "operator")
    pod = operator["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    mounted = {one["name"]: one["mountPath"] for one in container["volumeMounts"]}
    volumes = {one["name"]: one.get("secret", {}).get("secretName") for one in pod["volumes"]}
    assert operator["spec"]["replicas"] == 0 and volumes["secrets"] == "operator"
    assert mounted["secrets"] == "/run/secrets" and "readinessProbe" not in container


def test_every_service_of_several_may_lose_one_process_at_a_time(overlay: list[dict[str, Any]]) -> None:
    many = {
        one["metadata"]["name"]
        for one in overlay
        if one["kind"] in ("Deployment", "StatefulSet") and one["spec"]["replicas"] > 1
    }
    budgets = {one["metadata"]["name"] for one in overlay if one["kind"] == "PodDisruptionBudget"}
    assert many == budgets and len(many) in (0, len(SERVICES) + 1)


def test_prometheus_scrapes_every_service_of_both_forms(compose: dict[str, Any]) -> None:
    config = yaml.safe_load((ROOT / "deploy" / "prometheus" / "prometheus.yml").read_text())
    jobs = {
        one["job_name"]: [target for group in one["static_configs"] for target in group["targets"]]
        for one in config["scrape_configs"]
    }
    served = [name for name, one in compose["services"].items() if one.get("command", [""])[0] == "serve"]
    assert sorted(jobs["arreio"]) == sorted(f"{name}:9464" for name in served)
    assert jobs["arreio-up"] == [f"127.0.0.1:{9464 + place}" for place in range(len(SERVICES))]


def test_what_scales_by_a_consumers_lag_names_consumers_that_exist(overlay: list[dict[str, Any]]) -> None:
    scaled = [one for one in overlay if one["kind"] == "ScaledObject"]
    names = {one["metadata"]["name"] for one in overlay if one["kind"] == "Deployment"}
    for one in scaled:
        assert one["spec"]["scaleTargetRef"]["name"] in names
        for trigger in one["spec"]["triggers"]:
            consumer = CONSUMERS[trigger["metadata"]["consumer"]]
            assert consumer.stream == trigger["metadata"]["stream"]


def test_the_files_that_follow_from_the_code_are_up_to_date() -> None:
    for path, text in rendered().items():
        assert path.read_text() == text, f"{path.name}: run `make deployment`"


def test_the_secrets_know_every_role_and_user_of_the_code(secrets: Path) -> None:
    assert set(make_secrets.ROLES) == set(LOGINS) and make_secrets.ADMIN == ADMIN_ROLE
    assert set(make_secrets.NATS_USERS) == set(NATS_USERS)
    assert set(make_secrets.SERVICES) == set(SERVICES) == set(service_rights.SERVICES)
    assert {path.name for path in (secrets / "roles").iterdir()} == set(LOGINS)


def test_what_is_there_stays_with_its_addresses_and_certificates(secrets: Path) -> None:
    before = {path: path.read_text() for path in secrets.rglob("*") if path.is_file()}
    url = before[secrets / "gateway" / "ARREIO_DATABASE_URL"]
    ca = "/run/certificates/database_ca.crt"
    assert url.endswith(f"@db:5432/arreio?sslmode=verify-full&sslrootcert={ca}")
    assert before[secrets / "gateway" / "ARREIO_NATS_URL"].startswith("tls://gateway:")
    assert make(secrets).returncode == 0
    assert {path: path.read_text() for path in secrets.rglob("*") if path.is_file()} == before


def test_tls_without_who_signed_the_databases_certificate_is_refused(tmp_path: Path) -> None:
    done = make(tmp_path / "files", "--tls")
    assert done.returncode == 1 and "--database-ca" in done.stderr


@pytest.fixture
def with_tls(secrets: Path, tmp_path: Path) -> Path:
    """A folder like `secrets` that a test may change."""
    return shutil.copytree(secrets, tmp_path / "own")


def refused(folder: Path, *options: str) -> str:
    """The one line by which a call is refused, which changes nothing."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    done = make(folder, *options)
    assert done.returncode == 1 and not done.stdout
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    (line,) = done.stderr.splitlines()
    return line


def test_what_cannot_be_used_is_refused_in_one_line_before_anything_is_changed(with_tls: Path, tmp_path: Path) -> None:
    (tmp_path / "none.pem").write_text("no certificate")
    (tmp_path / "binary.pem").write_bytes(b"\xff\xfe")
    assert "No such file" in refused(with_tls, "--database-ca", str(tmp_path / "missing.pem"))
    assert "Is a directory" in refused(with_tls, "--database-ca", str(tmp_path))
    for name in ("none.pem", "binary.pem"):
        assert "no PEM file" in refused(with_tls, "--database-ca", str(tmp_path / name))
    for more in ("?sslmode=require", "?connect_timeout=3&sslrootcert=/x"):
        assert "leave ssl" in refused(with_tls, "--database", f"db:5432/arreio{more}")
    (tmp_path / "file").touch()
    assert "file" in make(tmp_path / "file").stderr.splitlines()[0]


def test_the_authority_of_the_database_may_be_the_file_that_is_there(with_tls: Path) -> None:
    file = with_tls / "tls" / "database_ca.crt"
    before = file.read_bytes()
    file.chmod(0o600)  # as an older version left it under a umask
    done = make(with_tls, "--database-ca", str(file))
    assert done.returncode == 0, done.stderr
    assert file.read_bytes() == before and file.stat().st_mode & 0o777 == 0o644


def test_a_database_url_keeps_what_it_says_besides_and_asks_for_verification_once(tmp_path: Path) -> None:
    folder, url = tmp_path / "files", tmp_path / "files" / "gateway" / "ARREIO_DATABASE_URL"
    new_authority(tmp_path / "ca.pem")
    assert make(folder, "--database", "db:5432/arreio?sslmode=verify-full").returncode == 0
    assert make(folder).returncode == 0
    assert url.read_text().endswith("@db:5432/arreio?sslmode=verify-full")
    asked = ("--tls", "--database-ca", str(tmp_path / "ca.pem"), "--database", "db:5432/arreio?connect_timeout=3")
    assert make(folder, *asked).returncode == 0 and make(folder).returncode == 0
    assert url.read_text().partition("?")[2] == (
        "connect_timeout=3&sslmode=verify-full&sslrootcert=/run/certificates/database_ca.crt"
    )


def test_a_certificate_that_is_not_for_a_new_host_is_made_again_and_one_of_ones_own_is_refused(with_tls: Path) -> None:
    certificate, authority = with_tls / "tls" / "nats.crt", with_tls / "tls" / "ca.crt"
    before = certificate.read_bytes(), authority.read_bytes()
    assert make(with_tls, "--nats", "nats:4222").returncode == 0
    assert (certificate.read_bytes(), authority.read_bytes()) == before
    for host in ("nats.example.org", "10.1.2.3"):
        assert not make_certificates.is_for(certificate, host)
        assert make(with_tls, "--nats", f"{host}:4222,nats:4222").returncode == 0
        assert make_certificates.is_for(certificate, host) and make_certificates.is_for(certificate, "nats")
    assert authority.read_bytes() == before[1]
    (with_tls / "tls" / "ca.key").unlink()
    assert "not for other.example.org" in refused(with_tls, "--nats", "other.example.org:4222")


_READER = """
import os, sys
os.setgroups([]), os.setgid(10001), os.setuid(10001)
for name in sys.argv[2:]:
    os.read(os.open(name, os.O_RDONLY, dir_fd=int(sys.argv[1])), 1)
"""


def test_the_containers_user_reads_every_folder_that_it_may_be_given(secrets: Path) -> None:
    assert secrets.stat().st_mode & 0o777 == 0o700  # other users of this machine come no further
    for folder in (path for path in secrets.rglob("*") if path.is_dir()):
        names = [one.name for one in folder.iterdir() if one.name != "ca.key"]
        assert folder.stat().st_mode & 0o777 == 0o755, folder
        assert all((folder / name).stat().st_mode & 0o777 == 0o644 for name in names), folder
        if os.geteuid() == 0:
            # A mount shows the folder as it is, whatever lies above it: an open folder does so too.
            opened = os.open(folder, os.O_PATH)
            reader = [sys.executable, "-I", "-S", "-c", _READER, str(opened), *names]
            done = subprocess.run(reader, pass_fds=[opened], capture_output=True, text=True, check=False)
            os.close(opened)
            assert done.returncode == 0, done.stderr
    assert (secrets / "tls" / "ca.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("config", sorted(rendered()), ids=lambda path: path.parent.name)
def test_nats_itself_takes_its_configuration(config: Path, secrets: Path, tmp_path: Path) -> None:
    shutil.copytree(secrets, tmp_path / "secrets")
    for file in (shutil.copy(config, tmp_path / "nats.conf"), tmp_path / "secrets" / "nats_cluster.conf"):
        text = Path(file).read_text()
        Path(file).write_text(text.replace(make_secrets.NATS_SECRETS, str(tmp_path / "secrets" / "tls")))
    checked = subprocess.run(
        [nats_binary(), "-t", "-c", tmp_path / "nats.conf"],
        env={"SERVER_NAME": "one"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0 and "is valid" in checked.stderr, checked.stderr


def test_the_image_is_made_as_its_linter_wants_it() -> None:
    # Versions of Debian packages are not pinned: the base image's security updates are wanted.
    done = subprocess.run(
        [BIN / "hadolint", "--ignore", "DL3008", ROOT / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_image_holds_what_the_package_needs_and_starts_as_nobody_special() -> None:
    text = (ROOT / "Dockerfile").read_text()
    copied = set(re.findall(r"^COPY (?:--\S+ )?(\w+) \1$", text, re.MULTILINE))
    assert {"contracts", "shared", "services", "migrations", "arreio"} == copied
    assert re.search(r"^USER 10001:10001$", text, re.MULTILINE) and 'ENTRYPOINT ["arreio"]' in text
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {f"!{name}" for name in copied} <= set(ignored)


def test_the_lock_of_the_image_holds_what_builds_it() -> None:
    built_by = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    pins = dict(
        re.findall(r"^([a-z0-9][\w.-]*)==([\w.]+)", (ROOT / "requirements.image.lock").read_text(), re.MULTILINE)
    )
    for need in map(Requirement, built_by):
        assert need.name in pins and need.specifier.contains(pins[need.name]), need


def test_what_the_image_installs_is_locked_as_everything_else_is() -> None:
    def pins(name: str) -> dict[str, str]:
        return dict(re.findall(r"^([a-z0-9][\w.\[\],-]*)==(\S+)", (ROOT / name).read_text(), re.MULTILINE))

    image, whole = pins("requirements.image.lock"), pins("requirements.lock")
    assert len(image) > 60 and image.items() <= whole.items()
    assert not {"pytest", "mypy", "ruff"} & image.keys()


def test_every_setting_is_documented_with_its_default() -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    compose = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    by_compose = dict(re.findall(r"\$\{([A-Z_]+):-(.*?)\}", compose))
    assert set(re.findall(r"`((?:ARREIO|FORWARDED)_[A-Z_]+)`", text)) == KNOWN | by_compose.keys()
    for name in by_compose.keys() - KNOWN - {PROXIES}:
        assert f"| `{name}` | {by_compose[name]} |" in text
    rows = dict(re.findall(r"^\| `(ARREIO_[A-Z_]+)` \| ([0-9.]+|true|info) \|", text, re.MULTILINE))
    rows = {name: default for name, default in rows.items() if name in KNOWN}
    defaults = {
        name: field.default
        for name, field in Settings.model_fields.items()
        if isinstance(field.default, int | float | str)
    }
    assert rows == {
        f"{PREFIX}{name}".upper(): f"{value:g}" if isinstance(value, float) else str(value).lower()
        for name, value in defaults.items()
    }
