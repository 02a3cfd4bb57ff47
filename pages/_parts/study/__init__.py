"""What the pages on one topic share: early stopping, annealing, path and jumps."""
