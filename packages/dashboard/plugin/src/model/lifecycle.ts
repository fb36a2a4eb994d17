import { findConditionRow } from './conditions.ts'
import { listAt, textAt, timeAt } from './read.ts'

/**
 * The phases of a NodeClaim: its pods wait, it is launched, its node registers and initializes, and at the end the
 * node is drained and deleted.
 */
export const phases = ['waiting', 'launching', 'registering', 'initializing', 'draining', 'terminating'] as const
export type PhaseName = (typeof phases)[number]

/** One phase of a claim. */
export interface Phase {
  readonly name: PhaseName
  readonly from: number
  /** Absent while the phase continues. */
  readonly to: number | undefined
}

const trueSince = (claim: unknown, type: string): number | undefined => {
  const condition = findConditionRow(claim, type)
  return condition?.status === 'True' ? condition.since : undefined
}

const isOwnedByNode = (pod: unknown): boolean =>
  listAt(pod, 'metadata', 'ownerReferences').some((owner) =>
    ['DaemonSet', 'Node'].includes(textAt(owner, 'kind') ?? ''),
  )

/**
 * Returns when the first of the claim's pods was created. Pods that are younger than the claim do not count, because
 * it was not launched for them.
 */
export const waitingSince = (claim: unknown, pods: readonly unknown[]): number | undefined => {
  const created = timeAt(claim, 'metadata', 'creationTimestamp')
  if (created === undefined) return undefined
  const times = pods.flatMap((pod) => {
    const time = timeAt(pod, 'metadata', 'creationTimestamp')
    return time === undefined || time > created || isOwnedByNode(pod) ? [] : [time]
  })
  return times.length === 0 ? undefined : Math.min(...times)
}

/**
 * Returns the phases that a claim has begun, in order, according to the times of its conditions and pods. If steps
 * were completed out of order, for example after a restart, the duration of a phase is zero and never negative.
 */
export const claimPhases = (claim: unknown, pods: readonly unknown[] = []): readonly Phase[] => {
  const created = timeAt(claim, 'metadata', 'creationTimestamp')
  if (created === undefined) return []
  const deleted = timeAt(claim, 'metadata', 'deletionTimestamp')
  const since = waitingSince(claim, pods)
  const found: Phase[] = since === undefined ? [] : [{ name: 'waiting', from: since, to: created }]
  let from = created
  const step = (name: PhaseName, type: string): boolean => {
    const done = trueSince(claim, type)
    const to = done === undefined ? undefined : Math.max(from, done)
    // A phase that was incomplete when the NodeClaim was deleted ended at the time of the deletion.
    found.push({ name, from, to: to ?? deleted })
    if (to !== undefined) from = to
    return to !== undefined
  }
  const isThere =
    step('launching', 'Launched') && step('registering', 'Registered') && step('initializing', 'Initialized')
  if (deleted === undefined) return found
  from = deleted
  if (isThere && step('draining', 'Drained')) found.push({ name: 'terminating', from, to: undefined })
  else if (!isThere) found.push({ name: 'terminating', from, to: undefined })
  // The drain starts at the deletion, so the deletion is not the end of a drain that is in progress.
  return found.map((phase) => (phase.name === 'draining' && phase.to === deleted ? { ...phase, to: undefined } : phase))
}

export interface Median {
  readonly milliseconds: number
  /** The number of NodeClaims from which the median was computed. */
  readonly count: number
}

const medianOf = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[sorted.length / 2 - 1] ?? 0) + upper) / 2
}

/** Returns the median duration of each finished phase over many claims. `podsOf` returns the pods of a claim. */
export const medians = (
  claims: readonly unknown[],
  podsOf: (claim: unknown) => readonly unknown[] = () => [],
): ReadonlyMap<PhaseName, Median> => {
  const took = new Map<PhaseName, number[]>()
  for (const claim of claims) {
    for (const { name, from, to } of claimPhases(claim, podsOf(claim))) {
      if (to === undefined) continue
      const list = took.get(name) ?? []
      list.push(to - from)
      took.set(name, list)
    }
  }
  return new Map([...took].map(([name, list]) => [name, { milliseconds: medianOf(list), count: list.length }]))
}
