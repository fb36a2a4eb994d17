import type { DecisionRow } from './decisions.ts'
import { nameOf } from './read.ts'
import { readyStatus } from './status.ts'

/** Something that went wrong. */
export interface RecentWarning {
  readonly id: string
  readonly what: string
  readonly kind: string
  /** What it happened to; one of them when there are several. */
  readonly name: string
  readonly namespace: string
  /** How often, or to how many. */
  readonly count: number
  /** When last; absent for what is so now. */
  readonly time: number | undefined
  readonly message: string
}

const ofPools = (pools: readonly unknown[]): readonly RecentWarning[] =>
  pools.flatMap((pool): readonly RecentWarning[] => {
    const { code, detail } = readyStatus(pool)
    if (code !== 'NotReady' && code !== 'Unhealthy') return []
    const name = nameOf(pool)
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
 * What is wrong with NodePools now, and what the autoscaler warned of since a time, the same of several objects together, the newest
 * first. That pods do not fit is told where pending pods are.
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
