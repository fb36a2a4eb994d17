import { ownValue, tryParseDuration } from '@kerf/apis'
import type { PoolCount } from '@kerf/controllers/cluster-view'
import { allowancePeriods, type NetAllowance, netAllowances } from './budgets.ts'
import { findConditionRow, isTrue } from './conditions.ts'
import { type DriftHold, driftHolds } from './drift-holds.ts'
import { at, isDeleting, listAt, numberAt, objectLabel, objectName, onceForEach, textAt, timeAt } from './read.ts'
import { claimStatus } from './status.ts'

/** An action or a change that is about to happen or is in progress. */
export interface Next {
  readonly kind:
    | 'launching'
    | 'launch-failed'
    | 'terminating'
    | 'disrupted'
    | 'expires'
    | 'drifted'
    | 'empty'
    | 'unused'
    | 'consolidated'
    | 'disruption-stops'
    | 'disruption-resumes'
    | 'budget-changes'
  /** The names of the NodeClaims. Empty for budgets. */
  readonly subjects: readonly string[]
  readonly pool: string
  /** The earliest time. Absent if the action is in progress or may happen at any time. */
  readonly at?: number
  /** When the action began, if it is in progress. */
  readonly since?: number
  readonly detail: string
  /** The blocker of the action, as Kerf reports it. */
  readonly blocker?: unknown
  /** Set if the blocker does not come from Kerf's report and names pods and budgets. */
  readonly isNamed?: true
  /** The number of blockers of these nodes in addition to `blocker`. */
  readonly others?: number
  /** How many of the nodes the budgets allow to be disrupted at once. Absent if they allow all of them. */
  readonly atOnce?: number
  /** The savings in dollars per hour, if known. */
  readonly saves?: number
  /** The end of the period. Set only for budgets. */
  readonly until?: number
}

/** How far the forecast looks ahead, in milliseconds. */
const AHEAD = 24 * 3_600_000

const expiryOf = onceForEach((claim): number | undefined => {
  const after = textAt(claim, 'spec', 'expireAfter')
  const born = timeAt(claim, 'metadata', 'creationTimestamp')
  const length = after === undefined ? undefined : tryParseDuration(after)
  return born === undefined || length === undefined ? undefined : born + length
})

const started = (time: number | undefined): { readonly since?: number } => (time === undefined ? {} : { since: time })

/** Returns the actions that the claim itself shows: launch, deletion, failure or expiry. */
const ofClaim = (claim: unknown, now: number): readonly Next[] => {
  const about = { subjects: [objectName(claim)], pool: objectLabel(claim, 'karpenter.sh/nodepool') ?? '' }
  const { code, detail } = claimStatus(claim)
  if (isDeleting(claim)) {
    const since = started(timeAt(claim, 'metadata', 'deletionTimestamp'))
    return [{ ...about, kind: 'terminating', ...since, detail: detail || code }]
  }
  const created = started(timeAt(claim, 'metadata', 'creationTimestamp'))
  const next: Next[] = []
  if (code === 'Failed') next.push({ ...about, kind: 'launch-failed', ...created, detail })
  else if (code !== 'Ready' && code !== 'NotReady') next.push({ ...about, kind: 'launching', ...created, detail: code })
  const expiry = expiryOf(claim)
  if (expiry !== undefined && expiry - now < AHEAD) next.push({ ...about, kind: 'expires', at: expiry, detail: '' })
  return next
}

/** Returns whether the budgets of the pool block an action, and when they stop blocking it. */
const heldBy = (net: NetAllowance | undefined, pool: string): Partial<Next> => {
  if (net?.left !== 0) return {}
  const { allowed, disrupting, opensAt } = net
  const blocker = { code: 'budget.exhausted', pool, reason: 'Drifted', allowed: allowed ?? 0, disrupting, budgets: [] }
  return opensAt === undefined ? { blocker } : { blocker, at: opensAt }
}

type HoldOf = (claim: unknown) => DriftHold | undefined

