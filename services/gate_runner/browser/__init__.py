"""Shows pages of a workspace in a real browser, in the sandbox and without network, and measures what is seen.

The browser is whatever Chromium is installed; it is optional, and `BrowserUnavailable` says what is missing.
"""

from .errors import BrowserFailed, BrowserUnavailable
from .rendering import PHONE, SCREEN, Screen, Shown, render
from .starting import browser_program

__all__ = [
    "PHONE",
    "SCREEN",
    "BrowserFailed",
    "BrowserUnavailable",
    "Screen",
    "Shown",
    "browser_program",
    "render",
]
