// Used by npm test and .ci/run. Builds the pinned registry and its client if they are missing. With --look, it only reports whether they
// exist.
import { craneProgram, pinnedProgramMain } from './src/index.ts'

await pinnedProgramMain(craneProgram)
