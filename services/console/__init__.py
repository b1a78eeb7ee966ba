"""The console: what an operator sees and does in a browser, behind a login."""
