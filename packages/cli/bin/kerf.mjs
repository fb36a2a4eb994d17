#!/usr/bin/env node
// The `kerf` command in a clone of the repository: installs the dependencies and the pinned Node if they are missing, then runs
// Kerf with that Node.
import { ensureInstalled, runPinned } from '../../../tools/pinned-node.mjs'

ensureInstalled()
runPinned('packages/cli/src/main.ts', process.argv.slice(2))
