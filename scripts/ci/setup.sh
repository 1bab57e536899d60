#!/usr/bin/env bash
# Installs the locked packages; KUBECONFIG_TEXT, a secret, goes to KUBECONFIG_FILE.
set -euo pipefail
make setup
echo "$PWD/.venv/bin" >> "$GITHUB_PATH"
if [[ -n "${KUBECONFIG_TEXT:-}" ]]; then
  mkdir -p "$(dirname "$KUBECONFIG_FILE")"
  (umask 077 && printf '%s\n' "$KUBECONFIG_TEXT" > "$KUBECONFIG_FILE")
fi
