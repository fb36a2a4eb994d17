import { isTrue } from './conditions.ts'
import { at, isDeleting, listAt, objectName, textAt } from './read.ts'

/** What blocks the replacement of a drifted NodeClaim. */
export interface DriftHold {
  /** The first blocker. */
  readonly blocker: unknown
  /**
   * Set if the blocker contains the names of pods and budgets. A blocker from Kerf's report contains their uids
   * instead.
   */
  readonly isNamed?: true
  /** The number of blockers in addition to the first one. All of them must be resolved. */
  readonly others: number
}

export interface HoldSources {
  /** Kerf's report `/kerf/v1/next`. Absent if the controller is not Kerf. */
  readonly report: unknown
  /** Returns the blockers of a claim that the objects show, for example `driftBlockers`. */
  readonly blockersOf: ((claim: unknown) => readonly unknown[]) | undefined
}

const code = (blocker: unknown): string => textAt(blocker, 'code') ?? ''

/**
 * Returns a function that returns what blocks the replacement of a NodeClaim. The function returns undefined if the
 * NodeClaim has not drifted, or if only a disruption budget blocks it. The blocker comes from Kerf's report if there is
 * one, otherwise from the objects. The report contains only one blocker per node, so the objects show how many more
 * there are.
 */
export const driftHolds = ({ report, blockersOf }: HoldSources): ((claim: unknown) => DriftHold | undefined) => {
  const awaited = listAt(report, 'awaited').filter((each) => textAt(each, 'reason') === 'Drifted')
  const reported = new Map(awaited.map((each) => [textAt(each, 'nodeClaim') ?? '', at(each, 'blocker')]))
  const isReported = at(report, 'awaited') !== undefined
  return (claim) => {
    if (isDeleting(claim) || !isTrue(claim, 'Drifted')) return undefined
    const found = blockersOf?.(claim) ?? []
    const blocker = isReported ? reported.get(objectName(claim)) : found[0]
    if (blocker === undefined || code(blocker) === 'budget.exhausted') return undefined
    const isListed = found.some((each) => code(each) === code(blocker))
    return { blocker, others: isListed ? found.length - 1 : 0, ...(isReported ? {} : { isNamed: true }) }
  }
}

/** What blocks the replacement of drifted NodeClaims, by the name of the claim. */
export type HoldsByClaim = ReadonlyMap<string, DriftHold>

/** Returns what blocks each of the claims. Claims without a blocker are not in the map. */
export const holdsByClaim = (
  claims: readonly unknown[],
  holdOf: (claim: unknown) => DriftHold | undefined,
): HoldsByClaim =>
  new Map(
    claims.flatMap((claim) => {
      const hold = holdOf(claim)
      return hold === undefined ? [] : [[objectName(claim), hold] as const]
    }),
  )

/** Returns the earlier map if it is equal, so that a table does not compute its rows again. */
export const keptHolds = (before: HoldsByClaim, now: HoldsByClaim): HoldsByClaim =>
  JSON.stringify([...before]) === JSON.stringify([...now]) ? before : now
