// Used by npm test and .ci/run. Builds the pinned control plane if it is missing. With --look, it only reports whether it exists.
import { buildMissing, ControlPlaneUnavailableError, findComponents } from './src/index.ts'

try {
  const found = process.argv.includes('--look')
    ? findComponents()
    : await buildMissing((line) => process.stdout.write(`control plane: ${line}\n`))
  if ('missing' in found) throw new ControlPlaneUnavailableError(`no ${found.missing.join(', ')}`)
  process.stdout.write(`control plane: ready (${found.kubectl} and its siblings)\n`)
} catch (error) {
  if (!(error instanceof ControlPlaneUnavailableError)) throw error
  process.stderr.write(`control plane: ${error.message}\n`)
  process.exitCode = 1
}
