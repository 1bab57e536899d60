"""What all tests share: hypothesis profiles, the flag that renews golden files."""

import os

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.harness.fixtures"]

os.environ["FLEET_CACHE"] = "off"  # no test reads what an earlier run left in the user's folder

settings.register_profile(
    "ci",
    max_examples=300,
    derandomize=True,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("dev", max_examples=50, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the flag that rewrites the golden files from what the code does now."""
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the golden files anew instead of comparing with them",
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be renewed."""
    return bool(request.config.getoption("--update-golden"))
