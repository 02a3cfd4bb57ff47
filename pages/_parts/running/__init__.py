"""From a scenario to a finished run: jobs, their turns, and what is kept for others."""
