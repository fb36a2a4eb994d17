import {
  conditionSets,
  findCondition,
  isConditionFalse,
  isConditionTrue,
  karpenterKinds,
  setCondition,
} from '@kerf/apis'
import { type Controller, done } from '@kerf/runtime'
import { patchConditions } from '../../condition-patch.ts'
import { concurrency, type Deps } from '../../deps.ts'
import { isManagedPool } from '../../nodeclaim/ownership.ts'
import { findNodeClass, nodeClassSources, poolSource } from '../pool-sources.ts'
import type { RegistrationOutcomes } from './registration-outcomes.ts'

const REGISTRATION_HEALTHY = 'NodeRegistrationHealthy'

/** Resets the registration outcomes when the pool or its NodeClass changes, and restores them after a restart. */
export const nodePoolRegistrationHealth = (deps: Deps, outcomes: RegistrationOutcomes): Controller => {
  const { informers, provider, client, clock } = deps
  const pools = informers.of(karpenterKinds.NodePool)
  return {
    name: 'nodepool.registrationhealth',
    reconciles: karpenterKinds.NodePool,
    sources: [poolSource(informers), ...nodeClassSources(informers, provider)],
    concurrency: concurrency(deps.settings, 10, 1_000),
    reconcile: async (name, signal) => {
      const pool = pools.get(name)
      if (pool === undefined || !isManagedPool(provider, pool)) return done()
      const nodeClass = findNodeClass(informers, provider, pool)
      if (nodeClass === undefined) return done()
      const uid = pool.metadata.uid ?? ''
      if (outcomes.status(uid) === 'unknown') {
        if (isConditionTrue(pool, REGISTRATION_HEALTHY)) outcomes.seed(uid, 'healthy')
        if (isConditionFalse(pool, REGISTRATION_HEALTHY)) outcomes.seed(uid, 'unhealthy')
      }
      const condition = findCondition(pool, REGISTRATION_HEALTHY)
      const generation = nodeClass.metadata.generation ?? 0
      const isStale =
        condition === undefined ||
        pool.status?.nodeClassObservedGeneration !== generation ||
        condition.observedGeneration !== pool.metadata.generation
      if (!isStale) return done()
      outcomes.reset(uid)
      const change = { type: REGISTRATION_HEALTHY, status: 'Unknown' } as const
      const conditions = setCondition(conditionSets.NodePool, pool, change, clock.now())
      await patchConditions(client, karpenterKinds.NodePool, pool, conditions, signal, {
        nodeClassObservedGeneration: generation,
      })
      return done()
    },
  }
}
