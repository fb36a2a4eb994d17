//go:build tools

// Package krew pins the plugin manager of kubectl that the released plugin is installed with by the tests. Nothing here is
// linked into Kerf.
package krew

import _ "sigs.k8s.io/krew/cmd/krew"
