"""A role prolongs, gives back and expires leases of its own kinds alone."""

from pathlib import Path

from alembic import op

revision = "store_0011"
down_revision = "store_0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Replace the functions that did not ask whose kind a lease is of."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Nothing is taken back: older code calls the functions for its own kinds, or passes over what they leave."""
