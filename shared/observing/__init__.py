"""What a running service tells of itself: health, metrics and traces. All of it is off unless a setting asks for it."""
