"""What stands beside the stage; each kind of panel has a module of its own."""
