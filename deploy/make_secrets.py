"""Makes the passwords of a deployment, once: a folder of files for Docker Compose's and Kubernetes' secrets.

    python3 deploy/make_secrets.py [FOLDER] [--database HOST:PORT/NAME] [--nats HOST:PORT] [--tls --database-ca FILE]

The folder (`deploy/secrets` by default, mode 0700, ignored by git) gets `database_password`, `nats_passwords.conf`,
`roles/<role>` and for each service, the provisioner and the operator the URLs that it is given. What is there stays:
passwords, certificates, and the addresses too where no option says otherwise. `tls` holds certificates, or empty files.
It needs nothing but Python, and for `--tls` the program openssl.
"""

import argparse
import os
import re
import secrets
import ssl
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from deploy import make_certificates

SERVICES = ("gateway", "context_builder", "tool_loop", "gate_runner", "learning", "console")
ROLES = (*(f"arreio_{name}" for name in SERVICES), "arreio_operator", "arreio_maintenance")
NATS_USERS = ("services", "operator", "subscriber", *SERVICES)
NODES = ("nats-0", "nats-1", "nats-2")
ADMIN = "arreio_admin"
NATS_SECRETS = "/etc/nats/secrets"
"""Where NATS' containers see what is theirs."""
_VERIFIED = re.compile(r"[?&]sslmode=verify-full&sslrootcert=(.*)/database_ca\.crt$")
_PRIVATE = "ca.key"


class Addresses(NamedTuple):
    """Where the servers are and whether TLS is spoken with them; `certificates` is the folder that processes see."""

    database: str = "database:5432/arreio"
    nats: str = "nats:4222"
    tls: bool = False
    certificates: str = "/run/certificates"

    def database_url(self, login: str) -> str:
        """PostgreSQL's URL for a user and password."""
        url = f"postgresql://{login}@{self.database}"
        if not self.tls:
            return url
        return f"{url}{'&' if '?' in url else '?'}sslmode=verify-full&sslrootcert={self.certificates}/database_ca.crt"

    def nats_url(self, login: str) -> str:
        """NATS' URL for a user and password."""
        return ",".join(f"{'tls' if self.tls else 'nats'}://{login}@{host}" for host in self.nats.split(","))


def main() -> None:
    """Make what is missing."""
    here = Path(__file__).resolve().parent
    asked = argparse.ArgumentParser(description="Makes the passwords of a deployment, once.")
    asked.add_argument("folder", nargs="?", type=Path, default=here / "secrets", help="where (default: deploy/secrets)")
    asked.add_argument("--database", help="HOST:PORT/NAME of PostgreSQL")
    asked.add_argument("--nats", help="HOST:PORT of NATS, several with commas")
    asked.add_argument(
        "--tls", action=argparse.BooleanOptionalAction, help="verify PostgreSQL's certificate, and speak TLS with NATS"
    )
    asked.add_argument("--database-ca", type=Path, help="a PEM file: who signed PostgreSQL's certificate")
    asked.add_argument("--certificates", help="where processes see the certificates (default: /run/certificates)")
    options = asked.parse_args()
    folder: Path = options.folder
    given = {name: value for name in Addresses._fields if (value := getattr(options, name)) is not None}
    addresses = known(folder)._replace(**given)
    if addresses.tls and (own := re.search(r"[?&](ssl\w+)=", addresses.database)):
        sys.exit(f"--database: leave {own[1]} out, since --tls says how PostgreSQL's certificate is verified")
    authority = None if options.database_ca is None else certificates_of(options.database_ca)
    enterable(folder, 0o700)
    make_tls(folder / "tls", addresses, authority)
    database = {ADMIN: kept(folder / "database_password")} | {role: kept(folder / "roles" / role) for role in ROLES}
    nats = {user: kept(folder / "nats" / user) for user in NATS_USERS}
    lines = [f'{variable(user)}: "{password}"' for user, password in nats.items()]
    write(folder / "nats_passwords.conf", "\n".join(lines) + "\n")
    write(folder / "nats_cluster.conf", cluster(kept(folder / "nats" / "route")))
    for name in ("provisioner", "operator", *SERVICES):
        role = {"provisioner": ADMIN}.get(name, f"arreio_{name}")
        user = {"provisioner": "services"}.get(name, name)
        write(folder / name / "ARREIO_DATABASE_URL", addresses.database_url(f"{role}:{database[role]}"))
        write(folder / name / "ARREIO_NATS_URL", addresses.nats_url(f"{user}:{nats[user]}"))
    for path in folder.rglob("*"):  # also what an older version made
        if path.name != _PRIVATE:
            path.chmod(0o755 if path.is_dir() else 0o644)
    print(folder)  # noqa: T201


