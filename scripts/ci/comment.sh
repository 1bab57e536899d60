#!/usr/bin/env bash
# Comments a plan on its pull request: on the first run a new comment, later the same one.
#
# What is in DIR was made by the code of the pull request and is trusted in nothing: the number has
# to be a number, and of a pull request whose head is the commit that ran.
set -euo pipefail
number="$(head -c 20 "$DIR/pr-number" | tr -d '[:space:]')"
if [[ ! "$number" =~ ^[0-9]{1,10}$ ]]; then
  echo "pr-number holds no number" >&2
  exit 1
fi
head="$(gh pr view "$number" --json headRefOid --jq .headRefOid)"
if [[ "$head" != "$HEAD_SHA" ]]; then
  echo "the head of pull request $number is another commit by now: nothing to say"
  exit 0
fi
body="$(mktemp)"
{ echo "### fleet plan"; echo; head -c 60000 "$DIR/plan.md"; } > "$body"
gh pr comment "$number" --body-file "$body" --edit-last --create-if-none
