import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDockerfile } from '../../tools/image/dockerfile.ts'
import { imageFiles, writeCodeCache } from '../../tools/image/image-files.ts'
import { root } from '../../tools/source-files.ts'

/** How to start the controller: the arguments for Node.js, and the environment variables of the image. */
export interface InstalledProgram {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * Installs the image's program and code cache in a directory. `bundle` is the single-file build of an earlier commit, which runs with Node's own
 * compile cache.
 */
export const installProgram = async (directory: string, bundle?: string): Promise<InstalledProgram> => {
  const { entrypoint, env } = readDockerfile(readFileSync(join(root, 'deploy', 'image', 'Dockerfile'), 'utf8'))
  const program = join(directory, 'kerf.mjs')
  const args = entrypoint.slice(1).map((arg) => (arg === '/app/kerf.mjs' ? program : arg))
  if (bundle === undefined) {
    for (const { name, content } of await imageFiles(root, '')) writeFileSync(join(directory, name), content)
    writeCodeCache(directory, env)
    return { args, env }
  }
  writeFileSync(program, readFileSync(bundle))
  const cache = join(directory, 'compile-cache')
  mkdirSync(cache)
  const installed = { ...env, NODE_COMPILE_CACHE: cache }
  // Uses the image's V8 flags, because a compile cache is valid only for the flags with which it was created.
  execFileSync(process.execPath, [...args.slice(0, args.indexOf(program) + 1), '--version'], { env: installed })
  return { args, env: installed }
}