def known(folder: Path) -> Addresses:
    """The addresses that the URLs of an earlier call hold; the usual ones where there was none."""
    try:
        database = (folder / "operator" / "ARREIO_DATABASE_URL").read_text().rpartition("@")[2]
        nats = (folder / "operator" / "ARREIO_NATS_URL").read_text().split(",")
    except FileNotFoundError:
        return Addresses()
    tls = nats[0].startswith("tls://")
    verified = _VERIFIED.search(database) if tls else None
    return Addresses(
        database[: verified.start()] if verified else database,
        ",".join(one.rpartition("@")[2] for one in nats),
        tls,
        verified[1] if verified else Addresses().certificates,
    )


def make_tls(folder: Path, addresses: Addresses, authority: str | None) -> None:
    """The certificates, made where they are missing or not for NATS' hosts.

    Without TLS they are empty files, since manifests name them. `authority` says who signed the database's certificate;
    None: what is there stays.
    """
    files = [folder / name for name in make_certificates.FILES]
    enterable(folder, 0o755)
    if authority is not None:
        write(folder / "database_ca.crt", authority)
    for path in (*files, folder / "database_ca.crt"):
        if not path.exists():
            write(path, "")
    if not addresses.tls:
        return
    if not (folder / "database_ca.crt").stat().st_size:
        sys.exit("--tls needs --database-ca FILE: who signed PostgreSQL's certificate")
    hosts = [host.rpartition(":")[0] or host for host in addresses.nats.split(",")]
    there = all(path.stat().st_size for path in files)
    strange = [host for host in hosts if there and not make_certificates.is_for(folder / "nats.crt", host)]
    if strange and not (folder / _PRIVATE).exists():
        sys.exit(f"{folder}/nats.crt is yours, and not for {strange[0]}: put one there that is, with its nats.key")
    if not there or strange:
        make_certificates.make(folder, hosts)


def certificates_of(path: Path) -> str:
    """The text of a PEM file of certificates. Raises SystemExit, in one line, where it is none."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=path)
        return path.read_text()
    except (ssl.SSLError, UnicodeDecodeError):
        sys.exit(f"--database-ca {path}: that is no PEM file of certificates")
    except OSError as error:
        sys.exit(f"--database-ca {path}: {error.strerror}")


def variable(user: str) -> str:
    """The name by which the NATS configuration asks for a user's password."""
    return f"PASSWORD_{user}".upper()


def cluster(password: str) -> str:
    """The part of the NATS configuration that makes three servers one cluster, which speak TLS with each other."""
    routes = "".join(f'    "nats://route:{password}@{node}.nats-headless:6222"\n' for node in NODES)
    login = f'{{ user: "route", password: "{password}" }}'
    ports = '  name: arreio\n  listen: "0.0.0.0:6222"\n'
    names = {"cert_file": "nats.crt", "key_file": "nats.key", "ca_file": "ca.crt"}
    tls = "".join(f'{key}: "{NATS_SECRETS}/{name}", ' for key, name in names.items())
    return f"cluster: {{\n{ports}  tls: {{ {tls}timeout: 5 }}\n  authorization: {login}\n  routes: [\n{routes}  ]\n}}\n"


def kept(path: Path) -> str:
    """The password in a file; a new one where there is none. A letter comes first: NATS must not read a number."""
    if not path.exists():
        write(path, f"p{secrets.token_hex(20)}")
    return path.read_text().strip()


def enterable(folder: Path, mode: int) -> None:
    """Make a folder of this mode, whatever the umask."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(mode)


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all.

    Its mode and its folder's let the container's user read it, also where the folder itself is mounted. The first
    folder (0700) keeps everybody else of this machine out.
    """
    if not path.parent.exists():
        enterable(path.parent, 0o755)
    beside = path.with_name(f"{path.name}.new")
    beside.write_text(text)
    beside.chmod(0o644)
    os.replace(beside, path)  # noqa: PTH105


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
