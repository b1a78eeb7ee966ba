"""The embedded engine: the wheels' PostgreSQL and NATS, started by us under one data directory."""
