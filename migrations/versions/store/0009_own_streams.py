"""A role that records for itself appends to its own stream alone."""

from pathlib import Path

from alembic import op

revision = "store_0009"
down_revision = "store_0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add a column to the writers, and its check to the append."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Nothing is taken back: older code appends there and nowhere else, and writes rows without the column."""
