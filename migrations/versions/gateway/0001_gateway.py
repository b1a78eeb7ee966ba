"""The first schema of gateway."""

from pathlib import Path

from alembic import op

revision = "gateway_0001"
down_revision = None
branch_labels = ("gateway",)
depends_on = ("store_0001",)


def upgrade() -> None:
    """Create the tables of schema `gateway`."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Remove them."""
    op.get_bind().connection.driver_connection.execute("DROP SCHEMA gateway CASCADE; CREATE SCHEMA gateway")
