"""The taste critic: named rules of a profile, checked on the HTML, CSS and Markdown that a task changed. It is soft."""

from .critic import MOST_RETURNS, returned_before, tasted
from .rules import Taste, UnusableTaste, taste_of

__all__ = ["MOST_RETURNS", "Taste", "UnusableTaste", "returned_before", "taste_of", "tasted"]
