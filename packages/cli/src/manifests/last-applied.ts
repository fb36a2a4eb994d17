import type { KubeObject } from '@kerf/apis'
import type { Manifest } from './manifest.ts'

/** An object that the files contain more than once, with all positions in reading order. */
export interface RepeatedObject {
  /** Kind and name, with the namespace if there is one. */
  readonly object: string
  /** `file:line` of each occurrence. */
  readonly places: readonly [first: string, second: string, ...more: string[]]
  /** The occurrences, in reading order. */
  readonly manifests: readonly Manifest[]
}

const NAMED = 10

/** Returns the identity of an object. The API version is not part of it. Returns `undefined` for an object without a name. */
export const objectIdentity = ({ apiVersion, kind, metadata }: KubeObject): string | undefined => {
  const { name, namespace = 'default' } = metadata ?? {}
  if (typeof name !== 'string' || name === '') return undefined
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  return JSON.stringify([group, kind, namespace, name])
}

const manifestName = ({ object: { kind, metadata } }: Manifest): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`

const manifestPlace = ({ file, line }: Manifest): string => `${file}:${line}`

/** Returns the objects that occur more than once, in the order of their first occurrence. */
export const repeatedObjects = (manifests: readonly Manifest[]): readonly RepeatedObject[] => {
  const byIdentity = Map.groupBy(manifests, ({ object }) => objectIdentity(object))
  return [...byIdentity].flatMap(([identity, [first, second, ...more]]) =>
    identity === undefined || first === undefined || second === undefined
      ? []
      : [
          {
            object: manifestName(first),
            places: [manifestPlace(first), manifestPlace(second), ...more.map(manifestPlace)] as const,
            manifests: [first, second, ...more],
          },
        ],
  )
}

/**
 * Returns the objects that `kubectl apply` of these manifests would create. If several objects have the same group, kind, namespace
 * and name, the last one replaces the others at the position of the first. `warn` receives a line for each such object, with its
 * files and lines.
 */
export const lastApplied = (manifests: readonly Manifest[], warn: (line: string) => void): readonly Manifest[] => {
  const repeated = repeatedObjects(manifests)
  if (repeated.length === 0) return manifests
  for (const { object, places } of repeated.slice(0, NAMED))
    warn(
      `${object} is defined ${places.length} times (${places.join(', ')}): Kerf uses the last one, as kubectl apply does`,
    )
  if (repeated.length > NAMED)
    warn(`${repeated.length - NAMED} more objects are defined several times: Kerf uses the last one`)
  const last = new Map<string | Manifest, Manifest>()
  for (const manifest of manifests) last.set(objectIdentity(manifest.object) ?? manifest, manifest)
  return [...last.values()]
}
