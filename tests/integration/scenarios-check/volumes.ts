import type { NodeSelectorTerm, Pod } from '@kerf/apis'
import type { Harness } from './harness.ts'

/** The use of a PersistentVolumeClaim by one of the pod's volumes. */
interface Use {
  readonly claim: string
  readonly driver: string | undefined
}

/** How the pod's volumes restrict its node: one term of each list must match. If the pod can run nowhere, this is the reason. */
export type VolumeDemand =
  | { readonly terms: readonly (readonly NodeSelectorTerm[])[]; readonly uses: readonly Use[] }
  | { readonly impossible: string }

/**
 * Returns how the pod's volumes restrict its node. Bound volumes restrict it to their location, and unbound volumes to the topologies of
 * their StorageClass.
 */
export const computeVolumeDemand = (harness: Harness, pod: Pod): VolumeDemand => {
  const terms: (readonly NodeSelectorTerm[])[] = []
  const uses: Use[] = []
  for (const volume of pod.spec.volumes ?? []) {
    if (volume.persistentVolumeClaim === undefined) continue
    const name = `${pod.metadata.namespace ?? 'default'}/${volume.persistentVolumeClaim.claimName}`
    const claim = harness.claims.get(name)
    if (claim === undefined) return { impossible: `claim ${name} does not exist` }
    const { volumeName, storageClassName } = claim.spec
    if (volumeName !== undefined && volumeName !== '') {
      const bound = harness.volumes.get(volumeName)
      if (bound === undefined) return { impossible: `volume ${volumeName} does not exist` }
      uses.push({ claim: volumeName, driver: bound.spec.csi?.driver })
      const required = bound.spec.nodeAffinity?.required?.nodeSelectorTerms
      if (required !== undefined) terms.push(required)
      continue
    }
    const storage = harness.classes.get(storageClassName ?? '')
    if (storage === undefined) return { impossible: `storage class ${storageClassName} of ${name} does not exist` }
    if (storage.volumeBindingMode !== 'WaitForFirstConsumer')
      return { impossible: `claim ${name} waits for its volume` }
    uses.push({ claim: name, driver: storage.provisioner })
    const topologies = storage.allowedTopologies ?? []
    if (topologies.length > 0) {
      terms.push(
        topologies.map(({ matchLabelExpressions = [] }) => ({
          matchExpressions: matchLabelExpressions.map(({ key, values }) => ({ key, operator: 'In' as const, values })),
        })),
      )
    }
  }
  return { terms, uses }
}

/** Returns the drivers for which the pods together would attach more volumes than the node allows. */
export const exceededDrivers = (
  harness: Harness,
  pods: readonly Pod[],
  limits: Readonly<Record<string, number>>,
): readonly string[] => {
  const attached = new Map<string, Set<string>>()
  for (const pod of pods) {
    const demand = computeVolumeDemand(harness, pod)
    if ('impossible' in demand) continue
    for (const { claim, driver } of demand.uses) {
      if (driver === undefined) continue
      const known = attached.get(driver) ?? new Set()
      attached.set(driver, known.add(claim))
    }
  }
  return [...attached]
    .filter(([driver, claims]) => claims.size > (limits[driver] ?? Number.POSITIVE_INFINITY))
    .map(([driver]) => driver)
}
