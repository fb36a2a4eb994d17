import { posix } from 'node:path'

/** A package of the repository: where its import names lead. */
export interface PackageExports {
  /** Folder relative to the repository. */
  readonly folder: string
  readonly name: string
  /** Files by subpath, as in package.json: `.` and `./testing`. */
  readonly exports: Readonly<Record<string, string>>
}

export interface SourceText {
  /** Relative to the repository, with slashes. */
  readonly path: string
  readonly text: string
}

/** Which files each file reads: by import, and by a path relative to itself. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>

const importPattern =
  /^\s*(?:import|export)\s+(?:type\s+)?(?:[\w*\s{},$]+?\s+from\s+)?'([^']+)'|\bimport\(\s*'([^']+)'|new URL\(\s*'(\.[^']*)'\s*,\s*import\.meta\.url/gm

const typeOnlyPattern = /^\s*(?:import|export)\s+type\s/

/** `@kerf/apis/testing` leads to the file that apis/package.json exports for `./testing`. */
const packageFile = (specifier: string, packages: readonly PackageExports[]): string | undefined => {
  const name = specifier.split('/').slice(0, 2).join('/')
  const found = packages.find((each) => each.name === name)
  const file = found?.exports[`.${specifier.slice(name.length)}`]
  return found === undefined || file === undefined ? undefined : posix.join(found.folder, file)
}

/**
 * Returns the paths of what the text refers to, relative to the repository; imported types are left out, because they do not
 * exist when a test runs. A folder that is read through a URL ends with a slash.
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
 * Returns everything that the entries reach, themselves included, with its distance in imports.
 * @param isLeftOut files that are not followed
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
