//go:build tools

// Package helm pins the Helm that the charts are tested with. It stands apart from the control plane, whose
// libraries it would otherwise share versions with. Nothing here is linked into Kerf.
package helm

import _ "helm.sh/helm/v3/cmd/helm"
