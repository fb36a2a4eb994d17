import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildProgram, cacheDirectory, type GoModule, haveGo } from '../../support/control-plane/src/go-module.ts'

const actionlint: GoModule = {
  directory: join(dirname(fileURLToPath(import.meta.url)), 'actionlint'),
  name: 'actionlint',
  linkerFlags: () => '-s -w',
}

/**
 * Returns the path of the pinned actionlint. If it is missing, builds it, which takes seconds. Returns undefined if Go is missing as well.
 */
export const findActionlint = async (): Promise<string | undefined> => {
  const program = join(cacheDirectory(actionlint), 'actionlint')
  if (existsSync(program)) return program
  if (!haveGo()) return undefined
  await buildProgram(actionlint, 'github.com/rhysd/actionlint/cmd/actionlint', 'actionlint')
  return program
}
