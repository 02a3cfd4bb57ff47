"""Benchmarks: published tables beside ours, one number's run, small runs from here."""
