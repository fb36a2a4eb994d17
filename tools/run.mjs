// `npm run up` and `npm run kerf -- …`: do the same as `npx kerf …`, and install the dependencies first if necessary.
import { ensureInstalled, runPinned } from './pinned-node.mjs'

ensureInstalled()
runPinned('packages/cli/src/main.ts', process.argv.slice(2))
