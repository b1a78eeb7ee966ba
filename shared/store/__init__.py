"""The event store: an append-only log in PostgreSQL with its blobs, leases and the projection of tasks."""
