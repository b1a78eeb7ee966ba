"""Whole sessions: copied, imported and pruned; who may write what; dead letters sent again by the relay; cursors."""

from pathlib import Path

from alembic import op

revision = "store_0002"
down_revision = "store_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change and add what 0001 lacks."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Refused: a session that was pruned would look like one that was cut."""
    raise NotImplementedError("the event store cannot be taken back behind pruned sessions; restore a backup instead")
