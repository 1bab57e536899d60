"""The pull request's comment."""

from fleet.explain.markdown import to_markdown
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from tests.builders import a_prior
from tests.explain.outcomes import DIGEST, an_endpoint, an_outcome

BLOCKING = Finding(
    "replacement",
    FrozenMap(
        {"object": "Job/ml/a_b", "workload": "web", "cluster": "eu-1", "field": "spec.<x>|*y*"}
    ),
    blocks=True,
)


def test_the_tables_of_a_pull_request() -> None:
    outcome = an_outcome(
        prior=a_prior({"web": {"eu-1": 1, "us-1": 2}}),
        endpoints=[an_endpoint({"eu-1": (0, 100), "us-1": (100, 0)})],
        findings=[BLOCKING],
    )
    lines = to_markdown(outcome).splitlines()
    assert "**web** 6 of 6 replicas · `policies/web.yaml:1:1`" in lines
    assert "| cluster | replicas | role | why |" in lines
    assert "| eu-1 | 1 -> 4 | active | affinity 60 + already there 25 = 85 |" in lines
    assert "| eu-1 | weight 0 -> 100 | A 192.0.2.1 |" in lines
    assert f"- to consent to this plan: `pulumi config set approve {DIGEST}`" in lines


def test_what_up_leaves_undone_stands_apart() -> None:
    values: dict[str, str | int] = {"workload": "db", "region": "us", "clusters": "us-1"}
    undone = Finding("fence-first", FrozenMap(values | {"index": 0}))
    text = to_markdown(an_outcome(findings=[BLOCKING, undone]))
    bars, rest = text.split("**'pulumi up' leaves this undone and fails: 1 finding**")
    assert "**'pulumi up' refuses it without consent: 1 finding**" in bars
    assert "us-1 is dead" in rest


def test_tables_have_as_many_cells_in_every_line() -> None:
    outcome = an_outcome(endpoints=[an_endpoint({"eu-1": (0, 100)})])
    sizes: set[int] = set()
    for line in [*to_markdown(outcome).splitlines(), ""]:
        if line.startswith("|"):
            sizes.add(line.replace("\\|", "").count("|"))
        else:
            assert len(sizes) <= 1
            sizes.clear()


def test_signs_of_markdown_and_html_are_harmless() -> None:
    text = to_markdown(an_outcome(findings=[BLOCKING]))
    assert "Job/ml/a\\_b" in text
    assert "spec.\\<x>\\|\\*y\\*" in text
