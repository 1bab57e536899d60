"""Whether static weights say anything."""

import numpy as np
import pytest

from fleet.schedule.columns import Whole
from fleet.schedule.heavy import weights_speak

CASES: dict[str, tuple[list[int], int | list[int], bool]] = {
    "one weight among clusters that all must run something": ([1, 0], 1, True),
    "no weight": ([0, 0], 1, False),
    "the only weight where nothing runs": ([1, 0], [0, 1], False),
    "the only weight where something must run": ([1, 0], [1, 0], True),
    "nothing runs anywhere": ([1, 0], [0, 0], True),
}


@pytest.mark.parametrize(("weights", "needed", "speak"), CASES.values(), ids=CASES)
def test_weights_speak(weights: list[int], needed: int | list[int], speak: bool) -> None:  # noqa: FBT001 - a row
    heavy, fits = np.array(weights) > 0, np.ones(len(weights), dtype=bool)
    asked: int | Whole = needed if isinstance(needed, int) else np.array(needed, dtype=np.int64)
    assert weights_speak(heavy, fits, asked) is speak
