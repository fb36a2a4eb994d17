import { useMemo } from 'react'
import { type DriftHold, driftHolds } from '../model/drift-holds.ts'
import { driftBlockers } from '../model/object-blockers.ts'
import { useNodeObjects, useReportedNext } from './use-reported.ts'

/** Returns a function that returns what blocks the replacement of a drifted NodeClaim (see `driftHolds`). Asks Kerf when `time` changes. */
export const useDriftHolds = (time: number): ((claim: unknown) => DriftHold | undefined) => {
  const report = useReportedNext(time)
  const { nodes, pods, budgets } = useNodeObjects()
  return useMemo(
    () => driftHolds({ report, blockersOf: driftBlockers({ nodes, pods, budgets }) }),
    [report, nodes, pods, budgets],
  )
}
