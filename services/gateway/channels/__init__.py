"""Channels: who may speak on them, and how an adapter proves itself."""
