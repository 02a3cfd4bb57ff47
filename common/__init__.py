"""What `datasets` and `ssl_core` share: knobs, and compiled functions.

Imports nothing of either, so that data can be loaded without any solver.
"""
