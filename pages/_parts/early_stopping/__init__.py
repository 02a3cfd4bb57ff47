"""The early-stopping page: its run, rules, views and words."""
