// Command pulumi-resource-kubernetes is the Pulumi Kubernetes plugin. The
// upstream main embeds two generated files that its module does not ship; the
// engine asks for neither (the Python SDK has the types built in), so this one
// passes empty documents to the same entry point.
package main

import (
	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version"
)

func main() {
	provider.Serve("kubernetes", version.Version, []byte("{}"), []byte("{}"))
}
