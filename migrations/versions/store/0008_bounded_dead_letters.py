"""Of malformed messages only so many are kept as dead letters; the rest is counted."""

from pathlib import Path

from alembic import op

revision = "store_0008"
down_revision = "store_0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add a table and a bound to the function that keeps them."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Nothing is taken back: older code calls the same function."""
