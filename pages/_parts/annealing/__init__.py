"""The annealing page: its runs, questions, views and words."""
