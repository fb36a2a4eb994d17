import type { KubeObject } from '@kerf/apis'
import type { Manifest } from './manifest.ts'

/** An object that the files hold more than once: all places, in the order in which they were read. */
export interface RepeatedObject {
  /** Kind and name, with the namespace where there is one. */
  readonly object: string
  /** `file:line` of each. */
  readonly places: readonly [first: string, second: string, ...more: string[]]
}

const NAMED = 10

/** What makes two objects one: an API server knows no version of it. `undefined` for an object without a name. */
export const identityOf = ({ apiVersion, kind, metadata }: KubeObject): string | undefined => {
  const { name, namespace = 'default' } = metadata ?? {}
  if (typeof name !== 'string' || name === '') return undefined
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  return JSON.stringify([group, kind, namespace, name])
}

const nameOf = ({ object: { kind, metadata } }: Manifest): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`

const placeOf = ({ file, line }: Manifest): string => `${file}:${line}`

/** The objects that are there more than once, in the order in which they begin. */
export const repeatedObjects = (manifests: readonly Manifest[]): readonly RepeatedObject[] => {
  const byIdentity = Map.groupBy(manifests, ({ object }) => identityOf(object))
  return [...byIdentity].flatMap(([identity, [first, second, ...more]]) =>
    identity === undefined || first === undefined || second === undefined
      ? []
      : [{ object: nameOf(first), places: [placeOf(first), placeOf(second), ...more.map(placeOf)] as const }],
  )
}

/**
 * The manifests as `kubectl apply` would leave them: of several objects of one group, kind, namespace and name the last one, in the
 * place of the first. `say` is told of each with the files and lines.
 */
export const lastApplied = (manifests: readonly Manifest[], say: (line: string) => void): readonly Manifest[] => {
  const repeated = repeatedObjects(manifests)
  if (repeated.length === 0) return manifests
  for (const { object, places } of repeated.slice(0, NAMED))
    say(`${object} is there ${places.length} times (${places.join(', ')}): the last one counts, as with kubectl apply`)
  if (repeated.length > NAMED)
    say(`${repeated.length - NAMED} more objects are there several times: the last one counts`)
  const last = new Map<string | Manifest, Manifest>()
  for (const manifest of manifests) last.set(identityOf(manifest.object) ?? manifest, manifest)
  return [...last.values()]
}
