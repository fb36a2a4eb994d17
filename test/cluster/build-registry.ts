// npm test and .ci/run call this: builds the pinned registry and its client when they are not there yet. With --look it only
// says whether they are there.
import { craneProgram, pinnedProgramMain } from './src/index.ts'

await pinnedProgramMain(craneProgram)
