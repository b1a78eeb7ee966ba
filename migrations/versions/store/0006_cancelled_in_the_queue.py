"""A task that was cancelled while it waited behind another of its session ends at once."""

from pathlib import Path

from alembic import op

revision = "store_0006"
down_revision = "store_0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Replace the function that claims a lease."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Nothing is taken back: older code claims by the same function."""
