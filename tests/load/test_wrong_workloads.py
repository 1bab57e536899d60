"""Wrong manifests and workloads: for each the start of its error line."""

from collections.abc import Callable

import pytest

from tests.load.texts import a_policy

Faults = Callable[..., list[str]]


MANIFESTS = [
    ("kind: Thing\nmetadata: {name: x}\n", "1:1: apiVersion: is required, but not there"),
    ("apiVersion: v1\nmetadata: {name: x}\n", "1:1: kind: is required, but not there"),
    ("apiVersion: v1\nkind: Secret\n", "1:1: metadata.name: is required, but not there"),
    ("apiVersion: v1\nkind: Secret\nmetadata: {}\n", "3:1: metadata.name: is required"),
    (
        "apiVersion: v1\nkind: Secret\nmetadata: {generateName: x-}\n",
        "3:12: metadata.generateName: a generated name differs on every cluster",
    ),
    ("apiVersion: 1\nkind: Secret\nmetadata: {name: x}\n", "1:1: apiVersion: wants text, not the"),
    ("apiVersion: a/b/c\nkind: S\nmetadata: {name: x}\n", "1:1: apiVersion: 'a/b/c' has not the"),
    (
        "apiVersion: app/v1\nkind: Deployment\nmetadata: {name: x}\n",
        "1:1: apiVersion: 'app/v1' is no API of Kubernetes - 'Deployment' is in 'apps/v1'",
    ),
    (
        "apiVersion: v1\nkind: Deployment\nmetadata: {name: x}\n",
        "2:1: kind: 'v1' has no kind 'Deployment' - 'Deployment' is in 'apps/v1'",
    ),
    (
        "apiVersion: v1\nkind: ConfgMap\nmetadata: {name: x}\n",
        "2:1: kind: 'v1' has no kind 'ConfgMap' - did you mean 'ConfigMap'?",
    ),
    ("apiVersion: v1\nkind: Secret\nmetadata: {name: X_y}\n", "3:12: metadata.name: 'X_y' is no"),
    ("apiVersion: v1\nkind: Secret\nmetadata: {name: 12}\n", "3:12: metadata.name: wants text, "),
    (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: x, namespace: a.b}\n",
        "3:21: metadata.namespace: 'a.b' is no name of a namespace",
    ),
    (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: x, labels: {a: yes}}\n",
        '3:30: metadata.labels.a: wants text, not yes - write "yes"',
    ),
    (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {port: 0644}\n",
        '4:8: data.port: wants text, not the number 0644 - write "0644"',
    ),
    (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: x}\ndata: {a: hunter2!}\n",
        "4:8: data.a: is no base64 - write plain text under 'stringData'",
    ),
    (
        "apiVersion: v1\nkind: Service\nmetadata: {name: x}\nspec: {selector: {a: 1}}\n",
        '4:19: spec.selector.a: wants text, not the number 1 - write "1"',
    ),
    (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec: {containers: [{name: a}]}\n",
        "4:21: spec.containers[0].image: is required, but not there",
    ),
    (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec: {containers: []}\n",
        "4:8: spec.containers: is required, but not there",
    ),
    (
        (
            "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n"
            "spec: {containers: [{name: a, image: b, env: [{name: A, value: 8080}]}]}\n"
        ),
        '4:57: spec.containers[0].env[0].value: wants text, not the number 8080 - write "8080"',
    ),
    (
        (
            "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: x}\n"
            "spec: {minReplicas: 3, maxReplicas: 2, scaleTargetRef: {kind: Deployment, name: x}}\n"
        ),
        "4:24: spec.maxReplicas: maxReplicas 2 is less than minReplicas 3",
    ),
    (
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n",
        "1:1: apiVersion: a kustomization is not rendered",
    ),
    (
        "apiVersion: fleet/v1\nkind: Cluster\n",
        "2:1: kind: 'Cluster' is not known here - it belongs",
    ),
    (
        (
            "apiVersion: batch/v1\nkind: Job\nmetadata: {name: x}\nspec: {parallelism: 3000000000,"
            " template: {spec: {containers: [{name: a, image: b}]}}}\n"
        ),
        "4:8: spec.parallelism: 3000000000 is too large; an API server takes at most 2147483647",
    ),
    (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Values.name }}}\n",
        "3:19: a map stands where the key of a map is wanted, which is a word - a template",
    ),
    ("- 1\n", "1:1: a document is a Kubernetes object with apiVersion, kind and metadata, not"),
    ("a: 1\na: 2\n", "2:1: the key 'a' is already on line 1"),
]


