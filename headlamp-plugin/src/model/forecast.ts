import { tryParseDuration } from '@kerf/apis'
import { type BudgetRow, budgetRows } from './budgets.ts'
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
    | 'budget-opens'
    | 'budget-closes'
  readonly subject: string
  readonly pool: string
  /** When; absent when it is under way or can come at any time. */
  readonly at: number | undefined
  readonly detail: string
}

/** How far ahead is worth telling. */
const AHEAD = 24 * 3_600_000

const expiryOf = (claim: unknown): number | undefined => {
  const after = textAt(claim, 'spec', 'expireAfter')
  const born = timeAt(claim, 'metadata', 'creationTimestamp')
  const span = after === undefined ? undefined : tryParseDuration(after)
  return born === undefined || span === undefined ? undefined : born + span
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

const ofBudget = (pool: unknown, row: BudgetRow): readonly Next[] => {
  if (row.changesAt === undefined || (row.state !== 'active' && row.state !== 'inactive')) return []
  return [
    {
      kind: row.state === 'active' ? 'budget-closes' : 'budget-opens',
      subject: row.nodes,
      pool: nameOf(pool),
      at: row.changesAt,
      detail: row.reasons?.join(', ') ?? '',
    },
  ]
}

/** What happens next in the cluster: first what is under way, then by time. */
export const forecast = (pools: readonly unknown[], claims: readonly unknown[], now: number): readonly Next[] => {
  const next = [
    ...claims.flatMap((claim) => ofClaim(claim, now)),
    ...pools.flatMap((pool) => {
      const own = claims.filter((claim) => labelOf(claim, 'karpenter.sh/nodepool') === nameOf(pool))
      return budgetRows(pool, own, now)
        .flatMap((row) => ofBudget(pool, row))
        .filter(({ at }) => at !== undefined && at - now < AHEAD)
    }),
  ]
  return next.sort((a, b) => (a.at ?? 0) - (b.at ?? 0) || (a.subject < b.subject ? -1 : 1))
}
