"""Moments of an observation that cannot be: a probe in the future, a silence after the probe."""

from fleet.errors import ErrorList
from fleet.load.names import Spot
from fleet.model.moment import seconds_of
from fleet.model.observation import ClusterObservation

CLOCK_SECONDS = 300
"""How much the clocks of who probes and who plans may differ."""


def check_moments(observation: ClusterObservation, now: int | None, errors: ErrorList) -> None:
    """Notes every moment that is later than it can be; each would hold a dead cluster alive.

    **Units**: `now` in seconds since 1970; None where nobody said it.
    """
    spec = observation.spec
    said = {
        "observedAt": spec.observed_at,
        "probedAt": spec.probed_at,
        "unreachableSince": spec.unreachable_since,
        "reachableSince": spec.reachable_since,
    }
    for field, moment in said.items():
        if moment is None:
            continue
        spot = Spot.of(observation.origin, "spec", field)
        if field.endswith("Since") and seconds_of(moment) > seconds_of(spec.asked_at):
            sentence = f"'{moment}' is later than the last probe, '{spec.asked_at}'"
            spot.fault(errors, sentence, "nobody can have seen that yet")
        elif now is not None and seconds_of(moment) > now + CLOCK_SECONDS:
            sentence = f"'{moment}' is in the future of the run"
            spot.fault(
                errors, sentence, "a probe notes when it asked; 300 s of clock skew are allowed"
            )
