"""From a scenario to a finished run: arrays, jobs, and what is kept for others."""
