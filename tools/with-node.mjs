// node tools/with-node.mjs FILE.ts [ARG …]: runs a TypeScript file with the pinned Node.
import { ensureInstalled, runPinned } from './pinned-node.mjs'

const [file, ...args] = process.argv.slice(2)
ensureInstalled()
runPinned(file ?? '', args)
