"""What `datasets` and `ssl_core` share: knobs, compiled functions, memory.

Imports nothing of either, so that data can be loaded without any solver.
"""
