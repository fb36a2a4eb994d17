//go:build tools

// Package actionlint pins the linter of the workflow files. Nothing here is linked into Kerf.
package actionlint

import _ "github.com/rhysd/actionlint/cmd/actionlint"
