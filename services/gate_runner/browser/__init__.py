"""Shows pages of a workspace in a real browser, in the sandbox and without network, and measures what is seen.

The browser is whatever Chromium is installed; it is optional, and `BrowserUnavailable` says what is missing.
"""

from .browsing import Browsing, render
from .errors import BrowserFailed, BrowserUnavailable
from .rendering import PHONE, SCREEN, Screen, Shown
from .starting import browser_program

__all__ = [
    "PHONE",
    "SCREEN",
    "BrowserFailed",
    "BrowserUnavailable",
    "Browsing",
    "Screen",
    "Shown",
    "browser_program",
    "render",
]
