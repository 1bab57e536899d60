// Command etcd is the etcd server: the upstream main lives in a module of its
// own with replace lines, so that `go install` refuses it; this one calls the
// same entry point.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
