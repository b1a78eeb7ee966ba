"""How Alembic runs here: on the connection that `shared.provision` opened, each owner's branch in its own folder."""

from alembic import context

applied = context.config.attributes["applied"]
connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    version_table="alembic_version",
    version_table_schema="arreio",
    transaction_per_migration=False,
    on_version_apply=lambda step, **_: applied.extend(step.up_revisions),
)
with context.begin_transaction():
    context.run_migrations()
