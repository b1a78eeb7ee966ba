"""The process in which files are judged apart from the service."""

import resource
import sys

from .apart import main

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    sys.exit(main())
