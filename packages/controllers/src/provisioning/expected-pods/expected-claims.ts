import { type KubeObject, kinds, type PersistentVolumeClaim, type Pod } from '@kerf/apis'
import { type ClusterSnapshot, defaultStorageClass } from '@kerf/engine'
import { claimsOfExpectedPod } from './expected-pod.ts'
import type { Owner } from './owners.ts'

/** The expected pods of one owner. For a StatefulSet, also its claim templates. */
export interface PodsWithClaims {
  readonly pods: Iterable<Pod>
  readonly claimTemplates: readonly KubeObject[]
}

/** Returns the snapshot with the volume claims that the expected pods will have. Existing claims do not change. */
export const withExpectedClaims = (snapshot: ClusterSnapshot, expected: Iterable<PodsWithClaims>): ClusterSnapshot => {
  const known = new Set(snapshot.persistentVolumeClaims.map(claimKey))
  const defaultClass = defaultStorageClass(snapshot.storageClasses)?.metadata.name
  const claims = Array.from(expected, ({ pods, claimTemplates }) =>
    Array.from(pods, (pod) => claimsOfExpectedPod(pod, claimTemplates, defaultClass)),
  ).flat(2)
  return {
    ...snapshot,
    persistentVolumeClaims: [
      ...snapshot.persistentVolumeClaims,
      ...claims.filter((claim) => !known.has(claimKey(claim))),
    ],
  }
}

const claimKey = ({ metadata }: PersistentVolumeClaim): string => `${metadata.namespace ?? 'default'}/${metadata.name}`

/** Returns the claim templates of a StatefulSet. Empty for any other owner. */
export const listClaimTemplates = ({ kind, object }: Owner): readonly KubeObject[] =>
  kind.kind === kinds.StatefulSet && 'volumeClaimTemplates' in object.spec
    ? (object.spec.volumeClaimTemplates as readonly KubeObject[])
    : []