@pytest.mark.parametrize(("text", "start"), MANIFESTS)
def test_wrong_manifest_is_refused(faults: Faults, text: str, start: str) -> None:
    good = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: x}\n"
    found = faults({"workloads/web/x.yaml": text, "workloads/web/y.yaml": good})
    assert any(line.startswith(f"workloads/web/x.yaml:{start}") for line in found), found
    assert all(line.startswith("workloads/web/x.yaml:") for line in found)


UNRENDERED = [
    ("kustomization.yaml", "resources: [x.yaml]\n", "1:1: a kustomization is not rendered"),
    ("Chart.yaml", "apiVersion: v2\nname: x\n", "1:1: apiVersion: a Helm chart is not rendered"),
    ("values.yaml", "replicas: 3\n", "1:1: a Helm chart is not rendered"),
]


@pytest.mark.parametrize(("name", "text", "start"), UNRENDERED)
def test_what_other_tools_make_objects_of_is_one_sentence(
    faults: Faults, name: str, text: str, start: str
) -> None:
    (found,) = faults({f"workloads/web/{name}": text})
    assert found.startswith(f"workloads/web/{name}:{start} - write the rendered objects here")


POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec: {containers: [%s]}\n"
OBJECT = "apiVersion: %s\nkind: %s\nmetadata: {name: x}\nspec: {%s}\n"
DEFINITION = (
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: x}\n"
    "spec: %s\n"
)
PATHS = [
    (POD % "3", "spec.containers[0]: wants a container, not the number 3"),
    (
        POD % "{name: 1, image: b}",
        'spec.containers[0].name: wants text, not the number 1 - write "1"',
    ),
    (POD % "{name: a, image: b, env: x}", "spec.containers[0].env: wants a list, not 'x'"),
    (POD % "{name: a, image: b, env: [x]}", "spec.containers[0].env[0]: wants a map with 'name'"),
    (POD % "{name: a, image: b, env: [{}]}", "spec.containers[0].env[0].name: is required"),
    (POD % "{name: a, image: b, args: [no]}", "spec.containers[0].args[0]: wants text, not no"),
    (POD % "{name: a, image: b, resources: x}", "spec.containers[0].resources: wants a map, not"),
    (OBJECT % ("apps/v1", "Deployment", "replicas: 1"), "spec.template: is required"),
    (OBJECT % ("apps/v1", "Deployment", "template: 3"), "spec.template: wants a map, not"),
    (OBJECT % ("batch/v1", "CronJob", "schedule: x"), "spec.jobTemplate.spec.template: is requir"),
    (OBJECT % ("v1", "Service", "selector: [a]"), "spec.selector: wants a map of text, not a list"),
    (
        OBJECT
        % ("autoscaling/v2", "HorizontalPodAutoscaler", "scaleTargetRef: {kind: A, name: a}"),
        "spec.maxReplicas: is required",
    ),
    (
        OBJECT % ("keda.sh/v1alpha1", "ScaledObject", "scaleTargetRef: {name: 1}"),
        'spec.scaleTargetRef.name: wants text, not the number 1 - write "1"',
    ),
    (
        OBJECT % ("keda.sh/v1alpha1", "ScaledObject", "triggers: []"),
        "spec.scaleTargetRef.name: is required",
    ),
    (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: x}\ndata: {a: , b: aGk=, c: 12}\n",
        "data.c: wants base64 text - write it in quotes",
    ),
    (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\nbinaryData: {a: '?'}\n",
        "binaryData.a: is no base64",
    ),
    (
        DEFINITION % "{group: a.b, names: {kind: T}, versions: [v1]}",
        "spec.versions[0]: wants a ver",
    ),
    (DEFINITION % "{group: a.b, names: T}", "spec.names: wants a map, not 'T'"),
    (
        DEFINITION % "{group: a.b, names: {kind: T}, versions: [{}]}",
        "spec.versions[0].name: is req",
    ),
    (DEFINITION % "{group: a.b}", "spec.names.kind: is required, but not there"),
    (DEFINITION % "{names: {kind: 3}}", "spec.names.kind: wants text, not the number 3"),
    (DEFINITION % "{names: {kind: T}}", "spec.group: is required, but not there"),
    (DEFINITION % "", "spec: is required, but not there"),
    ("apiVersion: v1\nkind: List\nitems: [3]\n", "items[0]: wants a Kubernetes object, not the"),
    ("apiVersion: v1\nkind: Secret\nmetadata: x\n", "metadata: wants a map, not 'x'"),
    (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: x, namespace: 1}\n",
        'metadata.namespace: wants text, not the number 1 - write "1"',
    ),
    (
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a/b}\n",
        "metadata.name: 'a/b' is no name of an object - a name has no '/', '%' or blank",
    ),
]


