"""Makes the certificates by which NATS and its clients speak TLS: an authority of its own, and one for all servers.

It needs the program openssl, and nothing but Python's standard library.
"""

import ipaddress
import subprocess
import tempfile
from pathlib import Path

FILES = ("ca.crt", "nats.crt", "nats.key")
NAMES = ("localhost", "nats", "nats-headless", "*.nats-headless")
NAMESPACE = "arreio"
AUTHORITY_DAYS, SERVER_DAYS = "3650", "825"
_EXTENSIONS = """[req]
distinguished_name = name
prompt = no
[name]
CN = {name}
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth, clientAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = {names}
"""


def make(folder: Path, hosts: list[str]) -> None:
    """Write `ca.crt` and `ca.key` where there is no authority yet, and `nats.crt` and `nats.key` for hosts.

    To renew the servers' certificate, delete it and do it again. The authority's key (mode 0600) is for that alone; no
    manifest mounts it. Raises SystemExit where openssl is missing or refuses.
    """
    names = ",".join(dict.fromkeys(_alternative(host) for host in (*_usual(), *hosts)))
    with tempfile.TemporaryDirectory(dir=folder) as place:
        own, server = Path(place) / "ca.cnf", Path(place) / "server.cnf"
        own.write_text(_EXTENSIONS.format(name="Arreio NATS authority", names=names))
        server.write_text(_EXTENSIONS.format(name="Arreio NATS", names=names))
        authority = ["-CA", str(folder / "ca.crt"), "-CAkey", str(folder / "ca.key")]
        if not (folder / "ca.key").exists():
            if (folder / "ca.crt").exists() and (folder / "ca.crt").stat().st_size:
                raise SystemExit(f"{folder}/ca.crt is not ours, so nats.crt and nats.key are yours to bring too")
            made = [
                "-x509",
                "-config",
                str(own),
                "-extensions",
                "authority",
                "-days",
                AUTHORITY_DAYS,
                *_key(place, "ca"),
            ]
            _openssl("req", *made, "-out", f"{place}/ca.crt")
            _keep(Path(place), folder, {"ca.key": 0o600, "ca.crt": 0o644})
        asked = ["-new", "-config", str(server), *_key(place, "nats"), "-out", f"{place}/nats.csr"]
        _openssl("req", *asked)
        signed = ["-req", "-in", f"{place}/nats.csr", *authority, "-CAcreateserial", "-CAserial", f"{place}/serial"]
        _openssl(
            "x509",
            *signed,
            "-extfile",
            str(server),
            "-extensions",
            "server",
            "-days",
            SERVER_DAYS,
            "-out",
            f"{place}/nats.crt",
        )
        _keep(Path(place), folder, {"nats.key": 0o644, "nats.crt": 0o644})


def is_for(certificate: Path, host: str) -> bool:
    """Whether a server's certificate is for a host; without the program openssl nothing is known against it."""
    kind = "-checkip" if _alternative(host).startswith("IP:") else "-checkhost"
    try:
        asked = ["openssl", "x509", "-noout", "-in", str(certificate), kind, host.strip("[]")]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return True
    return done.returncode == 0 and "does match" in done.stdout


def _usual() -> list[str]:
    services = [f"{name}.{NAMESPACE}{rest}" for name in NAMES[1:] for rest in ("", ".svc", ".svc.cluster.local")]
    return [*NAMES, *services]


def _alternative(host: str) -> str:
    try:
        return f"IP:{ipaddress.ip_address(host.strip('[]'))}"
    except ValueError:
        return f"DNS:{host}"


def _key(place: str, name: str) -> list[str]:
    return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", f"{place}/{name}.key"]


def _keep(source: Path, target: Path, modes: dict[str, int]) -> None:
    for name, mode in modes.items():
        (source / name).chmod(mode)
        (source / name).replace(target / name)


def _openssl(*arguments: str) -> None:
    try:
        done = subprocess.run(["openssl", *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise SystemExit("--tls needs the program openssl, or your own tls/ca.crt, nats.crt and nats.key") from None
    if done.returncode:
        raise SystemExit(f"openssl {arguments[0]}: {done.stderr.strip()}")
