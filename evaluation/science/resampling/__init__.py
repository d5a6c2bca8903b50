"""Resampling of items (or clusters of items) by drawing pattern counts, never items one by one."""
