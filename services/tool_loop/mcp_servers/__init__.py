"""MCP servers: further tools of a task, under the same hooks, caps, records and bounds as ours."""
