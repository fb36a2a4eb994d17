import type { DecisionRow } from './decisions.ts'
import { objectName } from './read.ts'
import { readyStatus } from './status.ts'

/** A warning about one or several objects. */
export interface RecentWarning {
  readonly id: string
  readonly what: string
  readonly kind: string
  /** The object that the warning is about. If there are several objects, one of them. */
  readonly name: string
  readonly namespace: string
  /** The number of occurrences or objects. */
  readonly count: number
  /** The time at which the warning last occurred. Absent for a condition that is true now. */
  readonly time: number | undefined
  readonly message: string
}

const ofPools = (pools: readonly unknown[]): readonly RecentWarning[] =>
  pools.flatMap((pool): readonly RecentWarning[] => {
    const { code, detail } = readyStatus(pool)
    if (code !== 'NotReady' && code !== 'Unhealthy') return []
    const name = objectName(pool)
    return [
      {
        id: `pool/${name}`,
        what: code,
        kind: 'NodePool',
        name,
        namespace: '',
        count: 1,
        time: undefined,
        message: detail,
      },
    ]
  })

/**
 * Returns current problems of NodePools, and the autoscaler's warnings since a time, newest first. Equal warnings
 * about several objects are grouped. Unschedulable pods are left out, because they have their own panel.
 */
export const warningsSince = (
  decisions: readonly DecisionRow[],
  pools: readonly unknown[],
  since: number,
): readonly RecentWarning[] => {
  const merged = new Map<string, RecentWarning>()
  for (const { type, reason, kind, name, namespace, count, time, message } of decisions) {
    if (type !== 'Warning' || time < since || reason === 'FailedScheduling') continue
    const id = `${kind}/${reason}`
    const known = merged.get(id)
    merged.set(
      id,
      known === undefined
        ? { id, what: reason, kind, name, namespace, count, time, message }
        : { ...known, count: known.count + count },
    )
  }
  return [...ofPools(pools), ...merged.values()]
}
