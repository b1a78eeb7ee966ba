"""Channels: who may speak on them, how an adapter proves itself, and the adapters that come with Arreio."""
