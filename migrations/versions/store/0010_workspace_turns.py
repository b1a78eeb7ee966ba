"""Turns at a workspace are taken by a lock that no other role can hold."""

from pathlib import Path

from alembic import op

revision = "store_0010"
down_revision = "store_0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add a table of rows to lock, and the function that does."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Nothing is taken back: older code takes its own lock, which the function takes too."""
