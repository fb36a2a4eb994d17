// npm test and .ci/run call this: builds the pinned Helm when it is not there yet. With --look it only says whether it is there.
import { helmProgram, pinnedProgramMain } from './src/index.ts'

await pinnedProgramMain(helmProgram)
