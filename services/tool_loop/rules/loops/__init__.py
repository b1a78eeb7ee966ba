"""The rules against loops, each a fold over a task's steps. Source: spec/tool-loop.md, Anti-loop."""
