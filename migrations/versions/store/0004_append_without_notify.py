"""Appends no longer notify within their transaction, so that several share one wait for the disk."""

from pathlib import Path

from alembic import op

revision = "store_0004"
down_revision = "store_0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Replace the function."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Nothing is taken back: of what older code appends, the relay then learns by its poll."""