@pytest.mark.parametrize(("text", "start"), PATHS)
def test_wrong_field_is_named_by_its_path(faults: Faults, text: str, start: str) -> None:
    lines = faults({"workloads/web/x.yaml": text})
    found = [line.split(": ", 1)[1] for line in lines]
    assert any(line.startswith(start) for line in found), found


def test_names_of_roles_may_have_colons(faults: Faults) -> None:
    text = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: 'system:A'}\n"
    assert faults({"workloads/web/x.yaml": text}) == []


def test_sentence_about_a_secret_does_not_show_it(faults: Faults) -> None:
    text = "apiVersion: v1\nkind: Secret\nmetadata: {name: x}\ndata: {a: hunter2!, b: 1234}\n"
    found = faults({"workloads/web/x.yaml": text})
    assert len(found) == 2
    assert not any("hunter2" in line or "1234" in line for line in found)


SELECTOR = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: x}
spec:
  replicas: %s
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: %s}}
    spec: {containers: [{name: a, image: b}]}
"""


@pytest.mark.parametrize(
    ("replicas", "label", "part"),
    [
        ("2", "b", "6:28: spec.selector.matchLabels.app: 'app: a' is not among the labels"),
        ('"2"', "a", "5:3: spec.replicas: wants a whole number, not '2' - write 2 without quotes"),
        ("-1", "a", "5:3: spec.replicas: -1 is negative; it is 0 or more"),
        ("1.5", "a", "5:3: spec.replicas: wants a whole number, not the number 1.5"),
    ],
)
def test_wrong_deployment_is_refused(faults: Faults, replicas: str, label: str, part: str) -> None:
    found = faults({"workloads/web/x.yaml": SELECTOR % (replicas, label)})
    assert len(found) == 1
    assert found[0].startswith(f"workloads/web/x.yaml:{part}")


ACCOUNT = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a%s}\n"
EVERY = a_policy("workloads: ['*']")


def test_object_is_in_one_place_only(faults: Faults) -> None:
    twice = ACCOUNT % "" + "---\n" + ACCOUNT % ", namespace: default"
    assert faults({"workloads/web/x.yaml": twice}) == [
        (
            "workloads/web/x.yaml:5:1: ServiceAccount 'a' in namespace 'default' is already at"
            " workloads/web/x.yaml:1:1 - keep one of the two"
        )
    ]
    files = {
        "workloads/web/x.yaml": ACCOUNT % ", namespace: shop",
        "workloads/api.yaml": ACCOUNT % ", namespace: shop",
        "policies/web.yaml": EVERY,
    }
    assert faults(files) == [
        (
            "workloads/web/x.yaml:1:1: ServiceAccount 'a' in namespace 'shop' already belongs to"
            " workload 'api' at workloads/api.yaml:1:1 - an object belongs to one workload"
        )
    ]


def test_same_object_under_two_versions_is_one_object(faults: Faults) -> None:
    hpa = (
        "apiVersion: autoscaling/v%s\nkind: HorizontalPodAutoscaler\nmetadata: {name: h}\n"
        "spec: {maxReplicas: 2, scaleTargetRef: {kind: Deployment, name: other}}\n"
    )
    found = faults({"workloads/web/x.yaml": hpa % 1 + "---\n" + hpa % 2})
    assert len(found) == 1
    assert "is already at workloads/web/x.yaml:1:1" in found[0]


def test_two_autoscalers_are_refused(faults: Faults) -> None:
    hpa = (
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: %s}\n"
        "spec: {maxReplicas: 2, scaleTargetRef: {kind: Deployment, name: web}}\n"
    )
    assert faults({"workloads/web/x.yaml": hpa % "h" + "---\n" + hpa % "i"}) == [
        (
            "workloads/web/all.yaml:1:1: two autoscalers own its replicas, the second is"
            " HorizontalPodAutoscaler 'i' - keep one of the two"
        )
    ]


WORKLOADS = [
    ({"workloads/web.yaml": ACCOUNT % ""}, "workloads/web.yaml:1:1: the workload 'web' is already"),
    ({"workloads/Web/a.yaml": ACCOUNT % ""}, "workloads/Web:1:1: 'Web' is no name of a workload"),
    ({"workloads/api/a.txt": ""}, "workloads/api:1:1: the workload 'api' holds no Kubernetes obj"),
    ({"workloads/api.yaml": "# a\n"}, "workloads/api.yaml:1:1: the workload 'api' holds no Kube"),
    ({"workloads/api.yaml": "kind: List\nitems: []\n"}, "workloads/api.yaml:1:1: the workload"),
    ({"workloads/api.yaml": b"a: \xff\n"}, "workloads/api.yaml:1:4: the byte 0xFF is no UTF-8"),
    ({"workloads/api.yaml": "a: 1".encode("utf-16")}, "workloads/api.yaml:1:1: the byte 0xFF is"),
    (
        {
            "workloads/web/fleet.yaml": "apiVersion: fleet/v1\nkind: Workload\n"
            "metadata: {name: wbe}\n"
        },
        "workloads/web/fleet.yaml:3:12: metadata.name: 'wbe' is not the workload's name 'web'",
    ),
    (
        {
            "workloads/web/fleet.yaml": "apiVersion: fleet/v1\nkind: Workload\n"
            "metadata: {name: web}\nspec: {adpot: true}\n"
        },
        (
            "workloads/web/fleet.yaml:4:8: spec.adpot: is no field that is known here"
            " - did you mean 'adopt'?"
        ),
    ),
    (
        {
            "workloads/web/fleet.yaml": "apiVersion: fleet/v1\nkind: Workload\n"
            "metadata: {name: web}\nspec: {adopt: yes}\n"
        },
        (
            "workloads/web/fleet.yaml:4:8: spec.adopt: wants true or false, not 'yes' - write true "
            "without quotes"
        ),
    ),
    (
        {
            "workloads/web/fleet.yaml": "apiVersion: fleet/v1\nkind: Workload\n"
            "metadata: {name: web}\nspec: {namespaces: {create: [a.b]}}\n"
        },
        "workloads/web/fleet.yaml:4:30: spec.namespaces.create[0]: 'a.b' is no name of a namespace",
    ),
    (
        {
            "workloads/web/fleet.yaml": "apiVersion: fleet/v1\nkind: Workload\n"
            "metadata: {name: web}\nspec: {renamedFrom: [api]}\n",
            "workloads/api.yaml": ACCOUNT % "",
        },
        "workloads/web/all.yaml:1:1: renamedFrom names 'api', which is still a workload",
    ),
]


@pytest.mark.parametrize(("files", "start"), WORKLOADS)
def test_wrong_workload_is_refused(
    faults: Faults, files: dict[str, str | bytes], start: str
) -> None:
    found = faults({**files, "policies/web.yaml": EVERY})
    assert len(found) == 1, found
    assert found[0].startswith(start)


def test_settings_twice_are_refused(faults: Faults) -> None:
    text = "apiVersion: fleet/v1\nkind: Workload\nmetadata: {name: web}\n"
    assert faults({"workloads/web/fleet.yaml": f"{text}---\n{text}"}) == [
        (
            "workloads/web/fleet.yaml:5:1: the workload's settings are already at"
            " workloads/web/fleet.yaml:1:1 - keep one of the two"
        )
    ]
