"""Judges a second time, over the present code with what judges it as the task found it.

So a cheat in the tests, in what steers them or in what they read is found by its outcome and not by its spelling.
"""

from .counts import fewer, newly_skipped
from .former import Contents, Former, Put, all_former, former
from .growing import grew
from .moving import Moves, moved, moves_of
from .products import products
from .putting import FAILED, Putting, putting
from .reached_by_code import added_lines, reaches
from .read_by import Texts, loaded_by_checkers, measures, read_by_checkers
from .renaming import Renames, renamed
from .saying import Sayings, sayings
from .starts import Starts
from .which import Which, asked_for, helps, is_code, may_narrow

__all__ = [
    "FAILED",
    "Contents",
    "Former",
    "Moves",
    "Put",
    "Putting",
    "Renames",
    "Sayings",
    "Starts",
    "Texts",
    "Which",
    "added_lines",
    "all_former",
    "asked_for",
    "fewer",
    "former",
    "grew",
    "helps",
    "is_code",
    "loaded_by_checkers",
    "may_narrow",
    "measures",
    "moved",
    "moves_of",
    "newly_skipped",
    "products",
    "putting",
    "reaches",
    "read_by_checkers",
    "renamed",
    "sayings",
]
