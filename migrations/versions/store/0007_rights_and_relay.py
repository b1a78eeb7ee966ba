"""What each NATS user may do is remembered, and the relay's lock is for those who may relay."""

from pathlib import Path

from alembic import op

revision = "store_0007"
down_revision = "store_0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add two tables and the function that takes the lock."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Nothing is taken back: older code takes the same lock itself, and this code sees it there."""
