"""The Pulumi program: everything is in fleet.program."""

import pulumi

from fleet.program import main

pulumi.run(main)
