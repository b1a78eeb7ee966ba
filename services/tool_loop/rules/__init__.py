"""The rules of the loop, each a pure module with a version that is recorded with its verdicts."""
