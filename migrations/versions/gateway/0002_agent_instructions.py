"""What the operator says to an agent, in one project or in every one, with a version."""

from pathlib import Path

from alembic import op

revision = "gateway_0002"
down_revision = "gateway_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Give `gateway.agent_instructions` its form; rows for agents are kept."""
    op.get_bind().connection.driver_connection.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    """Refused: what is said for one project has no place in the form before."""
    raise NotImplementedError("gateway_0002 cannot be taken back; restore a backup instead")
