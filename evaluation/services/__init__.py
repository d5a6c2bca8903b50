"""What changes studies, seats, ratings and invitations."""
