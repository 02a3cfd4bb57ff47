"""Figures of annealing: temperature, entropy, beliefs and the loss that deforms."""
