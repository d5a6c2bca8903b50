"""How a rater worked: speed, runs, the use of levels, and agreement with themself. Numbers, never a verdict."""
