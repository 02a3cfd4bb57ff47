"""The path page: its runs, presets, views and words."""
