"""What can go wrong with the browser.

ArreioError
├── BrowserUnavailable   there is none here, or it cannot be started: no page was looked at
└── BrowserFailed        it ended, or did not answer in time, while it showed a page
    └── PageFailed       the page is to blame, the browser is well: it cannot be opened, or leads elsewhere
"""

from shared.errors import ArreioError


class BrowserUnavailable(ArreioError):
    """No browser can be had here; the text says what is missing."""


class BrowserFailed(ArreioError):
    """The browser could not show a page; the text says why."""


class PageFailed(BrowserFailed):
    """A page that cannot be opened or does not stay; the browser can show others."""
