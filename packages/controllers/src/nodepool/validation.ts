import { conditionSets, karpenterKinds, setCondition, validateNodePool } from '@kerf/apis'
import { type Controller, done } from '@kerf/runtime'
import { patchConditions } from '../condition-patch.ts'
import type { Deps } from '../deps.ts'
import { isManagedPool } from '../nodeclaim/ownership.ts'
import { poolSource } from './pool-sources.ts'

/** Checks the rules that the API server cannot check, and writes the result to the `ValidationSucceeded` condition of every pool. */
export const nodePoolValidation = (deps: Deps): Controller => {
  const { informers, provider, client, clock } = deps
  const pools = informers.of(karpenterKinds.NodePool)
  return {
    name: 'nodepool.validation',
    reconciles: karpenterKinds.NodePool,
    sources: [poolSource(informers)],
    concurrency: 10,
    reconcile: async (name, signal) => {
      const pool = pools.get(name)
      if (pool === undefined || !isManagedPool(provider, pool)) return done()
      const { errors: problems, warnings } = validateNodePool(pool, provider.vocabulary)
      for (const warning of warnings) deps.log.error(warning, { NodePool: { name } })
      const type = 'ValidationSucceeded'
      const change =
        problems.length === 0
          ? ({ type, status: 'True' } as const)
          : ({ type, status: 'False', reason: 'NodePoolValidationFailed', message: problems.join('; ') } as const)
      const conditions = setCondition(conditionSets.NodePool, pool, change, clock.now())
      await patchConditions(client, karpenterKinds.NodePool, pool, conditions, signal)
      return done()
    },
  }
}
