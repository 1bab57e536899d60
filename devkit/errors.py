"""The one error that the devkit's commands show as a sentence."""


class DevkitError(Exception):
    """Something is missing or failed; its text says what, and how to get it."""
