"""The programs that the devkit needs: oldest version that will do, and how to compile one."""

from dataclasses import dataclass

from devkit.versions import Version


@dataclass(frozen=True, slots=True)
class Program:
    """One executable and the arguments that make it say its version."""

    name: str
    version_arguments: tuple[str, ...] = ("--version",)


@dataclass(frozen=True, slots=True)
class Embedded:
    """A file that our main embeds, and where in a module of the build list it lies."""

    file: str
    module: str
    path: str


@dataclass(frozen=True, slots=True)
class Product:
    """Programs of one version: all of them come from PATH, or all are compiled.

    A controller manager newer than its API server is not supported upstream; so the programs
    of one product are never mixed.

    Units: minutes, on two cores, with nothing cached.
    """

    name: str
    version: str
    minimum: Version
    module: str
    packages: tuple[str, ...]
    version_symbols: tuple[str, ...]
    programs: tuple[Program, ...]
    minutes: int
    official: str
    embedded: tuple[Embedded, ...] = ()
    revision: int = 1

    @property
    def folder(self) -> str:
        """Return the name of the folder in the cache; another revision is another build."""
        again = f"-{self.revision}" if self.revision > 1 else ""
        return f"{self.name}-{self.version}{again}"

    @property
    def linker_flags(self) -> str:
        """Return the flags that write the version into the programs."""
        return " ".join(["-s -w", *(f"-X {symbol}" for symbol in self.version_symbols)])


KWOK = Product(
    name="kwok",
    version="0.8.0",
    minimum=(0, 7, 0),
    module="kwok",
    packages=("sigs.k8s.io/kwok/cmd/kwok", "sigs.k8s.io/kwok/cmd/kwokctl"),
    version_symbols=("sigs.k8s.io/kwok/pkg/consts.Version=0.8.0",),
    programs=(Program("kwok"), Program("kwokctl")),
    minutes=2,
    official="the kwok project's release",
)
ETCD = Product(
    name="etcd",
    version="3.6.16",
    minimum=(3, 6, 0),
    module="etcd",
    packages=(".",),
    version_symbols=(),
    programs=(Program("etcd"),),
    minutes=1,
    official="the etcd project's release",
)
KUBERNETES = Product(
    name="kubernetes",
    version="1.36.3",
    minimum=(1, 34, 0),
    module="kubernetes",
    packages=tuple(
        f"k8s.io/kubernetes/cmd/{name}"
        for name in ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl")
    ),
    version_symbols=(
        "k8s.io/component-base/version.gitVersion=v1.36.3",
        "k8s.io/component-base/version.gitMajor=1",
        "k8s.io/component-base/version.gitMinor=36",
    ),
    programs=(
        Program("kube-apiserver"),
        Program("kube-controller-manager"),
        Program("kube-scheduler"),
        Program("kubectl", ("version", "--client")),
    ),
    minutes=6,
    official="the Kubernetes project's release (server and client binaries)",
)
PULUMI = Product(
    name="pulumi",
    version="3.274.1",
    minimum=(3, 220, 0),
    module="engine",
    packages=("github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",),
    version_symbols=("github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=3.274.1",),
    programs=(Program("pulumi", ("version",)),),
    minutes=5,
    official="the Pulumi release",
)
KUBERNETES_PLUGIN = Product(
    name="kubernetes-plugin",
    version="4.25.0",
    minimum=(4, 25, 0),
    module="kubernetes-plugin",
    packages=(".",),
    version_symbols=("github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version.Version=4.25.0",),
    programs=(Program("pulumi-resource-kubernetes"),),
    minutes=9,
    official="'pulumi plugin install resource kubernetes', with its folder on PATH",
    embedded=(
        Embedded(
            file="schema.json",
            module="github.com/pulumi/pulumi-kubernetes/provider/v4",
            path="cmd/pulumi-resource-kubernetes/schema.json",
        ),
    ),
    revision=2,
)
PRODUCTS = (KWOK, ETCD, KUBERNETES, PULUMI, KUBERNETES_PLUGIN)
AWS_PLUGIN = Program("pulumi-resource-aws")
AWS_PLUGIN_MINIMUM: Version = (7, 0, 0)
LANGUAGE_HOST = "pulumi-language-python"
LANGUAGE_EXECUTOR = "pulumi-language-python-exec"
