"""The console put together: its service, and what it needs of other services' code."""
