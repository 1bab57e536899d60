// Command pulumi-resource-kubernetes is the Pulumi Kubernetes plugin. The
// upstream main embeds two generated files that its module does not ship; this
// one embeds the schema that the module does ship (the build lays it beside
// this file), because an import reads an object's inputs by it.
package main

import (
	_ "embed"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version"
)

//go:embed schema.json
var schema []byte

func main() {
	provider.Serve("kubernetes", version.Version, schema, []byte("{}"))
}
