/** The keys that lead to the field that throws when it is read. If the path is empty, every access to the object throws. */
export type FieldPath = readonly string[]

class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const refuse = (path: FieldPath): never => {
  throw new Unreadable(`cannot read ${path.length === 0 ? 'anything' : path.join('.')}`)
}

/** Returns a copy of the object in which reading one field throws. */
export const unreadable = <T extends object>(object: T, path: FieldPath, above: FieldPath = []): T => {
  const [key, ...rest] = path
  if (key === undefined) return new Proxy(object, { get: () => refuse(above), ownKeys: () => refuse(above) })
  const copy = { ...object }
  const value: unknown = Reflect.get(object, key)
  const here = [...above, key]
  Object.defineProperty(
    copy,
    key,
    rest.length === 0 || !isRecord(value)
      ? { enumerable: true, get: () => refuse(here) }
      : { enumerable: true, value: unreadable(value, rest, here) },
  )
  return copy
}

/** Returns the paths of all fields of the object down to a depth. Includes the empty path. */
export const fieldPaths = (object: object, depth: number): readonly FieldPath[] => [
  [],
  ...Object.entries(object).flatMap(([key, value]: [string, unknown]) =>
    depth <= 1 || !isRecord(value) ? [[key]] : fieldPaths(value, depth - 1).map((path): FieldPath => [key, ...path]),
  ),
]
