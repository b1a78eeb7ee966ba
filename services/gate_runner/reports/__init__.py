"""Reads how many tests ran, which failed and why, from what test runners leave, a file for each form of report."""

from .go_json import read_go
from .jest_json import read_jest
from .junit import read_junit
from .report import Failure, Found, Report, merged
from .signed import read_signed
from .summaries import read_summary

__all__ = ["Failure", "Found", "Report", "merged", "read_go", "read_jest", "read_junit", "read_signed", "read_summary"]
