"""The process in which a document is checked apart from the service."""

import resource
import sys

from .isolated import main

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    sys.exit(main())
