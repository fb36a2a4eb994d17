import {
  conditionSets,
  findCondition,
  isConditionFalse,
  isConditionTrue,
  karpenterKinds,
  labels,
  type NodeClaim,
  type NodePool,
  setCondition,
} from '@kerf/apis'
import { isNotFound } from '@kerf/runtime'
import { patchConditions } from '../condition-patch.ts'
import type { Deps } from '../deps.ts'
import type { RegistrationTracker } from './registration-tracker.ts'

export const REGISTRATION_HEALTHY = 'NodeRegistrationHealthy'

type OutcomeDeps = Pick<Deps, 'client' | 'clock'>

/** The pool that made the claim and still exists; a pool of the same name made later does not answer for it. */
const poolOf = async (deps: OutcomeDeps, claim: NodeClaim, signal: AbortSignal): Promise<NodePool | undefined> => {
  const name = claim.metadata.labels?.[labels.nodePool]
  if (name === undefined) return undefined
  try {
    const pool = await deps.client.get(karpenterKinds.NodePool, { name }, { signal })
    const { kind } = karpenterKinds.NodePool
    const isOwner = claim.metadata.ownerReferences?.some(
      (owner) => owner.kind === kind && owner.uid === pool.metadata.uid,
    )
    return isOwner === true ? pool : undefined
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/**
 * A node of the pool has registered: the pool becomes `NodeRegistrationHealthy=True` once its last outcomes allow it
 * (`spec/disruption-and-lifecycle.md` 1.9). Throws what the API answers; call it again then.
 */
export const recordRegistrationSuccess = async (
  deps: OutcomeDeps,
  tracker: RegistrationTracker,
  claim: NodeClaim,
  signal: AbortSignal,
): Promise<void> => {
  const pool = await poolOf(deps, claim, signal)
  if (pool === undefined) return
  const uid = pool.metadata.uid ?? ''
  if (tracker.healthWith(uid, 'success') === 'healthy' && !isConditionTrue(pool, REGISTRATION_HEALTHY)) {
    const change = { type: REGISTRATION_HEALTHY, status: 'True' } as const
    const conditions = setCondition(conditionSets.NodePool, pool, change, deps.clock.now())
    await patchConditions(deps.client, karpenterKinds.NodePool, pool, conditions, signal)
  }
  tracker.record(uid, 'success')
}

/** A claim was given up because it did not launch or register in time. */
export const recordRegistrationFailure = async (
  deps: OutcomeDeps,
  tracker: RegistrationTracker,
  claim: NodeClaim,
  signal: AbortSignal,
): Promise<void> => {
  const pool = await poolOf(deps, claim, signal)
  if (pool === undefined) return
  const uid = pool.metadata.uid ?? ''
  if (tracker.healthWith(uid, 'failure') === 'unhealthy' && !isConditionFalse(pool, REGISTRATION_HEALTHY)) {
    const conditions = setCondition(conditionSets.NodePool, pool, failureOf(claim), deps.clock.now())
    await patchConditions(deps.client, karpenterKinds.NodePool, pool, conditions, signal)
  }
  tracker.record(uid, 'failure')
}

const failureOf = (claim: NodeClaim) => {
  const failure = { type: REGISTRATION_HEALTHY, status: 'False' } as const
  if (isConditionTrue(claim, 'Launched')) {
    return { ...failure, reason: 'RegistrationFailed', message: 'Failed to register node' }
  }
  const launched = findCondition(claim, 'Launched')
  return { ...failure, reason: launched?.reason ?? 'LaunchFailed', message: launched?.message ?? '' }
}
