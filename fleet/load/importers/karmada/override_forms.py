"""Karmada's override policies as its API has them. Source: pkg/apis/policy/v1alpha1."""

from typing import Annotated, Literal

from pydantic import Field

from fleet.load.importers.karmada.forms import ClusterAffinity, Json, Meta, ResourceSelector, Texts
from fleet.model.base import FileValue, FrozenMap
from fleet.model.source import Origin

Pointer = Annotated[str, Field(pattern="^/")]


class ImagePredicate(FileValue):
    """The one field that is an image."""

    path: Pointer


class ImageOverrider(FileValue):
    """Changes one part of images: all containers', or the one at the predicate's path."""

    predicate: ImagePredicate | None = None
    component: Literal["Registry", "Repository", "Tag"]
    operator: Literal["add", "remove", "replace"]
    value: str = ""


class WordsOverrider(FileValue):
    """Adds words to a container's command or args, or takes equal ones out."""

    container_name: Annotated[str, Field(min_length=1)]
    operator: Literal["add", "remove"]
    value: Texts = ()


class LabelsOverrider(FileValue):
    """Sets labels or annotations; replace and remove touch only those that are there."""

    operator: Literal["add", "remove", "replace"]
    value: FrozenMap[str] = FrozenMap()


class Patch(FileValue):
    """One operation of a JSON patch."""

    path: Pointer = "/"
    operator: Literal["add", "remove", "replace"]
    value: Json = None


class SubPatch(FileValue):
    """One operation inside a field that holds JSON or YAML as text."""

    sub_path: Pointer
    operator: Literal["add", "remove", "replace"]
    value: Json = None


class FieldOverrider(FileValue):
    """Patches the JSON or YAML that a text field holds."""

    field_path: Pointer
    json_: Annotated[tuple[SubPatch, ...], Field(alias="json")] = ()
    yaml: tuple[SubPatch, ...] = ()


class Overriders(FileValue):
    """Changes, in the order in which they run: as the fields stand here, plaintext last."""

    image_overrider: tuple[ImageOverrider, ...] = ()
    command_overrider: tuple[WordsOverrider, ...] = ()
    args_overrider: tuple[WordsOverrider, ...] = ()
    labels_overrider: tuple[LabelsOverrider, ...] = ()
    annotations_overrider: tuple[LabelsOverrider, ...] = ()
    field_overrider: tuple[FieldOverrider, ...] = ()
    plaintext: tuple[Patch, ...] = ()


class OverrideRuleForm(FileValue):
    """Changes on the clusters that match; without a target on all."""

    target_cluster: ClusterAffinity | None = None
    overriders: Overriders


class OverrideBody(FileValue):
    """The body of an override policy; `target_cluster` and `overriders` are the old form."""

    resource_selectors: tuple[ResourceSelector, ...] = ()
    override_rules: tuple[OverrideRuleForm, ...] = ()
    target_cluster: ClusterAffinity | None = None
    overriders: Overriders | None = None


class Override(FileValue):
    """An OverridePolicy or a ClusterOverridePolicy."""

    api_version: Literal["policy.karmada.io/v1alpha1"]
    kind: Literal["OverridePolicy", "ClusterOverridePolicy"]
    metadata: Meta
    spec: OverrideBody
    origin: Origin = Field(default=Origin("<memory>"), exclude=True, repr=False)
