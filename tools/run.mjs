// `npm run up` and `npm run kerf -- …`: the same as `npx kerf …`, also before the first install.
import { ensureInstalled, runPinned } from './pinned-node.mjs'

ensureInstalled()
runPinned('packages/cli/src/main.ts', process.argv.slice(2))
