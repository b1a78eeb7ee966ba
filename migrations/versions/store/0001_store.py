"""The event store's first schema."""

from pathlib import Path

from alembic import op

revision = "store_0001"
down_revision = None
branch_labels = ("store",)
depends_on = None


def upgrade() -> None:
    """Create the tables, triggers and functions of schema `arreio`."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Refused: the log is append-only, so no step leads back behind it."""
    raise NotImplementedError("the event store's first schema cannot be taken back; drop the database instead")
