"""An index of the few events that say what a model can do, so that the newest is found in a long log."""

from pathlib import Path

from alembic import op

revision = "store_0003"
down_revision = "store_0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the index."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Drop it again; nothing but speed is lost."""
    op.execute("DROP INDEX arreio.session_events_probes")
