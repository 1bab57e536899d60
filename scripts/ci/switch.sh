#!/usr/bin/env bash
# Makes REGION the active one: checks it, commits the config to the branch of the run.
set -euo pipefail
fleet plan --stack "$STACK" --now "$(date -u +%Y-%m-%dT%H:%M:%SZ)" --set "activeRegion=$REGION" \
  --output markdown > "$RUNNER_TEMP/plan.md"
cat "$RUNNER_TEMP/plan.md" >> "$GITHUB_STEP_SUMMARY"
pulumi stack select "$STACK"
pulumi config set activeRegion "$REGION"
if [[ -z "$(git status --porcelain -- "Pulumi.$STACK.yaml")" ]]; then
  echo "$REGION is the active region already"
  exit 0
fi
git config user.name "fleet switch"
git config user.email "fleet-switch@users.noreply.github.com"
git add -- "Pulumi.$STACK.yaml"
git commit --quiet --message "activeRegion: $REGION"
git push --quiet origin "HEAD:$BRANCH"
