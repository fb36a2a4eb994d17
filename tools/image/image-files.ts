import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { makeBundle } from '../bundle/make-bundle.ts'
import { licenseNotices } from '../bundle/notices.ts'
import { createSbom } from '../bundle/sbom.ts'

/** A file in the image's folder `/app`. */
export interface ImageFile {
  readonly name: string
  readonly purpose: string
  readonly content: Uint8Array
}

const text = (content: string): Uint8Array => Buffer.from(content)

/** The environment variable with the path to which `start-program.ts` writes V8's code cache. */
export const CODE_CACHE_VARIABLE = 'KERF_WRITE_CODE_CACHE'

/** The path of the code cache, next to the program. */
export const CODE_CACHE = 'code-cache/kerf.cache'

/**
 * The command that the program runs to create the code cache. It runs the controllers and the engine without a cluster, so the cache
 * contains most of the functions that `kerf run` uses.
 */
export const CODE_CACHE_COMMAND = ['up', '--headless', '--until-settled', '--speed', '10'] as const

/**
 * Writes the code cache of the program in `directory`, like the first stage of the Dockerfile. V8 accepts it only for the same Node.js with
 * the same `NODE_OPTIONS`.
 */
export const writeCodeCache = (directory: string, env: Readonly<Record<string, string>>): void => {
  execFileSync(process.execPath, [join(directory, 'kerf.mjs'), ...CODE_CACHE_COMMAND], {
    env: { PATH: process.env['PATH'], ...env, [CODE_CACHE_VARIABLE]: join(directory, CODE_CACHE) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Returns the program that loads `kerf.cjs` with its code cache, as one module. */
const startProgram = async (): Promise<Uint8Array> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('start-program.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    write: false,
  })
  return outputFiles[0]?.contents ?? new Uint8Array()
}

/** Returns the files that the Dockerfile copies. The code cache is not among them, because the Node.js of the base image creates it. */
export const imageFiles = async (root: string, commit: string): Promise<readonly ImageFile[]> => {
  const bundle = await makeBundle({ root, commit })
  return [
    { name: 'kerf.mjs', purpose: 'starts the program with its code cache', content: await startProgram() },
    { name: 'kerf.cjs', purpose: 'the program, every verb of it', content: bundle.script },
    { name: 'LICENSE', purpose: 'its licence', content: readFileSync(join(root, 'LICENSE')) },
    {
      name: 'THIRD-PARTY-NOTICES',
      purpose: 'the licences of the packages in it',
      content: text(licenseNotices(bundle.packages)),
    },
    {
      name: 'kerf.cdx.json',
      purpose: 'the packages in it, for scanners (CycloneDX)',
      content: text(createSbom(root, bundle)),
    },
  ]
}

/** Writes the files that the Dockerfile copies to a directory. Deletes the directory first. */
export const writeImageFiles = (directory: string, files: readonly ImageFile[]): void => {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  for (const { name, content } of files) writeFileSync(join(directory, name), content)
  chmodSync(join(directory, 'kerf.mjs'), 0o755)
}
