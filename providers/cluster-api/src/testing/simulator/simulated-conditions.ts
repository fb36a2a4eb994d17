import { type Condition, formatTime, type Milliseconds } from '@kerf/apis'
import type { ClusterApiVersion } from '../../objects/api-version.ts'
import type { StatusOnWire } from '../../objects/wire.ts'

export interface SimulatedCondition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message?: string
}

/** Returns the part of a status with these conditions, in the place that the version uses (samples of both). */
export const conditionsInStatus = (
  version: ClusterApiVersion,
  before: readonly Condition[],
  changes: readonly SimulatedCondition[],
  now: Milliseconds,
): StatusOnWire => {
  const next = new Map(before.map((condition) => [condition.type, condition]))
  for (const { message = '', ...change } of changes) {
    const old = next.get(change.type)
    const lastTransitionTime =
      old?.status === change.status ? (old.lastTransitionTime ?? formatTime(now)) : formatTime(now)
    next.set(change.type, { ...change, message, lastTransitionTime })
  }
  const conditions = [...next.values()]
  return version === 'v1beta2' ? { conditions } : { v1beta2: { conditions } }
}
