"""Every code of a Check in a drill, with the values it carries; fleet.explain words them.

Values named in the plural are one text, joined by `, `. Seconds and replicas are whole numbers.
"""

DNS_TIME = "dns-time"
"""Until a name leads elsewhere. Values: `total`, `limit`, `detection`, `spread`, `record` (0: no
record changes), `ttl`, `release` (of the lever), `held` (1: a lever keeps a living standby from
being answered), `best` (the longest TTL that passes with 10 s x 3; 0: there is none), `hasty` (that
with 10 s x 1)."""

NOWHERE = "nowhere"
"""A name has no answer that lives, and no update of these files gives it one. Values: `limit`."""

API_NOT_NEEDED = "api-not-needed"
"""The loss of any region that is answered needs no record change. Values: `regions`."""

API_NEEDED = "api-needed"
"""The loss of these regions needs a record change. Values: `regions`, `hopeless` (those whose loss
no change heals)."""

API_NO_HELP = "api-no-help"
"""After the loss of these regions nobody answers, whatever is changed. Values: `hopeless` (empty:
nobody answers today)."""

RTO_TIME = "rto-time"
"""Until a name is answered again. Values: `total`, `limit`, `by_itself` and `by_lever`
(1 or 0; both 0: by an update)."""

NO_ALARM = "no-alarm"
"""Nothing that fleet knows of declares an alarm."""

STANDS = "stands"
"""What is left has all its replicas already, nothing has to start."""

STARTS = "starts"
"""Replicas start elsewhere. Values: `moves`, `seconds`, `limit`, `assumed` (1: by the drill's own
`startSeconds`, 0: as long as the workload's `waitSeconds` lets the update wait)."""

NO_PLACE = "no-place"
"""Replicas have no place afterwards. Values: `short`, `wanted`."""

REFUSED = "refused"
"""The update that declares the loss has faults and is not made. Values: `faults`."""

NO_DATA = "no-data"
"""A workload without volumes of its own, of which no data is declared."""

PRIMARY_LIVES = "primary-lives"
"""What died is a copy of replicated data; the primary lives. Values: `clusters` that died."""

NO_COPY = "no-copy"
"""Every cluster that holds a copy of the data died. Values: `clusters` that died."""

NO_PROMOTION = "no-promotion"
"""The data has no primary: whoever answers may write to the copy."""

DATA_TIME = "data-time"
"""Until another copy may be written to, from the loss on. Values: `seconds`, `limit`, and the
seconds of each of its steps, in their order: `detection` and `spread` (absent where the workload
has no name), `decision`, `capacity` (absent where nothing has to start), `data`."""

DATA_LAG = "data-lag"
"""What another copy lacks. Values: `seconds`, `limit`."""

VOLUMES = "volumes"
"""Data that nothing replicates dies with its cluster. Values: `clusters`, `kind` of the data as it
is declared, and where it is not, the `volumes` that hold it."""

BACK = "back"
"""Everything has a place again, when what died lives again."""

BACK_SHORT = "back-short"
"""Replicas that have a place today have none after the return. Values: `short`, `before`."""

NAME_BACK = "name-back"
"""Who is answered when what died lives again, before another update and after it. Values:
`revived`, `returned`: clusters."""

NAME_BACK_NOWHERE = "name-back-nowhere"
"""A name leads nowhere, at least in part, when what died lives again. Values: `revived`,
`returned`: percent of the answers that do; `by`: empty, or the mode in which that hangs on who
asks, so that nobody knows the percent between 0 and 100."""

BACK_REFUSED = "back-refused"
"""The update after the return has faults. Values: `faults`."""
