"""Outcome -> text, Markdown, JSON: words only, no thinking.

Every surface is a function of its own module: `table` (the run at a glance), `workload` (one
workload in full), `document` (JSON, and the stack output), `markdown` (a pull request's comment).
"""
