import { posix } from 'node:path'
import { isTest, type SourceFile, withoutComments } from './source-files.ts'

const importPattern = /(?:\bfrom|^\s*import)\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

/** What one folder, or one file beside the folders, imports: the other one and a place that does so. */
export type Edges = Map<string, Map<string, string>>

const partOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : path)

/** Imports between the first folders below `root` and the files beside them; tests and the package's own index aside. */
export const edgesOf = (files: readonly SourceFile[], root: string): Edges => {
  const edges: Edges = new Map()
  for (const { path, text } of files) {
    const own = path.slice(root.length + 1)
    if (isTest(path) || /^index\.tsx?$/.test(own)) continue
    for (const [, from, dynamic] of withoutComments(text).matchAll(importPattern)) {
      const target = posix.normalize(posix.join(posix.dirname(path), from ?? dynamic ?? ''))
      if (!target.startsWith(`${root}/`)) continue
      const to = target.slice(root.length + 1)
      if (partOf(own) === partOf(to)) continue
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

/**
 * Returns the import cycles between folders of a package, one line each with the imports that close the cycle. Compares the first
 * folders below `src`, without tests. The `index.ts` of a package may import all folders, and no folder may import it.
 */
export const folderProblems = (files: readonly SourceFile[], roots: readonly string[]): readonly string[] =>
  roots.flatMap((root) => {
    const own = files.filter(({ path }) => path.startsWith(`${root}/`))
    const edges = edgesOf(own, root)
    const reach = new Map([...edges.keys()].map((part) => [part, reachable(edges, part)]))
    const problems: string[] = []
    const folders = [...edges.keys()].filter((part) => !/\.tsx?$/.test(part)).sort()
    for (const folder of folders) {
      if (!reach.get(folder)?.has(folder)) continue
      const places = [...(edges.get(folder) ?? [])].flatMap(([to, place]) =>
        reach.get(to)?.has(folder) ? [place] : [],
      )
      problems.push(`${root}/${folder} is on an import cycle: ${places.join('; ')}`)
    }
    for (const index of ['index.ts', 'index.tsx']) {
      for (const [part, targets] of edges)
        if (targets.has(index)) problems.push(`${root}/${part} imports ${index}: import the file itself`)
    }
    return problems
  })
