import { fileURLToPath } from 'node:url'
import { type ProgramOptions, type StartedProgram, startProgram } from '@kerf/control-plane'

/** The command for `kerf`, run from its sources. */
export const kerfCommand = [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url)),
] as const

/** The compile cache of Node, which makes later starts faster (`tools/test.mjs`). */
export const compileCache = (): Readonly<Record<string, string>> => {
  const folder = process.env['NODE_COMPILE_CACHE']
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
}

/** The environment variables that any program needs, and the one that makes Node.js start faster. */
export const bareEnvironment = (): Readonly<Record<string, string>> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  ...compileCache(),
})

/** Starts `kerf` as a separate process, by default with a minimal environment. */
export const startKerf = (args: readonly string[], options: Partial<ProgramOptions> = {}): StartedProgram => {
  const [node, ...before] = kerfCommand
  return startProgram(node, [...before, ...args], { env: bareEnvironment(), ...options })
}
