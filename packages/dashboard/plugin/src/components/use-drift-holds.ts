import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { useState } from 'react'
import { useNodeObjects, useReportedNext } from '../cluster/use-reported.ts'
import { type DriftHold, driftHolds, type HoldsByClaim, holdsByClaim, keptHolds } from '../model/drift-holds.ts'
import { driftBlockers } from '../model/object-blockers.ts'
import { useNow } from './use-now.ts'
import { useThrottledEffect } from './use-throttled-effect.ts'

const NO_HOLDS: HoldsByClaim = new Map<string, DriftHold>()
/** The minimum time between two computations, and between two requests to Kerf, in milliseconds. */
const EVERY = 5_000
const ASK_EVERY = 10_000

/** The objects that show what keeps drifted nodes. */
export interface HoldObjects {
  readonly claims: readonly unknown[]
  readonly nodes: readonly unknown[]
  readonly pods: readonly unknown[]
  readonly budgets: readonly unknown[]
}

/**
 * Returns what blocks the replacement of drifted NodeClaims (see `driftHolds`), keyed by the name of the NodeClaim.
 * Returns the same map until an entry changes. The map is empty if several clusters are shown together, because two
 * NodeClaims may then have the same name. `read` is called when the result is computed, and must return the current
 * objects. `changes` are the lists on which the objects depend.
 */
export const useHoldsOf = (read: () => HoldObjects, changes: readonly unknown[], isLoading: boolean): HoldsByClaim => {
  const report = useReportedNext(useNow(ASK_EVERY))
  const isOne = K8s.useSelectedClusters().length === 1
  const [found, setFound] = useState(NO_HOLDS)
  useThrottledEffect(
    EVERY,
    () => {
      const { claims, nodes, pods, budgets } = read()
      const holdOf = driftHolds({ report, blockersOf: driftBlockers({ nodes, pods, budgets }) })
      const holds = isOne ? holdsByClaim(claims, holdOf) : NO_HOLDS
      setFound((before) => keptHolds(before, holds))
    },
    [report, ...changes],
    `${isOne} ${isLoading}`,
  )
  return found
}

/** Returns what blocks the replacement of the drifted NodeClaims in the live lists (see `useHoldsOf`). */
export const useDriftHolds = (): HoldsByClaim => {
  const { claims, nodes, pods, budgets, isLoading } = useNodeObjects()
  return useHoldsOf(() => ({ claims, nodes, pods, budgets }), [claims, nodes, pods, budgets], isLoading)
}
