"""What the lesson pages are about: their runs, their words, their controls."""
