import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildProgram, cacheDirectory, GoBuildError, type GoModule, haveGo } from './go-module.ts'

/** A program of another project that tests use, built from the public modules in the version that its `go.mod` pins. */
export interface PinnedProgram {
  readonly module: GoModule
  readonly goPackage: string
  readonly name: string
  /** The variable that names one to be used instead. */
  readonly pathVariable: string
}

/** Its path: what the variable names, or the pinned one from the cache of earlier builds. Builds nothing. */
export const findPinned = ({ module, name, pathVariable }: PinnedProgram): string | undefined => {
  const given = process.env[pathVariable]
  if (given !== undefined && given !== '') return existsSync(given) ? given : undefined
  const cached = join(cacheDirectory(module), name)
  return existsSync(cached) ? cached : undefined
}

/**
 * Builds it unless it is there.
 * @param progress gets one line before the build
 * @throws GoBuildError when Go refuses
 */
export const buildPinned = async (program: PinnedProgram, progress: (line: string) => void): Promise<string> => {
  const found = findPinned(program)
  if (found !== undefined) return found
  const { module, goPackage, name } = program
  progress(`building ${name} (once, then cached in ${cacheDirectory(module)})`)
  await buildProgram(module, goPackage, name)
  return join(cacheDirectory(module), name)
}

/**
 * What `npm test` asks of it on the command line: builds it when it is not there yet, or with `--look` only says whether it
 * is there, by the exit code.
 */
export const pinnedProgramMain = async (program: PinnedProgram): Promise<void> => {
  const { name } = program
  const found = findPinned(program)
  if (found !== undefined) process.stdout.write(`${name}: ready (${found})\n`)
  else if (process.argv.includes('--look') || !haveGo()) process.exitCode = 1
  else {
    try {
      const built = await buildPinned(program, (line) => process.stdout.write(`${name}: ${line}\n`))
      process.stdout.write(`${name}: ready (${built})\n`)
    } catch (error) {
      if (!(error instanceof GoBuildError)) throw error
      process.stderr.write(`${name}: ${error.message}\n`)
      process.exitCode = 1
    }
  }
}
