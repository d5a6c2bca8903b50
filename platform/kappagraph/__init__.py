"""The command line: agreement and graph scores from files, without database or Django."""
