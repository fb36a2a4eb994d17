// npm test and .ci/run call this: builds the pinned control plane when it is not there yet.
import { buildMissing, ControlPlaneUnavailableError } from './src/index.ts'

try {
  const { kubectl } = await buildMissing((line) => process.stdout.write(`control plane: ${line}\n`))
  process.stdout.write(`control plane: ready (${kubectl} and its siblings)\n`)
} catch (error) {
  if (!(error instanceof ControlPlaneUnavailableError)) throw error
  process.stderr.write(`control plane: ${error.message}\n`)
  process.exitCode = 1
}
