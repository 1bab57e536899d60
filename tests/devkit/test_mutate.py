"""When enough mutants are killed."""

import pytest

from devkit.mutate import sentence, suffices


@pytest.mark.parametrize(
    ("killed", "timeout", "total", "enough"),
    [
        pytest.param(89, 1, 100, True, id="just enough, one by the time limit"),
        pytest.param(89, 0, 100, False, id="one too few"),
        pytest.param(0, 0, 0, False, id="nothing was mutated"),
    ],
)
def test_suffices(killed: int, timeout: int, total: int, *, enough: bool) -> None:
    assert suffices({"killed": killed, "timeout": timeout, "total": total}) is enough


def test_sentence_tells_the_figures() -> None:
    stats = {"killed": 90, "timeout": 1, "total": 100}
    assert sentence(stats) == "killed 91 of 100 mutants (91.0%, at least 90%)"
