import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Manifest } from './manifest.ts'
import { ManifestError } from './manifest-error.ts'
import { parseManifests } from './parse-manifests.ts'

const MANIFEST = /\.(ya?ml|json)(\.gz)?$/

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
      return 'no such file or directory'
    case 'EACCES':
      return 'permission denied'
    default:
      return error instanceof Error ? error.message : String(error)
  }
}

const filesOf = async (path: string): Promise<readonly string[]> => {
  const info = await stat(path).catch((error: unknown) => {
    throw new ManifestError(`${path}: ${reasonOf(error)}; give a manifest file or a directory of them`)
  })
  if (!info.isDirectory()) return [path]
  const names = (await readdir(path)).filter((name) => MANIFEST.test(name)).sort()
  if (names.length === 0) throw new ManifestError(`${path}: the directory holds no .yaml, .yml or .json file`)
  return names.map((name) => join(path, name))
}

/** The standard input, as `-f -` names it; kubectl's word. */
const STDIN = '-'

/**
 * Every object in the files and directories (not recursive, by name), in order; `-` is the standard input. Reads YAML with
 * several documents, JSON, `v1 List`s, and each of them gzipped. Throws `ManifestError` naming file and line for what cannot
 * be read.
 */
export const readManifests = async (
  paths: readonly string[],
  stdin: AsyncIterable<Uint8Array | string> = process.stdin,
): Promise<readonly Manifest[]> => {
  const manifests: Manifest[] = []
  if (paths.filter((path) => path === STDIN).length > 1)
    throw new ManifestError('-: the standard input can be read only once')
  for (const path of paths) {
    if (path === STDIN) {
      manifests.push(...parseManifests(await textFrom(stdin), '(standard input)'))
      continue
    }
    for (const file of await filesOf(path)) {
      const bytes = await readFile(file).catch((error: unknown) => {
        throw new ManifestError(`${file}: ${reasonOf(error)}`)
      })
      manifests.push(...parseManifests(textOf(bytes, file), file))
    }
  }
  return manifests
}

const textFrom = async (stream: AsyncIterable<Uint8Array | string>): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

const textOf = (bytes: Buffer, file: string): string => {
  if (!file.endsWith('.gz')) return bytes.toString('utf8')
  try {
    return gunzipSync(bytes).toString('utf8')
  } catch (error) {
    throw new ManifestError(`${file}: not a gzip file (${reasonOf(error)})`)
  }
}
