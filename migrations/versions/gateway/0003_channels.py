"""Channels with their tokens, the senders that are known on each, and what its adapter uploaded."""

from pathlib import Path

from alembic import op

revision = "gateway_0003"
down_revision = "gateway_0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Give `gateway.channels` its form; senders that were allowed stay so."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Refused: tokens under grace have no place in the form before."""
    raise NotImplementedError("gateway_0003 cannot be taken back; restore a backup instead")
