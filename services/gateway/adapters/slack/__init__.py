"""Slack, on slack-bolt: Socket Mode, or signed events by HTTP."""
