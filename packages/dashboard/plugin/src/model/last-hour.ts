import { indexOwners } from './decision-groups.ts'
import type { DecisionRow } from './decisions.ts'
import type { ReportedHistory } from './history.ts'
import { at, listAt, objectLabel, objectName, textAt, timeAt } from './read.ts'

/** The numbers of nodes that were added to and removed from a NodePool. */
export interface PoolChange {
  readonly pool: string
  readonly launched: number
  /** Removed nodes by reason, the most frequent first. Absent if neither a history nor Events are known. */
  readonly removed: readonly { readonly reason: string; readonly count: number }[] | undefined
}

/** A NodePool whose spec was edited, and the field manager that edited it, for example `kubectl-edit`. */
export interface PoolEdit {
  readonly pool: string
  readonly by: string
  readonly time: number
}

export interface Changes {
  /** The cost in dollars per hour. Absent if no controller has a history. */
  readonly cost: { readonly before: number; readonly now: number } | undefined
  /** The pools with the most changes first. */
  readonly pools: readonly PoolChange[]
  /** Newest first. */
  readonly edits: readonly PoolEdit[]
}

type CountsByPool = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Groups lines named `pool · reason` by pool. */
const byPool = (grown: ReadonlyMap<string, number>): CountsByPool => {
  const pools = new Map<string, Map<string, number>>()
  for (const [name, count] of grown) {
    if (count <= 0) continue
    const [pool = '', reason = ''] = name.split(' · ')
    const reasons = pools.get(pool) ?? new Map<string, number>()
    reasons.set(reason, (reasons.get(reason) ?? 0) + count)
    pools.set(pool, reasons)
  }
  return pools
}

const sumOf = (counts: ReadonlyMap<string, number> | undefined): number =>
  [...(counts?.values() ?? [])].reduce((sum, count) => sum + count, 0)

const removedFrom = (counts: ReadonlyMap<string, number> = new Map()): PoolChange['removed'] =>
  Array.from(counts, ([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count)

const remembered = (history: ReportedHistory, since: number): readonly PoolChange[] => {
  const created = byPool(history.grown('created', since))
  const disrupted = byPool(history.grown('disrupted', since))
  return [...new Set([...created.keys(), ...disrupted.keys()])].map((pool) => ({
    pool,
    launched: sumOf(created.get(pool)),
    removed: removedFrom(disrupted.get(pool)),
  }))
}

/** Returns the NodeClaims that were created and still exist, by pool. */
const launchedSince = (claims: readonly unknown[], since: number): ReadonlyMap<string, number> => {
  const launched = new Map<string, number>()
  for (const claim of claims) {
    if ((timeAt(claim, 'metadata', 'creationTimestamp') ?? 0) < since) continue
    const pool = objectLabel(claim, 'karpenter.sh/nodepool') ?? ''
    launched.set(pool, (launched.get(pool) ?? 0) + 1)
  }
  return launched
}

/** Returns the disrupted nodes that Events report, by pool and reason (docs/reference/events.md). */
const disruptedIn = (rows: readonly DecisionRow[], claims: readonly unknown[], since: number): CountsByPool => {
  const poolOf = indexOwners([], claims, [])
  const pools = new Map<string, Map<string, number>>()
  for (const row of rows) {
    if (row.reason !== 'DisruptionTerminating' || row.time < since) continue
    const reason = row.message
      .slice(row.message.lastIndexOf(':') + 1)
      .trim()
      .toLowerCase()
    const reasons = pools.get(poolOf(row)) ?? new Map<string, number>()
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    pools.set(poolOf(row), reasons)
  }
  return pools
}

/** Returns the changes that the objects and the Events show. */
const shownByObjects = (
  claims: readonly unknown[],
  rows: readonly DecisionRow[] | undefined,
  since: number,
): readonly PoolChange[] => {
  const launched = launchedSince(claims, since)
  const disrupted = rows && disruptedIn(rows, claims, since)
  return [...new Set([...launched.keys(), ...(disrupted?.keys() ?? [])])].map((pool) => ({
    pool,
    launched: launched.get(pool) ?? 0,
    removed: disrupted && removedFrom(disrupted.get(pool)),
  }))
}

/**
 * Adds the NodeClaims that were created after the last value of the history, because the history has only one value per
 * minute.
 */
const withNewest = (changes: readonly PoolChange[], launched: ReadonlyMap<string, number>): readonly PoolChange[] => {
  const known = new Set(changes.map(({ pool }) => pool))
  return [
    ...changes.map((each) => ({ ...each, launched: Math.max(each.launched, launched.get(each.pool) ?? 0) })),
    ...[...launched]
      .filter(([pool]) => !known.has(pool))
      .map(([pool, count]): PoolChange => ({ pool, launched: count, removed: [] })),
  ]
}

const costChange = (history: ReportedHistory, since: number): Changes['cost'] => {
  const sums = new Map<number, number>()
  for (const { points } of history.lines('cost', since))
    for (const { time, value } of points) sums.set(time, (sums.get(time) ?? 0) + value)
  const times = [...sums.keys()].sort((a, b) => a - b)
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || first === last) return undefined
  return { before: sums.get(first) ?? 0, now: sums.get(last) ?? 0 }
}

/**
 * Returns the last edit of the spec and the field manager that made it, according to the managed fields. Kerf itself writes only
 * annotations and status.
 */
const poolEdit = (pool: unknown, since: number): readonly PoolEdit[] => {
  const edits = listAt(pool, 'metadata', 'managedFields').flatMap((entry): readonly PoolEdit[] => {
    const time = timeAt(entry, 'time')
    const isSpec = at(entry, 'fieldsV1', 'f:spec') !== undefined && textAt(entry, 'subresource') === undefined
    return isSpec && time !== undefined && time >= since
      ? [{ pool: objectName(pool), by: textAt(entry, 'manager') ?? '', time }]
      : []
  })
  return edits.sort((a, b) => b.time - a.time).slice(0, 1)
}

/**
 * Returns the changes since a time: the change of the cost, the changed nodes of each NodePool, and the edits of NodePools. Without a
 * history, removed nodes are counted from the decisions that Events report (`rows`). If there are no Events either, removed nodes are
 * unknown.
 */
export const changesSince = (
  history: ReportedHistory | undefined,
  pools: readonly unknown[],
  claims: readonly unknown[],
  since: number,
  rows?: readonly DecisionRow[],
): Changes => {
  const changed =
    history === undefined
      ? shownByObjects(claims, rows, since)
      : withNewest(remembered(history, since), launchedSince(claims, since))
  const weight = ({ launched, removed }: PoolChange): number =>
    launched + (removed ?? []).reduce((sum, { count }) => sum + count, 0)
  return {
    cost: history && costChange(history, since),
    pools: [...changed].sort((a, b) => weight(b) - weight(a) || (a.pool < b.pool ? -1 : 1)),
    edits: pools.flatMap((pool) => poolEdit(pool, since)).sort((a, b) => b.time - a.time),
  }
}
