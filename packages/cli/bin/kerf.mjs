#!/usr/bin/env node
// The `kerf` command in a clone: installs what is missing and hands over to the pinned Node.
import { ensureInstalled, runPinned } from '../../../tools/pinned-node.mjs'

ensureInstalled()
runPinned('packages/cli/src/main.ts', process.argv.slice(2))
