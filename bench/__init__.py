"""Measures: ratios and growth, side by side in one run; nothing here is a test."""
