import type { Pod } from '@kerf/apis'
import { cachedRequests } from '@kerf/engine'
import { ifReadable } from '../../state/isolation/if-readable.ts'

/** Returns whether the pod's spec excludes some of the nodes that are large enough. */
const isBound = ({ spec }: Pod): boolean => {
  const { nodeAffinity, podAffinity, podAntiAffinity } = spec.affinity ?? {}
  return (
    Object.keys(spec.nodeSelector ?? {}).length > 0 ||
    [nodeAffinity, podAffinity, podAntiAffinity].some(
      (affinity) => affinity?.requiredDuringSchedulingIgnoredDuringExecution !== undefined,
    ) ||
    (spec.topologySpreadConstraints ?? []).some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule') ||
    (spec.volumes ?? []).some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined)
  )
}

const NOTHING: ReadonlyMap<string, bigint> = new Map()

/** Returns the requests of a pod. Returns none if the pod cannot be read, so that the pod comes last. */
const podRequests = (pod: Pod): ReadonlyMap<string, bigint> => ifReadable(() => cachedRequests(pod)) ?? NOTHING

/**
 * Sorts pods in the order in which a drain should evict them. Pods whose spec excludes nodes come first, and larger pods come before
 * smaller ones. kube-scheduler places their replacements in the order of creation, each on the node with the most free capacity. If a pod
 * that fits anywhere came first, it could take the only node on which a later pod fits, and Kerf would launch another node. The size of a
 * pod is its largest share of the total requests of these pods.
 */
export const hardestFirst = (pods: readonly Pod[]): readonly Pod[] => {
  const totals = new Map<string, number>()
  for (const pod of pods) {
    for (const [name, amount] of podRequests(pod)) totals.set(name, (totals.get(name) ?? 0) + Number(amount))
  }
  const shareOfTotal = (name: string, amount: bigint): number => Number(amount) / Math.max(1, totals.get(name) ?? 0)
  const weighed = pods.map((pod) => ({
    pod,
    isBound: ifReadable(() => isBound(pod)) ?? false,
    size: Math.max(0, ...[...podRequests(pod)].map(([name, amount]) => shareOfTotal(name, amount))),
  }))
  weighed.sort((a, b) => Number(b.isBound) - Number(a.isBound) || b.size - a.size)
  return weighed.map(({ pod }) => pod)
}
