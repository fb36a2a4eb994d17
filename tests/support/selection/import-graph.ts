import { posix } from 'node:path'

/** A package of the repository, and the files to which its import names resolve. */
export interface PackageExports {
  /** The folder relative to the repository. */
  readonly folder: string
  readonly name: string
  /** The exported files by subpath, as in package.json: `.` and `./testing`. */
  readonly exports: Readonly<Record<string, string>>
}

export interface SourceText {
  /** The path relative to the repository, with slashes. */
  readonly path: string
  readonly text: string
}

/** For each file, the files that it reads: by import, or by a path relative to itself. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>

const importPattern =
  /^\s*(?:import|export)\s+(?:type\s+)?(?:[\w*\s{},$]+?\s+from\s+)?'([^']+)'|\bimport\(\s*'([^']+)'|new URL\(\s*'(\.[^']*)'\s*,\s*import\.meta\.url/gm

const typeOnlyPattern = /^\s*(?:import|export)\s+type\s/

/**
 * Resolves an import of a package. For example, `@kerf/apis/testing` resolves to the file that packages/apis/package.json exports as
 * `./testing`.
 */
const packageFile = (specifier: string, packages: readonly PackageExports[]): string | undefined => {
  const name = specifier.split('/').slice(0, 2).join('/')
  const found = packages.find((each) => each.name === name)
  const file = found?.exports[`.${specifier.slice(name.length)}`]
  return found === undefined || file === undefined ? undefined : posix.join(found.folder, file)
}

/**
 * Returns the paths that the text refers to, relative to the repository. Skips type imports, because they are removed before a test runs.
 * If a folder is read through a URL, its path ends with a slash.
 */
const importedPaths = ({ path, text }: SourceText, packages: readonly PackageExports[]): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const match of text.matchAll(importPattern)) {
    if (typeOnlyPattern.test(match[0])) continue
    const specifier = match[1] ?? match[2] ?? match[3] ?? ''
    const target = specifier.startsWith('.')
      ? posix.normalize(posix.join(posix.dirname(path), specifier))
      : packageFile(specifier, packages)
    if (target !== undefined && !target.startsWith('..')) found.add(target)
  }
  return found
}

export const importGraph = (files: readonly SourceText[], packages: readonly PackageExports[]): ImportGraph =>
  new Map(files.map((file) => [file.path, importedPaths(file, packages)]))

/**
 * Returns all files that can be reached from the entries, with their distance in imports. Includes the entries.
 * @param isLeftOut reports whether to ignore a file
 */
export const reached = (
  graph: ImportGraph,
  entries: Iterable<string>,
  isLeftOut: (path: string) => boolean = () => false,
): ReadonlyMap<string, number> => {
  const distances = new Map<string, number>()
  let edge = [...entries]
  for (let distance = 0; edge.length > 0; distance += 1) {
    const next: string[] = []
    for (const path of edge) {
      if (distances.has(path) || isLeftOut(path)) continue
      distances.set(path, distance)
      next.push(...(graph.get(path) ?? []))
    }
    edge = next
  }
  return distances
}