/** Returns the disruptions that conditions show: nodes that are being removed, and drifted nodes. Used if there is no report from Kerf. */
const ofConditions = (
  claim: unknown,
  netOf: (pool: string) => NetAllowance | undefined,
  holdOf: HoldOf,
): readonly Next[] => {
  if (isDeleting(claim)) return []
  const pool = objectLabel(claim, 'karpenter.sh/nodepool') ?? ''
  const about = { subjects: [objectName(claim)], pool }
  const reason = findConditionRow(claim, 'DisruptionReason')
  if (reason?.status === 'True')
    return [{ ...about, kind: 'disrupted', ...started(reason.since), detail: reason.reason }]
  if (!isTrue(claim, 'Drifted')) return []
  const detail = findConditionRow(claim, 'Drifted')?.reason ?? ''
  return [{ ...about, kind: 'drifted', detail, ...(holdOf(claim) ?? heldBy(netOf(pool), pool)) }]
}

const KIND_OF_REASON: Readonly<Record<string, Next['kind']>> = {
  Drifted: 'drifted',
  Empty: 'empty',
  Underutilized: 'consolidated',
}

const savesOf = (each: unknown): { readonly saves?: number } => {
  const savings = numberAt(each, 'savings')
  return savings === undefined ? {} : { saves: savings }
}

interface Drift {
  /** The reason of the `Drifted` condition. */
  readonly reason: string
  readonly hold: DriftHold | undefined
}

const ofAwaited = (each: unknown, driftOf: (claim: string) => Drift | undefined): readonly Next[] => {
  const kind = ownValue(KIND_OF_REASON, textAt(each, 'reason') ?? '')
  if (kind === undefined) return []
  const blocker = at(each, 'blocker')
  const time = numberAt(blocker, 'until') ?? numberAt(blocker, 'opensAt')
  const claim = textAt(each, 'nodeClaim') ?? ''
  const drift = kind === 'drifted' ? driftOf(claim) : undefined
  return [
    {
      ...{ kind, subjects: [claim], pool: textAt(each, 'nodePool') ?? '', detail: drift?.reason ?? '' },
      ...(blocker === undefined ? {} : { blocker }),
      ...drift?.hold,
      ...(time === undefined ? {} : { at: time }),
      ...savesOf(each),
    },
  ]
}

/**
 * Returns what Kerf reports (`/kerf/v1/next`): the disruptions in progress, the disruptions that wait for something,
 * and the nodes to be removed because no pod has used them.
 */
const ofReport = (report: unknown, driftOf: (claim: string) => Drift | undefined): readonly Next[] => [
  ...listAt(report, 'started').map((each): Next => {
    const subjects = listAt(each, 'nodeClaims').map(String)
    return { kind: 'disrupted', subjects, pool: '', detail: textAt(each, 'text') ?? '', ...savesOf(each) }
  }),
  ...listAt(report, 'awaited').flatMap((each) => ofAwaited(each, driftOf)),
  ...listAt(report, 'unused').map((each): Next => {
    const time = numberAt(each, 'at')
    return {
      ...{ kind: 'unused', subjects: [textAt(each, 'nodeClaim') ?? ''], pool: textAt(each, 'nodePool') ?? '' },
      ...{ detail: '', ...(time === undefined ? {} : { at: time }) },
    }
  }),
]

/** Returns when a pool's budgets will allow another number of disrupted nodes, within the next day. */
const ofBudgets = (pool: unknown, count: PoolCount | undefined, now: number): readonly Next[] => {
  // Assume at least one node. A percentage of zero nodes is zero, which would look as if the budget allowed no
  // disruption.
  const periods = allowancePeriods(pool, Math.max(1, count?.total ?? 1), now, now + AHEAD)
  return periods.slice(1).map(({ from, until, allowed }, place): Next => {
    const before = periods[place]?.allowed
    const kind = allowed === 0 ? 'disruption-stops' : before === 0 ? 'disruption-resumes' : 'budget-changes'
    const detail = allowed === undefined ? '' : String(allowed)
    const next = { kind, subjects: [], pool: objectName(pool), at: from, detail } as const
    return until < now + AHEAD ? { ...next, until } : next
  })
}

const joined = (a: Next, b: Next): Next => {
  const { saves: _, ...kept } = a
  const since = Math.min(a.since ?? Number.POSITIVE_INFINITY, b.since ?? Number.POSITIVE_INFINITY)
  return {
    ...kept,
    subjects: [...a.subjects, ...b.subjects],
    // The blocker of `b` now also counts as another blocker, because the line shows only the blocker of `a`.
    ...(a.others === undefined || b.others === undefined ? {} : { others: a.others + b.others + 1 }),
    ...(Number.isFinite(since) ? { since } : {}),
    ...(a.saves === undefined || b.saves === undefined ? {} : { saves: a.saves + b.saves }),
  }
}

