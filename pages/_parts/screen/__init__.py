"""What a page with data, labels and methods keeps of its visitor."""
