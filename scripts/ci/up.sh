#!/usr/bin/env bash
# Carries out what the checkout says, then looks whether it came true. APPROVE, if set, is the
# digest of a plan that somebody consents to; a commit may carry it as well.
set -euo pipefail
now="$(date -u +%Y-%m-%dT%H:%M:%SZ)"
pulumi stack select "$STACK"
pulumi config set now "$now"
if [[ -n "${APPROVE:-}" ]]; then
  if [[ ! "$APPROVE" =~ ^[0-9a-f]{6,64}$ ]]; then
    echo "approve: '$APPROVE' is no digest of a plan" >&2
    exit 2
  fi
  pulumi config set approve "$APPROVE"
fi
pulumi up --yes --skip-preview --continue-on-error --non-interactive
pulumi stack output placements --json > "$RUNNER_TEMP/prior.json"
fleet verify --stack "$STACK" --now "$now" --prior "$RUNNER_TEMP/prior.json" --timeout 300
