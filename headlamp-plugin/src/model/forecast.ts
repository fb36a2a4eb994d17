import { tryParseDuration } from '@kerf/apis'
import type { PoolCount } from '@kerf/controllers/cluster-view'
import { allowancePeriods } from './budgets.ts'
import { conditionOf, isTrue } from './conditions.ts'
import { isDeleting, labelOf, nameOf, textAt, timeAt } from './read.ts'
import { claimStatus } from './status.ts'

/** Something that is about to happen, or is under way. */
export interface Next {
  readonly kind:
    | 'launching'
    | 'terminating'
    | 'disrupted'
    | 'expires'
    | 'drifted'
    | 'empty'
    | 'disruption-stops'
    | 'disruption-resumes'
    | 'budget-changes'
  readonly subject: string
  readonly pool: string
  /** When; absent when it is under way or can come at any time. */
  readonly at: number | undefined
  readonly detail: string
  /** Until when it holds, for budgets. */
  readonly until?: number
}

/** How far ahead is worth telling. */
const AHEAD = 24 * 3_600_000

const expiryOf = (claim: unknown): number | undefined => {
  const after = textAt(claim, 'spec', 'expireAfter')
  const born = timeAt(claim, 'metadata', 'creationTimestamp')
  const period = after === undefined ? undefined : tryParseDuration(after)
  return born === undefined || period === undefined ? undefined : born + period
}

const ofClaim = (claim: unknown, now: number): readonly Next[] => {
  const about = { subject: nameOf(claim), pool: labelOf(claim, 'karpenter.sh/nodepool') ?? '' }
  const reason = conditionOf(claim, 'DisruptionReason')
  if (isDeleting(claim))
    return [{ ...about, kind: 'terminating', at: undefined, detail: reason?.reason ?? claimStatus(claim).code }]
  const { code } = claimStatus(claim)
  const next: Next[] = []
  if (code !== 'Ready' && code !== 'NotReady') next.push({ ...about, kind: 'launching', at: undefined, detail: code })
  if (reason?.status === 'True') next.push({ ...about, kind: 'disrupted', at: undefined, detail: reason.reason })
  else if (isTrue(claim, 'Drifted'))
    next.push({ ...about, kind: 'drifted', at: undefined, detail: conditionOf(claim, 'Drifted')?.reason ?? '' })
  const expiry = expiryOf(claim)
  if (expiry !== undefined && expiry - now < AHEAD) next.push({ ...about, kind: 'expires', at: expiry, detail: '' })
  return next
}

/** The times within a day at which the budgets of a pool together allow another number of nodes than before. */
const ofBudgets = (pool: unknown, count: PoolCount | undefined, now: number): readonly Next[] => {
  // At least one, so that a percentage of an empty pool is no freeze.
  const periods = allowancePeriods(pool, Math.max(1, count?.total ?? 1), now, now + AHEAD)
  return periods.slice(1).map(({ from, until, allowed }, place): Next => {
    const before = periods[place]?.allowed
    const kind = allowed === 0 ? 'disruption-stops' : before === 0 ? 'disruption-resumes' : 'budget-changes'
    const about = {
      kind,
      subject: '',
      pool: nameOf(pool),
      at: from,
      detail: allowed === undefined ? '' : String(allowed),
    } as const
    return until < now + AHEAD ? { ...about, until } : about
  })
}

/** What happens next in the cluster: first what is under way, then by time. */
export const forecast = (
  pools: readonly unknown[],
  claims: readonly unknown[],
  counts: ReadonlyMap<string, PoolCount>,
  now: number,
): readonly Next[] => {
  const next = [
    ...claims.flatMap((claim) => ofClaim(claim, now)),
    ...pools.flatMap((pool) => ofBudgets(pool, counts.get(nameOf(pool)), now)),
  ]
  return next.sort((a, b) => (a.at ?? 0) - (b.at ?? 0) || (a.subject < b.subject ? -1 : 1))
}
