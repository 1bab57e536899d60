"""The devkit's door: python -m devkit."""

from devkit.cli import main

main()
