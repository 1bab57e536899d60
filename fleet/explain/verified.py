"""What was compared with the plan, as a table and as data."""

from collections.abc import Sequence

from fleet.explain.document import Json
from fleet.explain.layout import Block, Mood, Row
from fleet.explain.sentences import counted
from fleet.model.verified import Aspect, Verified

_TITLES = {
    Aspect.PLAN: "the last update",
    Aspect.NAME: "public names",
    Aspect.ENTRY: "entries",
    Aspect.REPLICAS: "replicas",
}
HEADINGS = ("cluster", "subject", "wanted", "seen")


def verified_blocks(found: Sequence[Verified], asked: str) -> list[Block]:
    """A block for each aspect, then whether all agree. `asked` is which name server was asked."""
    blocks = []
    for aspect, title in _TITLES.items():
        rows = tuple(_row(each) for each in found if each.aspect is aspect)
        if rows:
            facts = (asked,) if aspect is Aspect.NAME else ()
            blocks.append(Block(title, facts, "", rows, HEADINGS))
    return [*blocks, Block(_verdict(found))]


def verified_document(found: Sequence[Verified], asked: str) -> Json:
    """The same as data."""
    return {
        "agrees": all(each.agrees for each in found),
        "server": asked,
        "compared": [
            {
                "aspect": str(each.aspect),
                "subject": each.subject,
                "cluster": each.cluster,
                "wanted": each.wanted,
                "seen": each.seen,
                "agrees": each.agrees,
            }
            for each in found
        ],
    }


def _row(each: Verified) -> Row:
    mood = Mood.PLAIN if each.agrees else Mood.BAD
    text = each.seen if each.agrees else f"{each.seen}   differs"
    return Row((each.cluster, each.subject, each.wanted), text, mood=mood)


def _verdict(found: Sequence[Verified]) -> str:
    wrong = sum(not each.agrees for each in found)
    if wrong:
        return f"{wrong} of {counted(len(found), 'comparison')} differ from the plan"
    return f"all {counted(len(found), 'comparison')} agree with the plan"
