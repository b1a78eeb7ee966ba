"""Holds a produced file against a contract of `shared.schemas`, in a process of its own where that may take long."""

from .isolated import check

__all__ = ["check"]
