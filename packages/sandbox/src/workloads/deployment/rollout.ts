import type { Deployment, ReplicaSet } from '@kerf/apis'
import { intOrPercent } from '../../objects/int-or-percent.ts'

/** The number of pods that a rolling update may have above and below the desired number. */
export interface Leeway {
  readonly surge: number
  readonly unavailable: number
}

export const wantedReplicas = (deployment: Deployment): number => deployment.spec.replicas ?? 1

/**
 * Returns the maximum surge, rounded up, and the maximum number of unavailable pods, rounded down. If both are zero, one pod may be
 * unavailable, because otherwise a rolling update could not progress. With the strategy Recreate, both are zero.
 */
export const rolloutLeeway = (deployment: Deployment): Leeway => {
  if (deployment.spec.strategy?.type === 'Recreate') return { surge: 0, unavailable: 0 }
  const wanted = wantedReplicas(deployment)
  const rolling = deployment.spec.strategy?.rollingUpdate
  const surge = intOrPercent(rolling?.maxSurge, wanted, 'up', '25%')
  const unavailable = intOrPercent(rolling?.maxUnavailable, wanted, 'down', '25%')
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : Math.min(unavailable, wanted) }
}

export const replicaCount = (replicaSet: ReplicaSet): number => replicaSet.spec.replicas ?? 1
const replicaSetAvailable = (replicaSet: ReplicaSet): number => replicaSet.status?.availableReplicas ?? 0
const total = (sets: readonly ReplicaSet[], of: (set: ReplicaSet) => number): number =>
  sets.reduce((sum, set) => sum + of(set), 0)

/** The new replica count of one ReplicaSet. */
export interface Resize {
  readonly replicaSet: ReplicaSet
  readonly replicas: number
}

const growNew = (deployment: Deployment, current: ReplicaSet, all: readonly ReplicaSet[]): Resize[] => {
  const wanted = wantedReplicas(deployment)
  const size = replicaCount(current)
  if (size === wanted) return []
  if (size > wanted) return [{ replicaSet: current, replicas: wanted }]
  const room = wanted + rolloutLeeway(deployment).surge - total(all, replicaCount)
  return room <= 0 ? [] : [{ replicaSet: current, replicas: size + Math.min(room, wanted - size) }]
}

const shrinkOld = (
  deployment: Deployment,
  current: ReplicaSet,
  old: readonly ReplicaSet[],
  all: readonly ReplicaSet[],
): Resize[] => {
  if (total(old, replicaCount) === 0) return []
  const floor = wantedReplicas(deployment) - rolloutLeeway(deployment).unavailable
  const unavailableNew = replicaCount(current) - replicaSetAvailable(current)
  let removable = total(all, replicaCount) - floor - unavailableNew
  if (removable <= 0) return []
  const sizes = new Map(old.map((set) => [set, replicaCount(set)]))
  // Unavailable pods are removed first, because this does not reduce availability.
  for (const set of old) {
    const size = sizes.get(set) ?? 0
    const unhealthy = Math.min(removable, Math.max(0, size - replicaSetAvailable(set)))
    sizes.set(set, size - unhealthy)
    removable -= unhealthy
  }
  let spare = Math.min(removable, total(all, replicaSetAvailable) - floor)
  for (const set of old) {
    if (spare <= 0) break
    const size = sizes.get(set) ?? 0
    const step = Math.min(size, spare)
    sizes.set(set, size - step)
    spare -= step
  }
  return [...sizes]
    .filter(([set, size]) => size !== replicaCount(set))
    .map(([replicaSet, replicas]) => ({ replicaSet, replicas }))
}

/**
 * Returns the next step of a rolling update. The new ReplicaSet grows first, up to the surge. If it cannot grow, the old ReplicaSets shrink
 * as far as availability allows. `old` is sorted by creation.
 */
export const rollingStep = (deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): Resize[] => {
  const all = [...old, current]
  const grown = growNew(deployment, current, all)
  return grown.length > 0 ? grown : shrinkOld(deployment, current, old, all)
}

/**
 * Returns the next step after a change of `spec.replicas`, or while the Deployment is paused. The caller checks these conditions. If at
 * most one ReplicaSet has replicas, it gets the desired number. If several have replicas (during a rollout) and the current one is
 * complete, the old ones are scaled to zero. Otherwise, all of them are scaled proportionally, and the largest gets the rounding remainder.
 * With the strategy Recreate, nothing changes while several have replicas.
 */
export const scalingStep = (
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): Resize[] => {
  const wanted = wantedReplicas(deployment)
  const all = current === undefined ? [...old] : [...old, current]
  const active = all.filter((set) => replicaCount(set) > 0)
  const [only] = active
  if (active.length <= 1) {
    const target = only ?? current ?? all.at(-1)
    return target === undefined || replicaCount(target) === wanted ? [] : [{ replicaSet: target, replicas: wanted }]
  }
  if (current !== undefined && replicaCount(current) === wanted && replicaSetAvailable(current) === wanted) {
    return old.filter((set) => replicaCount(set) > 0).map((replicaSet) => ({ replicaSet, replicas: 0 }))
  }
  if (deployment.spec.strategy?.type === 'Recreate') return []
  const allowed = wanted > 0 ? wanted + rolloutLeeway(deployment).surge : 0
  const sum = total(active, replicaCount)
  const difference = allowed - sum
  if (difference === 0) return []
  const order = active.toSorted((a, b) => replicaCount(b) - replicaCount(a))
  let left = difference
  const sizes = order.map((set) => {
    const share = Math.round((replicaCount(set) * allowed) / sum) - replicaCount(set)
    const step = difference > 0 ? Math.min(Math.max(share, 0), left) : Math.max(Math.min(share, 0), left)
    left -= step
    return replicaCount(set) + step
  })
  sizes[0] = Math.max(0, (sizes[0] ?? 0) + left)
  return order
    .map((replicaSet, index) => ({ replicaSet, replicas: sizes[index] ?? 0 }))
    .filter((step) => step.replicas !== replicaCount(step.replicaSet))
}
