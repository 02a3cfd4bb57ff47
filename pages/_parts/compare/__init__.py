"""Several methods on one setting, side by side."""
