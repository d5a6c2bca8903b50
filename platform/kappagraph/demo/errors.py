"""The one error that ends the demo with a line for people."""


class DemoError(Exception):
    """Something the person at the keyboard can put right; its text says what, where and how."""
