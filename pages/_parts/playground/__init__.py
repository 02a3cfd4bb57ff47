"""What only the playground has: its session, its memory and its examples."""
