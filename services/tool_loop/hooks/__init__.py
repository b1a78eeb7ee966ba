"""Hooks: what the operator has asked before and after a call, at the start and at the end of a task."""
