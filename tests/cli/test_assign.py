"""`--set` spells a config key as `pulumi config set --path` does."""

from typing import Any

import pytest

from fleet.cli.assign import assign

CASES = [
    pytest.param({}, "activeRegion=eu-west-1", {"activeRegion": "eu-west-1"}, id="a word"),
    pytest.param({}, "fleet:activeRegion=a=b", {"activeRegion": "a=b"}, id="with namespace"),
    pytest.param({}, "approve=12345", {"approve": "12345"}, id="digits at the top stay text"),
    pytest.param({}, "down[0]=eu-1", {"down": ["eu-1"]}, id="a new list"),
    pytest.param({"down": ["a"]}, "down[1]=b", {"down": ["a", "b"]}, id="a list grows"),
    pytest.param({"down": ["a", "b"]}, "down[0]=c", {"down": ["c", "b"]}, id="a place changes"),
    pytest.param({"down": "a"}, "down[0]=c", {"down": ["c"]}, id="a word becomes a list"),
    pytest.param(
        {}, "movementBudget.replicasPercent=10", {"movementBudget": {"replicasPercent": 10}}, id="n"
    ),
    pytest.param({}, "activeRegions.web=eu", {"activeRegions": {"web": "eu"}}, id="a map"),
    pytest.param(
        {}, 'activeRegions["a.b"]=eu', {"activeRegions": {"a.b": "eu"}}, id="a dotted key"
    ),
    pytest.param({}, "approve=", {"approve": ""}, id="nothing"),
    pytest.param({}, "x.y=true", {"x": {"y": True}}, id="truth"),
]


@pytest.mark.parametrize(("before", "text", "after"), CASES)
def test_assign_puts_the_value_in_its_place(
    before: dict[str, Any], text: str, after: dict[str, Any]
) -> None:
    assign(before, text)
    assert before == after


FAULTS = [
    pytest.param("activeRegion", "is no KEY=VALUE", id="no value"),
    pytest.param("=x", "is no KEY=VALUE", id="no key"),
    pytest.param("[0]=x", "is no path to a config key", id="no name before the place"),
    pytest.param("down[x]=y", "is no path to a config key", id="a place that is no number"),
    pytest.param("down[2]=y", "skips a place: the list has 0 so far", id="a place too far"),
    pytest.param("down[0].x=y", "does not fit", id="a key below a word"),
]


@pytest.mark.parametrize(("text", "sentence"), FAULTS)
def test_assign_refuses(text: str, sentence: str) -> None:
    raw = {"down": ["eu-1"]} if ".x" in text else {}
    with pytest.raises(ValueError, match=sentence.replace("[", r"\[")):
        assign(raw, text)
