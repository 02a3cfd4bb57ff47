"""The reference: every algorithm explained, and the words of the trade."""
