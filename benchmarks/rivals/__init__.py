"""Programs of others that do the same work as ours, run by an interpreter that has them (`benchmarks.beside`)."""
