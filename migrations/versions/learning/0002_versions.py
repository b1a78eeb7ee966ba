"""Approved versions have a standing, preconditions and an end; outcomes and uses are counted."""

from pathlib import Path

from alembic import op

revision = "learning_0002"
down_revision = "learning_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and tables; what was proposed before is read from the log again."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Refused: standings, outcomes and uses have no place in the form before."""
    raise NotImplementedError("learning_0002 cannot be taken back; restore a backup instead")
