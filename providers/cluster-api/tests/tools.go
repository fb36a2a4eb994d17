//go:build tools

// Package clusterapi pins the managers of Cluster API, so that `go build` can make them from the public module proxy. The
// same modules bring their resource definitions and their webhooks. Nothing here is linked into Kerf.
package clusterapi

import (
	_ "sigs.k8s.io/cluster-api/bootstrap/kubeadm"
	_ "sigs.k8s.io/cluster-api/controlplane/kubeadm"
	_ "sigs.k8s.io/cluster-api/core"
	_ "sigs.k8s.io/cluster-api/test/infrastructure/docker"
)
