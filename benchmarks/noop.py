"""A tool that does nothing, and a tool-loop that offers it: so that a turn costs what the loop itself costs."""
