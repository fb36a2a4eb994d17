import type { Pod } from '@kerf/apis'
import { cachedRequests } from '@kerf/engine'
import { ifReadable } from '../isolation/if-readable.ts'

/** Whether the pod may run only on some of the nodes that are large enough for it. */
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

/** A pod whose requests cannot be read leaves among the last. */
const requestsOf = (pod: Pod): ReadonlyMap<string, bigint> => ifReadable(() => cachedRequests(pod)) ?? NOTHING

/**
 * Pods in the order in which they had best leave a node: those that fit in the fewest places first, then the largest.
 * kube-scheduler places their successors as they come, each where most is free: one that may go anywhere would take the room
 * that only a later one could do with, and another node would be bought for that. A pod is as large as its largest share of
 * what all of these ask for.
 */
export const hardestFirst = (pods: readonly Pod[]): readonly Pod[] => {
  const totals = new Map<string, number>()
  for (const pod of pods) {
    for (const [name, amount] of requestsOf(pod)) totals.set(name, (totals.get(name) ?? 0) + Number(amount))
  }
  const shareOf = (name: string, amount: bigint): number => Number(amount) / Math.max(1, totals.get(name) ?? 0)
  const weighed = pods.map((pod) => ({
    pod,
    isBound: ifReadable(() => isBound(pod)) ?? false,
    size: Math.max(0, ...[...requestsOf(pod)].map(([name, amount]) => shareOf(name, amount))),
  }))
  weighed.sort((a, b) => Number(b.isBound) - Number(a.isBound) || b.size - a.size)
  return weighed.map(({ pod }) => pod)
}
