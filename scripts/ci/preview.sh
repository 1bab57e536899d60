#!/usr/bin/env bash
# What an update of the stack would do, from its state and its clusters. Changes nothing.
set -euo pipefail
pulumi stack select "$STACK"
pulumi config set now "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
pulumi preview --diff --non-interactive
