"""The commands of the command line, a file a group; each is imported only when it is called."""
