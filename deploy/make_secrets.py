"""Makes the passwords of a deployment, once: a folder of files for Docker Compose's and Kubernetes' secrets.

    python3 deploy/make_secrets.py [FOLDER] [--database HOST:PORT/NAME] [--nats HOST:PORT]

The folder (`deploy/secrets` by default, mode 0700, ignored by git) gets `database_password`, `nats_passwords.conf`,
`roles/<role>` and for each service, the provisioner and the operator the URLs that it is given. What is there stays.
It needs nothing but Python.
"""

import argparse
import os
import secrets
from pathlib import Path

SERVICES = ("gateway", "context_builder", "tool_loop", "gate_runner", "learning", "console")
ROLES = (*(f"arreio_{name}" for name in SERVICES), "arreio_operator", "arreio_maintenance")
NATS_USERS = ("services", "operator", "subscriber", *SERVICES)
NODES = ("nats-0", "nats-1", "nats-2")
ADMIN = "arreio_admin"


def main() -> None:
    """Make what is missing."""
    here = Path(__file__).resolve().parent
    asked = argparse.ArgumentParser(description="Makes the passwords of a deployment, once.")
    asked.add_argument("folder", nargs="?", type=Path, default=here / "secrets", help="where (default: deploy/secrets)")
    asked.add_argument("--database", default="database:5432/arreio", help="HOST:PORT/NAME of PostgreSQL")
    asked.add_argument("--nats", default="nats:4222", help="HOST:PORT of NATS, several with commas")
    asked.add_argument("--tls", action="store_true", help="verify PostgreSQL's certificate, and speak TLS with NATS")
    options = asked.parse_args()
    folder: Path = options.folder
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    database = {ADMIN: kept(folder / "database_password")} | {role: kept(folder / "roles" / role) for role in ROLES}
    nats = {user: kept(folder / "nats" / user) for user in NATS_USERS}
    lines = [f'{variable(user)}: "{password}"' for user, password in nats.items()]
    write(folder / "nats_passwords.conf", "\n".join(lines) + "\n")
    write(folder / "nats_cluster.conf", cluster(kept(folder / "nats" / "route")))
    scheme, query = ("tls", "?sslmode=verify-full") if options.tls else ("nats", "")
    for name in ("provisioner", "operator", *SERVICES):
        role = {"provisioner": ADMIN}.get(name, f"arreio_{name}")
        user = {"provisioner": "services"}.get(name, name)
        hosts = (f"{scheme}://{user}:{nats[user]}@{host}" for host in options.nats.split(","))
        write(folder / name / "ARREIO_DATABASE_URL", f"postgresql://{role}:{database[role]}@{options.database}{query}")
        write(folder / name / "ARREIO_NATS_URL", ",".join(hosts))
    print(folder)  # noqa: T201


def variable(user: str) -> str:
    """The name by which the NATS configuration asks for a user's password."""
    return f"PASSWORD_{user}".upper()


def cluster(password: str) -> str:
    """The part of the NATS configuration that makes three servers one cluster."""
    routes = "".join(f'    "nats://route:{password}@{node}.nats-headless:6222"\n' for node in NODES)
    login = f'{{ user: "route", password: "{password}" }}'
    ports = '  name: arreio\n  listen: "0.0.0.0:6222"\n'
    return f"cluster: {{\n{ports}  authorization: {login}\n  routes: [\n{routes}  ]\n}}\n"


def kept(path: Path) -> str:
    """The password in a file; a new one where there is none. A letter comes first: NATS must not read a number."""
    if not path.exists():
        write(path, f"p{secrets.token_hex(20)}")
    return path.read_text().strip()


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all.

    Its mode lets the container's user read it, the folder's (0700) keeps everybody else of this machine out.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.new")
    beside.write_text(text)
    beside.chmod(0o644)
    os.replace(beside, path)  # noqa: PTH105


if __name__ == "__main__":
    main()
