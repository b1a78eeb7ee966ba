"""What is loaded into test runners to see from inside what they do: modules that are copied, and never imported here.

Each takes the key of the run, counts what its runner ran, and signs it once the runner came to its own end, in the form
that `reports.signed` reads. A test that ends the process, or writes a report itself, has nothing to sign it with.
"""
