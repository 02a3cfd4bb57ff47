"""The landscape: an objective on a plane through three solutions, with routes on it."""
