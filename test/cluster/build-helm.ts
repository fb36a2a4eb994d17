// npm test and .ci/run call this: builds the pinned Helm when it is not there yet. With --look it only says whether it is there.
import { buildHelm, findHelm, GoBuildError, haveGo } from './src/index.ts'

const found = findHelm()
if (found !== undefined) process.stdout.write(`helm: ready (${found})\n`)
else if (process.argv.includes('--look') || !haveGo()) process.exitCode = 1
else {
  try {
    process.stdout.write(`helm: ready (${await buildHelm((line) => process.stdout.write(`helm: ${line}\n`))})\n`)
  } catch (error) {
    if (!(error instanceof GoBuildError)) throw error
    process.stderr.write(`helm: ${error.message}\n`)
    process.exitCode = 1
  }
}
