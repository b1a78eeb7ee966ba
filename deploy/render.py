"""Writes what of the deployment follows from the code: the NATS servers' configurations. `make deployment` runs it."""

from __future__ import annotations

from pathlib import Path

from deploy.make_secrets import NATS_SECRETS, NATS_USERS, variable
from shared.bus.streams import CONSUMERS
from shared.engine.nats_config import render_external

HERE = Path(__file__).resolve().parent


def rendered() -> dict[Path, str]:
    """The texts by file."""
    users = {user: variable(user) for user in NATS_USERS}
    passwords, cluster = "secrets/nats_passwords.conf", "secrets/nats_cluster.conf"
    one = render_external(users, service_consumers=CONSUMERS, includes=[passwords])
    several = render_external(users, service_consumers=CONSUMERS, includes=[passwords, cluster], tls=NATS_SECRETS)
    return {
        HERE / "nats.conf": one,
        HERE.parent / "k8s" / "base" / "nats.conf": one,
        HERE.parent / "k8s" / "overlays" / "clustered" / "nats.conf": several,
    }


if __name__ == "__main__":
    for path, text in rendered().items():
        path.write_text(text)
