// npm test and .ci/run call this after the build of the control plane. It builds the pinned managers of Cluster API and renders their
// definitions unless they exist. With --look it only reports whether they exist.
import { existsSync } from 'node:fs'
import { findComponents, GoBuildError, haveGo } from '../../../tests/support/control-plane/src/index.ts'
import { definitionsPath, missingFiles, renderDefinitions } from './src/definitions.ts'
import { buildManager, managerNames, missingManagers } from './src/managers.ts'

const print = (line: string): boolean => process.stdout.write(`cluster api: ${line}\n`)

/**
 * The first build takes three to five minutes on two cores. Each file is added to the cache atomically, so a build can continue after an
 * interruption.
 */
const build = async (): Promise<void> => {
  const managers = missingManagers()
  for (const [index, name] of managers.entries()) {
    print(`building ${name} (${index + 1} of ${managers.length}; once, then cached)`)
    await buildManager(name)
  }
  const components = findComponents()
  if ('missing' in components)
    throw new GoBuildError('the definitions need kubectl: run "node tests/support/control-plane/build.ts"')
  for (const name of managerNames) {
    if (!existsSync(definitionsPath(name))) await renderDefinitions(name, components.kubectl)
  }
}

if (!process.argv.includes('--look') && missingFiles().length > 0 && haveGo()) {
  try {
    await build()
  } catch (error) {
    if (!(error instanceof GoBuildError)) throw error
    process.stderr.write(`cluster api: ${error.message}\n`)
  }
}
const left = missingFiles()
if (left.length === 0) print('ready')
else {
  process.stderr.write(`cluster api: no ${left.join(', ')}; building them needs Go (go.dev/dl)\n`)
  process.exitCode = 1
}
