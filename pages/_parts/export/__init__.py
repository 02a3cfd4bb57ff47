"""What a visitor takes home: script, notebook, table, file and link."""
