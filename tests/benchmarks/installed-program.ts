import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeBundle } from '../../tools/bundle/make-bundle.ts'
import { readDockerfile } from '../../tools/image/dockerfile.ts'
import { root } from '../../tools/source-files.ts'

/** How to start the controller: the arguments of Node, and the environment variables of the image. */
export interface InstalledProgram {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Installs the image's program, compile cache and flags of Node in a directory. `bundle` is an earlier bundle, to compare two commits. */
export const installProgram = async (directory: string, bundle?: string): Promise<InstalledProgram> => {
  const { entrypoint, env } = readDockerfile(readFileSync(join(root, 'deploy', 'image', 'Dockerfile'), 'utf8'))
  const code = bundle === undefined ? (await makeBundle({ root, commit: '' })).code : readFileSync(bundle)
  const program = join(directory, 'kerf.mjs')
  writeFileSync(program, code)
  const cache = join(directory, 'compile-cache')
  mkdirSync(cache)
  const installed = { ...env, NODE_COMPILE_CACHE: cache }
  const args = entrypoint.slice(1).map((arg) => (arg === '/app/kerf.mjs' ? program : arg))
  // Uses the image's V8 flags, because the compile cache is valid only for the same flags.
  execFileSync(process.execPath, [...args.slice(0, args.indexOf(program) + 1), '--version'], { env: installed })
  return { args, env: installed }
}
