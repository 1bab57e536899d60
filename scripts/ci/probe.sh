#!/usr/bin/env bash
# Asks every cluster. The observed file changes only when a cluster died or came back, which is sure
# after its hold time. A cluster that did not answer in whole is a warning, not a failure of the job.
set -euo pipefail
code=0
fleet probe --stack "$STACK" --origin ci --confirm --when-turned --output markdown \
  > "$RUNNER_TEMP/probe.md" 2> "$RUNNER_TEMP/probe.txt" || code=$?
cat "$RUNNER_TEMP/probe.md" >> "$GITHUB_STEP_SUMMARY"
if [[ "$code" -gt 1 ]]; then
  cat "$RUNNER_TEMP/probe.txt" >&2
  exit "$code"
fi
while IFS= read -r line; do
  echo "::warning::$line"
done < "$RUNNER_TEMP/probe.txt"
