"""Static weights: whether they say anything, or all clusters count the same."""

import numpy as np

from fleet.schedule.columns import Mask, Whole


def weights_speak(heavy: Mask, fits: Mask, needed: int | Whole) -> bool:
    """Whether one that must run something has a weight; if none has, all count the same.

    A cluster of a standby region without replicas fits without any room. It says nothing about
    who has a weight: the active region would be left without a candidate.

    **Shape**: `heavy` fit and have a weight; `needed` is how many replicas must fit, one number
    for all or one for each.

    >>> heavy, fits = np.array([True, False]), np.array([True, True])
    >>> weights_speak(heavy, fits, 1), weights_speak(heavy, fits, np.array([0, 1]))
    (True, False)
    """
    if not isinstance(needed, int):
        asked = fits & (needed > 0)
        if np.count_nonzero(asked):
            return bool(np.count_nonzero(heavy & asked))
    return bool(np.count_nonzero(heavy))
