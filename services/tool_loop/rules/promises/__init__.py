"""The parts of the intent–action reconciler: what a reply shows, its clauses, and what commits in each language."""
