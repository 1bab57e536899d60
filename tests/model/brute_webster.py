"""Webster by its definition, twice: seat by seat, and among all divisions."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product


def seat_by_seat(
    weights: Sequence[int], seats: int, caps: Sequence[int], start: Sequence[int] | None = None
) -> list[int]:
    """Webster: each seat to the largest weight / (2 x seats + 1); fewer seats, then earlier."""
    given = list(start or [0] * len(weights))
    for _ in range(seats):
        open_places = [n for n in range(len(given)) if weights[n] and given[n] < caps[n]]
        if not open_places:
            break
        given[max(open_places, key=lambda n: (_claim(weights[n], given[n]), -given[n], -n))] += 1
    return given


def _claim(weight: int, seats: int) -> Fraction:
    return Fraction(weight, 2 * seats + 1)


def unmoved(weights: Sequence[int], seats: int, caps: Sequence[int]) -> list[list[int]]:
    """Every division of all seats in which no seat has a better claim elsewhere."""
    parties = list(zip(weights, caps, strict=True))
    found = []
    for counts in product(*(range(cap + 1 if weight else 1) for weight, cap in parties)):
        if sum(counts) == seats:
            given = [
                (_claim(weights[n], count - 1), 1 - count, -n)
                for n, count in enumerate(counts)
                if count
            ]
            wanted = [
                (_claim(weights[n], count), -count, -n)
                for n, count in enumerate(counts)
                if weights[n] and count < caps[n]
            ]
            if not given or not wanted or min(given) > max(wanted):
                found.append(list(counts))
    return found
