//go:build tools

// Package registry pins the registry that the image and the charts are pushed to by the tests, and its client. Nothing here
// is linked into Kerf.
package registry

import _ "github.com/google/go-containerregistry/cmd/crane"
