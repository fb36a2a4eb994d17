import type { NodePool, NodePoolPolicy, Taint } from '@kerf/apis'
import type { PoolAccess } from '@kerf/engine'
import { type AttachedPolicies, accessProblem } from './attached-policies.ts'

/** Matches no pod, because no scheduler has an empty name. */
const NOBODY: PoolAccess = { schedulerNames: [] }

const readAccess = (policy: NodePoolPolicy): PoolAccess => {
  if (accessProblem(policy) !== undefined) return NOBODY
  const { namespaceSelector, schedulerNames } = policy.spec.access ?? {}
  return {
    ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
    ...(schedulerNames === undefined ? {} : { schedulerNames }),
  }
}

/** Returns the NodePools with restricted access. If the section is invalid, no pod may use the NodePool. */
export const poolAccess = ({ applied }: AttachedPolicies): ReadonlyMap<string, PoolAccess> =>
  new Map(Array.from(applied.access, ([pool, policy]) => [pool, readAccess(policy)]))

/**
 * Returns the taints of a NodePool that keep pods without a toleration off its nodes. A pod that tolerates all of them but has no access is
 * refused by the fence (`docs/access.md`).
 */
export const hardTaints = (pool: NodePool): readonly Taint[] =>
  (pool.spec.template?.spec?.taints ?? []).filter(({ effect }) => effect !== 'PreferNoSchedule')
