"""Which texts go together, who is given which, and how balanced that is."""
