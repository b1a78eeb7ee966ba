"""The taste critic: named rules of a profile, checked on the HTML, CSS and Markdown that a task changed. It is soft."""

from .critic import Violation, is_page, result_of, returned_before, texts_of, violations
from .rules import Taste, UnusableTaste, read_taste, taste_of

__all__ = [
    "Taste",
    "UnusableTaste",
    "Violation",
    "is_page",
    "read_taste",
    "result_of",
    "returned_before",
    "taste_of",
    "texts_of",
    "violations",
]
