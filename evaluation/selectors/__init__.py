"""What studies and ratings say, read from the database."""
