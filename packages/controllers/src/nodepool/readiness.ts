import {
  type Condition,
  type ConditionChange,
  conditionSets,
  type KubeObject,
  karpenterKinds,
  READY,
  setCondition,
} from '@kerf/apis'
import { type Controller, done } from '@kerf/runtime'
import { patchConditions } from '../condition-patch.ts'
import { concurrency, type Deps } from '../deps.ts'
import { isManagedPool } from '../nodeclaim/ownership.ts'
import { findNodeClass, nodeClassSources, poolSource } from './pool-sources.ts'

const NODE_CLASS_READY = 'NodeClassReady'
/** The reason of the `NodeClassReady` condition if the NodeClass does not report whether it is ready. */
export const NODE_CLASS_UNKNOWN = 'NodeClassReadinessUnknown'

interface Ready {
  readonly status?: { readonly conditions?: readonly Condition[] }
}

const not = (reason: string, message: string): ConditionChange => ({
  type: NODE_CLASS_READY,
  status: 'False',
  reason,
  message,
})

/** Returns the pool's `NodeClassReady` condition (`docs/spec/lifecycle.md#nodepool-controllers`). */
const nodeClassReadiness = (nodeClass: (KubeObject & Ready) | undefined): ConditionChange => {
  if (nodeClass === undefined) return not('NodeClassNotFound', 'NodeClass not found on cluster')
  if (nodeClass.metadata.deletionTimestamp !== undefined) return not('NodeClassTerminating', 'NodeClass is Terminating')
  const ready = nodeClass.status?.conditions?.find(({ type }) => type === READY)
  switch (ready?.status) {
    case 'True':
      return { type: NODE_CLASS_READY, status: 'True' }
    case 'False':
      return not(ready.reason ?? 'NodeClassNotReady', ready.message ?? '')
    case 'Unknown':
    case undefined:
      return not(NODE_CLASS_UNKNOWN, 'Node Class Readiness Unknown')
  }
}

/** Writes the `NodeClassReady` condition of every pool. The `Ready` condition depends on it. */
export const nodePoolReadiness = (deps: Deps): Controller => {
  const { informers, provider, client, clock } = deps
  const pools = informers.of(karpenterKinds.NodePool)
  const warned = new Set<string>()
  return {
    name: 'nodepool.readiness',
    reconciles: karpenterKinds.NodePool,
    sources: [poolSource(informers), ...nodeClassSources(informers, provider)],
    concurrency: concurrency(deps.settings, 10, 1_000),
    reconcile: async (name, signal) => {
      const pool = pools.get(name)
      if (pool === undefined) return done()
      const ref = pool.spec.template.spec.nodeClassRef
      if (!isManagedPool(provider, pool)) {
        // Another autoscaler may serve the pool, so Kerf does not write to it. If a user has mistyped the kind of the NodeClass, the log
        // line shows the mistake.
        const served = provider.nodeClasses.map(({ kind, group }) => `${kind}.${group}`).join(', ')
        const unserved = `${ref.kind}.${ref.group}`
        if (!warned.has(`${name}/${unserved}`)) {
          warned.add(`${name}/${unserved}`)
          deps.log.warn(
            `ignoring nodepool ${name}: its nodeClassRef has kind ${unserved}, but provider ${provider.name} serves ${served}`,
            { NodePool: { name } },
          )
        }
        return done()
      }
      const change = nodeClassReadiness(findNodeClass(informers, provider, pool))
      const conditions = setCondition(conditionSets.NodePool, pool, change, clock.now())
      await patchConditions(client, karpenterKinds.NodePool, pool, conditions, signal)
      return done()
    },
  }
}
