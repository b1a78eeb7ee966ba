"""The last usable version of each profile's file, pairing codes, and where replies are posted."""

from pathlib import Path

from alembic import op

revision = "gateway_0004"
down_revision = "gateway_0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Give `gateway.profiles` its form; nothing ever wrote to it before."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Refused: what channels were paired and which replies wait has no place in the form before."""
    raise NotImplementedError("gateway_0004 cannot be taken back; restore a backup instead")
