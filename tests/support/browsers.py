"""The browser that tests need; where there is none they are skipped, and say what is missing."""

import pytest

from services.gate_runner.browser import browser_program
from shared.sandbox import sandbox_works

_LACKING = sandbox_works() or (None if browser_program() else "no browser is installed (apt-get install chromium)")
needs_browser = pytest.mark.skipif(_LACKING is not None, reason=str(_LACKING))
