//go:build tools

// Package cluster pins the programs of a real Kubernetes control plane, so that `go build` can make them from
// the public module proxy. Nothing here is linked into Kerf.
package cluster

import (
	_ "go.etcd.io/etcd/server/v3"
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
	_ "k8s.io/kubernetes/cmd/kube-scheduler"
	_ "k8s.io/kubernetes/cmd/kubectl"
)
