// npm test and .ci/run call this: builds the pinned Helm if it is missing. With --look it only reports whether Helm exists.
import { helmProgram, pinnedProgramMain } from './src/index.ts'

await pinnedProgramMain(helmProgram)
