import {
  annotations,
  HASH_VERSION,
  isConditionTrue,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type NodeClaim,
  type NodePool,
  nodePoolHash,
  resourceAdmission,
} from '@kerf/apis'
import { karpenterResource } from '../manifests/karpenter-kinds.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { expandWorkloads } from '../workloads/expand-workloads.ts'
import { isWorkload } from '../workloads/workload.ts'
import { withoutReplacedPods } from './replaced-pods.ts'

/** The effect of a change on one object: the object, and what happens to it. */
export interface ChangedObject {
  /** Kind and name, for example `NodePool general` or `Deployment shop/web`. */
  readonly object: string
  readonly change: 'added' | 'changed' | 'unchanged'
}

export interface ChangedManifests {
  readonly manifests: readonly Manifest[]
  readonly objects: readonly ChangedObject[]
}

const objectKey = ({ apiVersion, kind, metadata }: KubeObject): string =>
  `${apiVersion}/${kind} ${metadata.namespace ?? 'default'}/${metadata.name}`

const objectName = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`

/** Returns the object with the defaults that the API server would set. Only the defaults of Kerf's own kinds are known. */
const defaulted = (object: KubeObject): KubeObject => {
  const resource = karpenterResource(object)
  if (resource === undefined) return object
  return resourceAdmission(resource).withDefaults(object)
}

/** Returns whether a change makes the status of the object invalid. The status must then be computed again. */
const isReckonedAnew = (object: KubeObject): boolean =>
  isWorkload(object) || object.kind === kinds.PodDisruptionBudget.kind

/** Returns the object after the change is applied. Its identity, its status and the fields of other writers are kept. */
const applied = (before: KubeObject, change: KubeObject): KubeObject => {
  const { status: _, ...given } = change as KubeObject & { readonly status?: unknown }
  const { status } = before as KubeObject & { readonly status?: unknown }
  return {
    ...given,
    metadata: {
      ...before.metadata,
      labels: { ...before.metadata.labels, ...change.metadata.labels },
      annotations: { ...before.metadata.annotations, ...change.metadata.annotations },
    },
    ...(status === undefined || isReckonedAnew(before) ? {} : { status }),
  } as KubeObject
}

const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

/** Returns the object without metadata and status, as text. */
const objectContent = (object: KubeObject): string => {
  const { metadata: _, status: __, ...content } = object as KubeObject & { readonly status?: unknown }
  return sortedJson(content)
}

/**
 * Returns the manifests with the template hashes that the controller writes on NodePools. If the hash of a NodePool has an older hash
 * version, the NodePool's claims also get a new hash (`docs/spec/lifecycle.md#nodepool-controllers`). Drift is detected by comparing these
 * hashes.
 */
const stamped = (manifests: readonly Manifest[]): readonly Manifest[] => {
  const pools = new Map<string, { readonly hash: string; readonly isCurrent: boolean }>()
  const withPools = manifests.map((manifest) => {
    const { object } = manifest
    if (object.kind !== karpenterKinds.NodePool.kind) return manifest
    const pool = defaulted(object) as NodePool
    const hash = nodePoolHash(pool)
    const isCurrent = object.metadata.annotations?.[annotations.nodePoolHashVersion] === HASH_VERSION
    pools.set(object.metadata.name, { hash, isCurrent })
    const stamps = { [annotations.nodePoolHash]: hash, [annotations.nodePoolHashVersion]: HASH_VERSION }
    return { ...manifest, object: withAnnotations(pool, stamps) }
  })
  return withPools.map((manifest) => {
    const { object } = manifest
    if (object.kind !== karpenterKinds.NodeClaim.kind) return manifest
    const pool = pools.get(object.metadata.labels?.[labels.nodePool] ?? '')
    const isOld = object.metadata.annotations?.[annotations.nodePoolHashVersion] !== HASH_VERSION
    if (pool === undefined || pool.isCurrent || !isOld || isConditionTrue(object as NodeClaim, 'Drifted'))
      return manifest
    const stamps = { [annotations.nodePoolHash]: pool.hash, [annotations.nodePoolHashVersion]: HASH_VERSION }
    return { ...manifest, object: withAnnotations(object, stamps) }
  })
}

const withAnnotations = <T extends KubeObject>(object: T, more: Readonly<Record<string, string>>): T => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...more } },
})

/** Returns the manifests of a cluster before a change, with the defaults and hashes that the API server and the controllers add. */
export const settledManifests = (manifests: readonly Manifest[]): readonly Manifest[] =>
  stamped(manifests.map((manifest) => ({ ...manifest, object: defaulted(manifest.object) })))

/**
 * Returns the pods that the changed workloads would create in addition to the pods that they keep. Includes the volume claims and the
 * ReplicaSets of the new pods.
 */
const podsOfChange = (manifests: readonly Manifest[], change: readonly Manifest[]): readonly Manifest[] => {
  if (!change.some(({ object }) => isWorkload(object))) return []
  const place = ({ file, line }: Manifest): string => `${file}:${line}`
  const places = new Set(change.map(place))
  const known = new Set(manifests.map(({ object }) => object))
  return expandWorkloads(manifests, 'current').manifests.filter(
    (manifest) => !known.has(manifest.object) && places.has(place(manifest)),
  )
}

/**
 * Returns the cluster as it would be after `kubectl apply` of the change. Existing objects are replaced, new objects are added, and pods
 * that their workload would replace are removed. `before` comes from `settledManifests`.
 */
export const changedManifests = (before: readonly Manifest[], change: readonly Manifest[]): ChangedManifests => {
  const all = new Map(before.map((manifest) => [objectKey(manifest.object), manifest]))
  const objects: ChangedObject[] = []
  for (const manifest of change) {
    const key = objectKey(manifest.object)
    const old = all.get(key)
    const given = defaulted(manifest.object)
    if (old === undefined) {
      all.set(key, { ...manifest, object: given })
      objects.push({ object: objectName(given), change: 'added' })
      continue
    }
    const isSame = objectContent(old.object) === objectContent(given)
    objects.push({ object: objectName(given), change: isSame ? 'unchanged' : 'changed' })
    if (!isSame) all.set(key, { ...manifest, object: applied(old.object, given) })
  }
  const left = withoutReplacedPods([...all.values()], before, change)
  return { manifests: stamped([...left, ...podsOfChange(left, change)]), objects }
}
