"""Holds a produced file against a contract: JSON Schema, OpenAPI, or a pydantic model, a file for each."""

from .checking import Checked, Form, Problem, Unusable, form_of
from .isolated import check

__all__ = ["Checked", "Form", "Problem", "Unusable", "check", "form_of"]
