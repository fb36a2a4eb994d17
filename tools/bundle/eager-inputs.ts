import type { Metafile } from 'esbuild'

/**
 * Returns the sources that are evaluated when the modules `entries` are imported: these modules and everything that they import statically.
 * Throws if an entry has no separate chunk, because its imports are then unknown.
 */
export const eagerInputs = ({ outputs }: Metafile, entries: readonly string[]): ReadonlySet<string> => {
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    for (const each of outputs[path]?.imports ?? []) if (each.kind === 'import-statement') visit(each.path)
  }
  for (const entry of entries) {
    const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? []
    if (path === undefined) throw new Error(`${entry} is not imported dynamically`)
    visit(path)
  }
  return new Set([...reached].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {})))
}
