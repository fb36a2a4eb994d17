/**
 * Returns the sorted paths of all keys in a JSON document, for example `nodes[].name`. Below a path in `maps` the keys are data (names of
 * objects, resources or labels), and the result contains only `requests.*`.
 */
export const keyPaths = (document: unknown, maps: ReadonlySet<string> = new Set()): readonly string[] => {
  const paths = new Set<string>()
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) {
      for (const each of value) visit(each, `${path}[]`)
    } else if (maps.has(path)) {
      paths.add(`${path}.*`)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value)) visit(each, path === '' ? key : `${path}.${key}`)
    } else {
      paths.add(path)
    }
  }
  visit(document, '')
  return [...paths].sort()
}
