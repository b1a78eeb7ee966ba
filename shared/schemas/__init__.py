"""Contracts that a produced file is held against: what makes one, whether it can be used, what does not fit."""

from .checking import Checked, Form, Problem, Unusable, form_of

__all__ = ["Checked", "Form", "Problem", "Unusable", "form_of"]
