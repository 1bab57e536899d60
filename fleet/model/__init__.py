"""Frozen values that the rooms hand to each other; nothing here reads, decides or writes."""
