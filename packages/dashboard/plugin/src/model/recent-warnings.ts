import type { DecisionRow } from './decisions.ts'
import { distinctReasons } from './distinct-reasons.ts'
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
  /** The number of other objects with the same warning. A Node and its NodeClaim count as one object. */
  readonly otherObjects: number
  /** The number of occurrences or objects. */
  readonly count: number
  /** The time at which the warning last occurred. Absent for a condition that is true now. */
  readonly time: number | undefined
  /** The most frequent message. */
  readonly message: string
  /** The number of further reasons in the messages, in addition to the shown one. */
  readonly others: number
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
        otherObjects: 0,
        count: 1,
        time: undefined,
        message: detail,
        others: 0,
      },
    ]
  })

/**
 * Returns current problems of NodePools, and the autoscaler's warnings since a time, newest first. Groups equal warnings about several
 * objects. Omits unschedulable pods, because they have their own panel.
 */
export const warningsSince = (
  decisions: readonly DecisionRow[],
  pools: readonly unknown[],
  since: number,
): readonly RecentWarning[] => {
  const merged = Map.groupBy(
    decisions.filter(({ type, time, reason }) => type === 'Warning' && time >= since && reason !== 'FailedScheduling'),
    ({ kind, about, reason }) => `${kind === 'NodePool' ? kind : about}/${reason}`,
  )
  return [
    ...ofPools(pools),
    ...Array.from(merged, ([id, rows]): RecentWarning => {
      const [{ reason, kind, name, namespace, time }] = rows as [DecisionRow, ...DecisionRow[]]
      const [most, ...others] = distinctReasons(rows)
      return {
        ...{ id, what: reason, kind, name, namespace, time },
        otherObjects: new Set(rows.map(({ subject }) => subject)).size - 1,
        count: rows.reduce((sum, row) => sum + row.count, 0),
        message: most?.message ?? '',
        others: others.length,
      }
    }),
  ]
}
