import { posix } from 'node:path'
import { isTest, type SourceFile, withoutComments } from './source-files.ts'

const importPattern = /(?:\bfrom|^\s*import)\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

/**
 * For each folder (or file next to the folders), the units that it imports. The value for each imported unit is the text of one such import
 * (`FILE imports FILE`).
 */
export type Edges = Map<string, Map<string, string>>

/**
 * How a package is divided into units. `first`: each folder directly below its root is a unit. `every`: each folder without subfolders is a
 * unit, at any depth. In both cases, a file next to folders is a separate unit.
 */
export type Depth = 'first' | 'every'

const isCounted = (own: string): boolean => !/^index\.tsx?$/.test(own)

const foldersAbove = (path: string): readonly string[] => {
  const names = path.split('/').slice(0, -1)
  return names.map((_, index) => names.slice(0, index).join('/'))
}

/** Returns a function that returns the unit to which a path below the root belongs. */
const parts = (paths: readonly string[], depth: Depth): ((path: string) => string) => {
  const parents = new Set(depth === 'every' ? paths.flatMap(foldersAbove) : [''])
  return (path) => {
    if (depth === 'first') return path.includes('/') ? (path.split('/')[0] ?? '') : path
    const folder = posix.dirname(path)
    return folder === '.' || parents.has(folder) ? path : folder
  }
}

/** Returns the imports between the units of a package, except those of tests and of the package's own index. */
export const importEdges = (files: readonly SourceFile[], root: string, depth: Depth = 'first'): Edges => {
  const sources = files
    .filter(({ path }) => path.startsWith(`${root}/`) && !isTest(path))
    .map(({ path, text }) => ({ own: path.slice(root.length + 1), text }))
    .filter(({ own }) => isCounted(own))
  const partOf = parts(
    sources.map(({ own }) => own),
    depth,
  )
  const edges: Edges = new Map()
  for (const { own, text } of sources) {
    for (const [, from, dynamic] of withoutComments(text).matchAll(importPattern)) {
      const to = posix.normalize(posix.join(posix.dirname(own), from ?? dynamic ?? ''))
      if (to.startsWith('../') || partOf(own) === partOf(to)) continue
      const known = edges.get(partOf(own)) ?? new Map<string, string>()
      if (!known.has(partOf(to))) known.set(partOf(to), `${own} imports ${to}`)
      edges.set(partOf(own), known)
    }
  }
  return edges
}

const reachable = (edges: Edges, start: string): ReadonlySet<string> => {
  const found = new Set<string>()
  const open = [...(edges.get(start)?.keys() ?? [])]
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (found.has(part)) continue
    found.add(part)
    open.push(...(edges.get(part)?.keys() ?? []))
  }
  return found
}

/** Packages whose top-level folders contain only other folders, grouped by the object that they handle. */
export const GROUPED: ReadonlySet<string> = new Set(['packages/controllers/src'])

const cyclesOf = (edges: Edges, root: string): readonly string[] => {
  const reach = new Map([...edges.keys()].map((part) => [part, reachable(edges, part)]))
  const folders = [...edges.keys()].filter((part) => !/\.tsx?$/.test(part)).sort()
  return folders
    .filter((folder) => reach.get(folder)?.has(folder))
    .map((folder) => {
      const places = [...(edges.get(folder) ?? [])].flatMap(([to, place]) =>
        reach.get(to)?.has(folder) ? [place] : [],
      )
      return `${root}/${folder} is on an import cycle: ${places.join('; ')}`
    })
}

/**
 * Returns the import cycles between folders of a package: one line for each folder on a cycle, with the imports that close it. Compares the
 * folders directly below `src`, unless they only group others, and the folders at every depth. Ignores tests. A package's `index.ts` may
 * import all folders, and no folder may import it.
 */
export const folderProblems = (files: readonly SourceFile[], roots: readonly string[]): readonly string[] =>
  roots.flatMap((root) => {
    const first = importEdges(files, root)
    const cycles = new Set([
      ...(GROUPED.has(root) ? [] : cyclesOf(first, root)),
      ...cyclesOf(importEdges(files, root, 'every'), root),
    ])
    const indexes = ['index.ts', 'index.tsx'].flatMap((index) =>
      [...first].flatMap(([part, targets]) =>
        targets.has(index) ? [`${root}/${part} imports ${index}: import the file itself`] : [],
      ),
    )
    return [...cycles, ...indexes]
  })
