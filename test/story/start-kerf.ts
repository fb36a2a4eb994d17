import { fileURLToPath } from 'node:url'
import { type ProgramOptions, type StartedProgram, startProgram } from '@kerf/control-plane'

/** What to type for `kerf`, run from its sources. */
export const kerfCommand = [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url)),
] as const

/** Lets Node start fast where it has started before (`scripts/test.mjs`). */
export const compileCache = (): Readonly<Record<string, string>> => {
  const folder = process.env['NODE_COMPILE_CACHE']
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
}

/** What a program needs of the environment to run at all, and Node to start fast. */
export const bareEnvironment = (): Readonly<Record<string, string>> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  ...compileCache(),
})

/** Starts `kerf` as a process of its own, by default in a bare environment. */
export const startKerf = (args: readonly string[], options: Partial<ProgramOptions> = {}): StartedProgram => {
  const [node, ...before] = kerfCommand
  return startProgram(node, [...before, ...args], { env: bareEnvironment(), ...options })
}
