import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { decodeText } from '@kerf/runtime'
import { lastApplied } from './last-applied.ts'
import type { Manifest } from './manifest.ts'
import { ManifestError } from './manifest-error.ts'
import { parseFoundFile, parseManifests } from './parse-manifests.ts'

const MANIFEST = /\.(ya?ml|json)(\.gz)?$/

const errorReason = (error: unknown): string => {
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

/** Returns the manifest files in a directory, sorted by name. With `recursive`, includes subdirectories. */
const filesIn = async (directory: string, recursive: boolean): Promise<readonly string[]> => {
  const entries = (await readdir(directory, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))
  const files: string[] = []
  for (const entry of entries) {
    const path = join(directory, entry.name)
    const isDirectory = entry.isDirectory() || (entry.isSymbolicLink() && (await stat(path)).isDirectory())
    if (!isDirectory) {
      if (MANIFEST.test(entry.name)) files.push(path)
    } else if (recursive && !entry.isSymbolicLink()) files.push(...(await filesIn(path, recursive)))
  }
  return files
}

interface FoundFile {
  readonly path: string
  /** True if the file was given on the command line, false if it was found in a directory. */
  readonly isNamed: boolean
}

const pathFiles = async (path: string, recursive: boolean): Promise<readonly FoundFile[]> => {
  const info = await stat(path).catch((error: unknown) => {
    throw new ManifestError(`${path}: ${errorReason(error)}; give a manifest file or a directory with manifests`)
  })
  if (!info.isDirectory()) return [{ path, isNamed: true }]
  const files = await filesIn(path, recursive)
  if (files.length === 0)
    throw new ManifestError(
      `${path}: the directory contains no .yaml, .yml or .json file${recursive ? '' : '; -R also looks into its subdirectories'}`,
    )
  return files.map((file) => ({ path: file, isNamed: false }))
}

/** The name that stands for standard input, as in `kubectl apply -f -`. */
const STDIN = '-'

export interface ReadOptions {
  readonly stdin?: AsyncIterable<Uint8Array | string>
  /** Whether to read subdirectories. The default is false, as in kubectl. */
  readonly recursive?: boolean
  /** Receives a line for each file in a directory that is not a manifest. Without this callback, such a file is an error. */
  readonly skipped?: (line: string) => void
  /**
   * Receives a line for each object that occurs several times; only the last one is returned. With `keep`, all of them are
   * returned.
   */
  readonly repeated: ((line: string) => void) | 'keep'
}

/** The text of a file, and how the file was found. */
export interface FoundText {
  readonly text: string
  readonly file: string
  /** True if the file was given on the command line, false if it was found in a directory. */
  readonly isNamed: boolean
}

/**
 * Yields the texts of the files in order. The files in a directory are sorted by name.
 *
 * @throws ManifestError if a file cannot be read
 */
export async function* readTexts(
  paths: readonly string[],
  { stdin = process.stdin, recursive = false }: Pick<ReadOptions, 'stdin' | 'recursive'> = {},
): AsyncGenerator<FoundText> {
  if (paths.filter((path) => path === STDIN).length > 1)
    throw new ManifestError('-: standard input can be read only once')
  for (const path of paths) {
    if (path === STDIN) {
      yield { text: await textFrom(stdin), file: '(standard input)', isNamed: true }
      continue
    }
    for (const { path: file, isNamed } of await pathFiles(path, recursive)) {
      const bytes = await readFile(file).catch((error: unknown) => {
        throw new ManifestError(`${file}: ${errorReason(error)}`)
      })
      yield { text: decodeFile(bytes, file), file, isNamed }
    }
  }
}

/**
 * Returns every object in the files and directories, in order. The files in a directory are sorted by name. `-` means standard
 * input. Reads YAML with several documents, JSON and `v1 List`s, and gzip files of these. If several objects have the same
 * identity, the last one applies.
 *
 * @throws ManifestError with file and line
 */
export const readManifests = async (
  paths: readonly string[],
  { skipped, repeated, ...options }: ReadOptions,
): Promise<readonly Manifest[]> => {
  const manifests: Manifest[] = []
  for await (const { text, file, isNamed } of readTexts(paths, options)) {
    const found =
      isNamed || skipped === undefined
        ? { manifests: parseManifests(text, file, skipped) }
        : parseFoundFile(text, file, skipped)
    if ('manifests' in found) manifests.push(...found.manifests)
    else skipped?.(`skipped: ${file}: ${found.why}`)
  }
  return repeated === 'keep' ? manifests : lastApplied(manifests, repeated)
}

const textFrom = async (stream: AsyncIterable<Uint8Array | string>): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return decodeText(Buffer.concat(chunks))
}

const decodeFile = (bytes: Buffer, file: string): string => {
  if (!file.endsWith('.gz')) return decodeText(bytes)
  try {
    return decodeText(gunzipSync(bytes))
  } catch (error) {
    throw new ManifestError(`${file}: not a gzip file (${errorReason(error)})`)
  }
}
