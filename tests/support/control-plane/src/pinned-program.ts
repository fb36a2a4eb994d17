import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildProgram, cacheDirectory, GoBuildError, type GoModule, haveGo } from './go-module.ts'

/** A program of another project that tests use. It is built from public Go modules, in the version that `go.mod` pins. */
export interface PinnedProgram {
  readonly module: GoModule
  readonly goPackage: string
  readonly name: string
  /** The environment variable with the path of another program to use instead. */
  readonly pathVariable: string
}

/** Returns the path in the environment variable, or else the path of the pinned program in the cache of earlier builds. Builds nothing. */
export const findPinned = ({ module, name, pathVariable }: PinnedProgram): string | undefined => {
  const given = process.env[pathVariable]
  if (given !== undefined && given !== '') return existsSync(given) ? given : undefined
  const cached = join(cacheDirectory(module), name)
  return existsSync(cached) ? cached : undefined
}

/**
 * Builds the program unless it already exists.
 * @param progress called with one line before the build
 * @throws GoBuildError if the build fails
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
 * The command line that `npm test` uses: builds the program if it is missing. With `--look`, it builds nothing, and the exit code shows
 * whether the program exists.
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
