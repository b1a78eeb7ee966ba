"""The pages, a file for each thing that they show."""
