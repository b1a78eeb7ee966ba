"""Maintenance prunes by its function alone and deletes nothing by hand; times that no client reads are refused."""

from pathlib import Path

from alembic import op

revision = "store_0005"
down_revision = "store_0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Replace the functions and add the constraint; the grants follow with every provisioning."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Nothing is taken back: older code prunes by the same function, and writes no such time."""
