"""Controls that change a scenario, and what they share."""
