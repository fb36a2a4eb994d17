import {
  type ConditionChange,
  clearCondition,
  conditionSets,
  EXPECTED_PODS_LIMITED,
  formatTime,
  karpenterKinds,
  type NodePool,
  objectConditions,
  setCondition,
  withConditions,
} from '@kerf/apis'
import { type Controller, done, isConflict, isNotFound, retry, retryAfter, source } from '@kerf/runtime'
import { patchConditions } from '../condition-patch.ts'
import type { Deps } from '../deps.ts'
import { eventObject } from '../event-object.ts'
import { isManagedPool } from '../nodeclaim/ownership.ts'
import type { PlanningLimits } from '../provisioning/expected-pods/planning-limits.ts'
import {
  type OperationName,
  operationNames,
  type PoolOperation,
  poolOperations,
  readOperations,
} from './pool-operation.ts'

const titles: Readonly<Record<OperationName, string>> = {
  pause: 'disruption is paused',
  cordon: 'nothing is launched',
  consolidate: 'consolidateAfter is ignored',
}

const sentence = (name: OperationName, { until, owner, reason }: PoolOperation): string =>
  `${titles[name]} until ${formatTime(until)}, by ${owner}${reason === '' ? '' : `: ${reason}`}`

/** Returns the pool with the conditions for its operation annotations. Adds `limit` if it is defined. */
const shown = (pool: NodePool, limit: ConditionChange | undefined, now: number): NodePool => {
  const operations = readOperations(pool)
  const set = conditionSets.NodePool
  let current = pool
  for (const name of operationNames) {
    const { annotation, condition: type } = poolOperations[name]
    const operation = operations[name]
    const isAsked = pool.metadata.annotations?.[annotation] !== undefined
    if (!isAsked) {
      current = withConditions(current, clearCondition(set, current, type))
      continue
    }
    const change =
      operation === undefined
        ? ({
            type,
            status: 'False',
            reason: 'Unreadable',
            message: `annotation ${annotation} cannot be parsed`,
          } as const)
        : ({ type, status: 'True', reason: 'Requested', message: sentence(name, operation) } as const)
    current = withConditions(current, setCondition(set, current, change, now))
  }
  return withConditions(
    current,
    limit === undefined ? clearCondition(set, current, EXPECTED_PODS_LIMITED) : setCondition(set, current, limit, now),
  )
}

/**
 * Reports each operation as a condition and an Event, and removes the operation's annotation when the operation ends (controller
 * `nodepool.operations`, `docs/spec/coexistence.md#operations-for-a-while`). Another condition reports what limits the planning of expected
 * pods.
 */
export const operationsController = (
  { informers, client, clock, events, provider }: Deps,
  limits?: PlanningLimits,
): Controller => {
  const pools = informers.of(karpenterKinds.NodePool)
  const publish = (pool: NodePool, reason: 'OperationEnded' | 'OperationStarted', message: string): void =>
    events.publish({
      object: eventObject(karpenterKinds.NodePool, pool),
      type: 'Normal',
      reason,
      message,
      dedupeValues: [pool.metadata.uid ?? '', message],
    })

  /** Removes the annotations of operations that have ended. Returns whether it removed any. */
  const end = async (pool: NodePool, signal: AbortSignal): Promise<boolean> => {
    const operations = readOperations(pool)
    const ended = operationNames.filter((name) => (operations[name]?.until ?? Number.POSITIVE_INFINITY) <= clock.now())
    if (ended.length === 0) return false
    const { name, resourceVersion } = pool.metadata
    const annotations = Object.fromEntries(ended.map((operation) => [poolOperations[operation].annotation, null]))
    // If a user has just extended the operation, the resourceVersion makes the patch fail.
    const body = { metadata: { resourceVersion, annotations } }
    await client.patch(karpenterKinds.NodePool, { name }, { type: 'merge', body }, { signal })
    for (const operation of ended) {
      publish(pool, 'OperationEnded', `${titles[operation]} ended: requested by ${operations[operation]?.owner ?? ''}`)
    }
    return true
  }

  return {
    name: 'nodepool.operations',
    reconciles: karpenterKinds.NodePool,
    sources: [source(pools, ({ after }) => (after === undefined ? [] : [after.metadata.name]))],
    ...(limits === undefined
      ? {}
      : {
          subscribe: (enqueue) =>
            limits.onChange(() => {
              for (const { metadata } of pools.values()) enqueue(metadata.name)
            }),
        }),
    concurrency: 1,
    reconcile: async (name, signal) => {
      const pool = pools.get(name)
      if (pool === undefined || pool.metadata.deletionTimestamp !== undefined) return done()
      try {
        // The patch triggers another reconciliation of the pool.
        if (await end(pool, signal)) return done()
        const limit = isManagedPool(provider, pool) ? limits?.condition : undefined
        const current = shown(pool, limit, clock.now())
        await patchConditions(client, karpenterKinds.NodePool, pool, objectConditions(current), signal)
      } catch (error) {
        if (isConflict(error)) return retry()
        if (isNotFound(error)) return done()
        throw error
      }
      const operations = Object.entries(readOperations(pool))
      for (const [operation, given] of operations) {
        publish(pool, 'OperationStarted', sentence(operation as OperationName, given))
      }
      const next = Math.min(...operations.map(([, { until }]) => until))
      return Number.isFinite(next) ? retryAfter(Math.max(0, next - clock.now())) : done()
    },
  }
}
