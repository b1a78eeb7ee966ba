"""Who may use the console, and the key that signs their sessions."""

from pathlib import Path

from alembic import op

revision = "console_0001"
down_revision = None
branch_labels = ("console",)
depends_on = ("store_0001",)


def upgrade() -> None:
    """Create the tables of schema `console`."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Remove them."""
    op.get_bind().connection.driver_connection.execute("DROP SCHEMA console CASCADE; CREATE SCHEMA console")
