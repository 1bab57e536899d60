"""Every rule that a model states has words."""

from collections.abc import Iterator

from pydantic import BaseModel

from fleet.load.parse import MODELS
from fleet.load.shapes import fields_at
from fleet.load.wording import FORMS
from fleet.load.words import Words
from fleet.model.workload import WorkloadDocument


def patterns_in(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            yield schema["pattern"]
        for value in schema.values():
            yield from patterns_in(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from patterns_in(value)


def test_every_pattern_of_a_model_has_words() -> None:
    models: list[type[BaseModel]] = [*MODELS.values(), WorkloadDocument]
    patterns: set[str] = set()
    for model in models:
        fields = {name: info for name, info in model.model_fields.items() if name != "origin"}
        for info in fields.values():
            annotation = info.annotation
            if isinstance(annotation, type) and issubclass(annotation, BaseModel):
                patterns.update(patterns_in(annotation.__pydantic_core_schema__))
    assert len(patterns) >= 5
    assert patterns == set(FORMS)


def test_fields_are_found_through_lists_and_options() -> None:
    placement = MODELS["PlacementPolicy"]
    term = ("spec", "affinity", "preferred", 0, "term")
    assert "excludeClusters" in fields_at(placement, term)
    assert "regions" in fields_at(placement, ("spec", "residency"))
    assert "from" in fields_at(MODELS["OverridePolicy"], ("spec", "rules", 0, "patch", 0))
    assert fields_at(placement, ("spec", "nothing", 0)).known == ()
    assert fields_at(placement, ("metadata", "labels", "x")).known == ()
    assert "origin" not in fields_at(placement, ())


def test_nearest_word_among_very_many() -> None:
    words = Words(f"workload-{n}" for n in range(5000))
    assert words.nearest("workload-x77") == words.nearest("workload-x77")
    assert words.hint("Workload-77x").startswith("did you mean 'workload-77")
    assert words.hint("zzz") == ""
