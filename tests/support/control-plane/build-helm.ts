// Used by npm test and .ci/run. Builds the pinned Helm if it is missing. With --look, it only reports whether Helm exists.
import { helmProgram, pinnedProgramMain } from './src/index.ts'

await pinnedProgramMain(helmProgram)
