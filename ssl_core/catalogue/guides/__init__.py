"""The algorithms explained, a module per family."""
