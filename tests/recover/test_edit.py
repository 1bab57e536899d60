"""The edited state: what is taken, cleared, kept, and what is read back."""

from fleet.recover.decide import Act, Step
from fleet.recover.edit import edited, to_read
from tests.recover.states import a_record, an_export, an_object


def test_each_operation_goes_its_way_and_nothing_else_changes() -> None:
    held = a_record(id="a")
    taken, cleared, kept = an_object(name="a"), an_object(name="b"), an_object(name="c")
    export = an_export(held, creating=[taken, cleared, kept, taken], updating=[held])
    steps = (
        Step(Act.TAKE, taken["urn"], "", "shop/a", (("__fieldManager", "m"),)),
        Step(Act.CLEAR, cleared["urn"], ""),
        Step(Act.KEEP, kept["urn"], ""),
        Step(Act.READ, held["urn"], ""),
        Step(Act.TELL, "", "a leak"),
    )
    before = an_export(held, creating=[taken, cleared, kept, taken], updating=[held])
    result = edited(export, steps)
    assert export == before
    assert [each["resource"] for each in result["deployment"]["pending_operations"]] == [kept]
    added = {**taken, "id": "shop/a", "outputs": {"__fieldManager": "m"}}
    assert result["deployment"]["resources"] == [*export["deployment"]["resources"], added]
    assert to_read(steps) == (taken["urn"], held["urn"])
