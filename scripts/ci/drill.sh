#!/usr/bin/env bash
# Every loss on paper: JUnit for the machine, Markdown for people. Fails where a target is missed.
set -euo pipefail
now="$(date -u +%Y-%m-%dT%H:%M:%SZ)"
code=0
fleet drill --stack "$STACK" --now "$now" --exit-code --output junit > drill.xml || code=$?
fleet drill --stack "$STACK" --now "$now" --output markdown > drill.md || code=$?
cat drill.md >> "$GITHUB_STEP_SUMMARY"
exit "$code"
