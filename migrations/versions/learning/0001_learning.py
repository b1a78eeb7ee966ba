"""The first schema of learning."""

from pathlib import Path

from alembic import op

revision = "learning_0001"
down_revision = None
branch_labels = ("learning",)
depends_on = ("store_0001",)


def upgrade() -> None:
    """Create the tables of schema `learning`."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Remove them."""
    op.get_bind().connection.driver_connection.execute("DROP SCHEMA learning CASCADE; CREATE SCHEMA learning")