/** Merges equal actions on several nodes at about the same time into one line, with the total savings. */
const together = (all: readonly Next[]): readonly Next[] => {
  const merged = new Map<string, Next>()
  for (const next of all) {
    const minute = next.at === undefined ? '' : Math.round(next.at / 60_000)
    const what = [next.kind, next.pool, next.detail, textAt(next.blocker, 'code') ?? '', minute].join('\0')
    const known = merged.get(what)
    merged.set(what, known === undefined ? next : joined(known, next))
  }
  return [...merged.values()]
}

export interface Known {
  readonly pools: readonly unknown[]
  readonly claims: readonly unknown[]
  /** The numbers of nodes by pool, counted in the same way as for budgets. */
  readonly counts: ReadonlyMap<string, PoolCount>
  /** Kerf's report. Absent if the controller is not Kerf. */
  readonly report: unknown
  /** Returns everything that blocks the replacement of a drifted NodeClaim according to the objects, except budgets. */
  readonly blockersOf?: (claim: unknown) => readonly unknown[]
}

type NetOf = (pool: string) => readonly NetAllowance[]

const netsOf =
  ({ pools, counts }: Known, now: number): NetOf =>
  (pool) => {
    const count = counts.get(pool)
    const object = pools.find((each) => objectName(each) === pool)
    return count === undefined || object === undefined ? [] : netAllowances(object, count, now)
  }

const forReason = (nets: readonly NetAllowance[], reason: string): NetAllowance | undefined =>
  nets.find(({ reasons }) => reasons.some((each) => each === reason))

/**
 * Adds how many of the nodes may be disrupted at once. Adds nothing if a blocker is known, or if the budgets allow all
 * of the nodes.
 */
const withAllowance = (next: Next, netOf: NetOf): Next => {
  const { kind, pool, subjects, blocker, at: time } = next
  const reason = Object.entries(KIND_OF_REASON).find(([, each]) => each === kind)?.[0]
  if (reason === undefined || blocker !== undefined || time !== undefined) return next
  const left = forReason(netOf(pool), reason)?.left
  return left === undefined || left === 0 || left >= subjects.length ? next : { ...next, atOnce: left }
}

const isWaiting = (next: Next): boolean => next.at === undefined && next.blocker !== undefined

/**
 * Returns what happens next in the cluster. Actions in progress come first, then those with a time, in order, then
 * the others. Disruption comes from Kerf's own report, or from conditions and budgets if there is none.
 */
export const forecast = (known: Known, now: number): readonly Next[] => {
  const { pools, claims, counts, report } = known
  const compute = netsOf(known, now)
  const nets = new Map<string, readonly NetAllowance[]>()
  const netOf: NetOf = (pool) => {
    const found = nets.get(pool) ?? compute(pool)
    nets.set(pool, found)
    return found
  }
  const holdOf = driftHolds({ report, blockersOf: known.blockersOf })
  // Kerf's report does not contain the reasons for drift, so they come from the conditions of the claims.
  const claimsByName = new Map(claims.map((claim) => [objectName(claim), claim]))
  const claimDrift = (name: string): Drift | undefined => {
    const claim = claimsByName.get(name)
    if (claim === undefined) return undefined
    return { reason: findConditionRow(claim, 'Drifted')?.reason ?? '', hold: holdOf(claim) }
  }
  const isReported = at(report, 'awaited') !== undefined
  const next = together([
    ...claims.flatMap((claim) => ofClaim(claim, now)),
    ...(isReported
      ? ofReport(report, claimDrift)
      : claims.flatMap((claim) => ofConditions(claim, (pool) => forReason(netOf(pool), 'Drifted'), holdOf))),
    ...pools.flatMap((pool) => ofBudgets(pool, counts.get(objectName(pool)), now)),
  ]).map((each) => withAllowance(each, netOf))
  return next.toSorted(
    (a, b) =>
      Number(isWaiting(a)) - Number(isWaiting(b)) ||
      (a.at ?? 0) - (b.at ?? 0) ||
      ((a.subjects[0] ?? '') < (b.subjects[0] ?? '') ? -1 : 1),
  )
}
