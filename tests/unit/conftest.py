"""Property tests are not timed: the machine is shared, and a slow example is no failure."""

from hypothesis import settings

settings.register_profile("arreio", deadline=None)
settings.load_profile("arreio")
