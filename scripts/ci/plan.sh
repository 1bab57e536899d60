#!/usr/bin/env bash
# The plan as Markdown: for the summary of the run, and in plan.md for the comment. No credentials.
set -euo pipefail
now="$(date -u +%Y-%m-%dT%H:%M:%SZ)"
fleet validate --now "$now"
fleet plan --now "$now" --output markdown > plan.md
cat plan.md >> "$GITHUB_STEP_SUMMARY"
printf '%s\n' "$PR_NUMBER" > pr-number
