"""Fixtures of the emission tests."""

import pytest

from tests.emit.engine import Engine


@pytest.fixture
def engine() -> Engine:
    """An engine that carries out everything; a preview where the test says so."""
    return Engine()
