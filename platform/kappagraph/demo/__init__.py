"""Kappagraph on one machine: embedded PostgreSQL and Valkey, a worker, a clock and the web server."""
