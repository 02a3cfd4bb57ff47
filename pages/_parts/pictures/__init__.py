"""From a run to what is seen: the stage's view of it, and figures."""
