import type { NodePool } from '@kerf/apis'
import type { PoolCount } from '@kerf/controllers/cluster-view'
import { allowanceOf, budgetWindow, type DisruptionReason, disruptionReasons, opensAt, UNLIMITED } from '@kerf/engine'
import { at, listAt, nameOf, textAt } from './read.ts'

/** One budget as it is written, and when it applies. */
export interface BudgetRow {
  /** As written. */
  readonly nodes: string
  /** `undefined`: every reason. */
  readonly reasons: readonly string[] | undefined
  readonly schedule: string | undefined
  readonly duration: string | undefined
  readonly state: 'always' | 'active' | 'inactive' | 'invalid'
  /** It allows no node at all while it applies. */
  readonly isFreeze: boolean
  /** When it begins to apply; absent when it applies already. */
  readonly from: number | undefined
  /** When it ceases to apply; absent when that is not known. */
  readonly until: number | undefined
  readonly problem: string | undefined
}

/** What all budgets of a NodePool together allow now, for reasons that they treat alike. */
export interface NetAllowance {
  readonly reasons: readonly DisruptionReason[]
  /** Nodes that may be disrupted at a time; `undefined` when no budget limits them. */
  readonly allowed: number | undefined
  /** How many of the pool's nodes are not Ready or on their way out: budgets count both. */
  readonly disrupting: number
  /** How many more may go now; `undefined` as `allowed`. */
  readonly left: number | undefined
  /** From when on more than `disrupting` are allowed, if none may go now and schedules say so. */
  readonly opensAt: number | undefined
  /** Why a budget cannot be read: then nothing is allowed. */
  readonly error: string | undefined
}

/** A time during which a pool's budgets allow the same number of nodes. */
export interface AllowancePeriod {
  readonly from: number
  readonly until: number
  /** `undefined`: no budget limits them. */
  readonly allowed: number | undefined
}

/** As a controller that reads no budgets has it. */
const DEFAULT = [{ nodes: '10%' }] as const

const AMOUNT = /^(\d+)%?$/

interface Written {
  readonly nodes: string
  readonly reasons?: readonly string[]
  readonly schedule?: string
  readonly duration?: string
}

/** A pool's budgets with fields of the right types, whatever the object holds. */
const budgetsOf = (pool: unknown): readonly Written[] => {
  if (at(pool, 'spec', 'disruption', 'budgets') === undefined) return DEFAULT
  return listAt(pool, 'spec', 'disruption', 'budgets').map((budget) => {
    const schedule = textAt(budget, 'schedule')
    const duration = textAt(budget, 'duration')
    const hasReasons = Array.isArray(at(budget, 'reasons'))
    return {
      nodes: textAt(budget, 'nodes') ?? '10%',
      ...(hasReasons ? { reasons: listAt(budget, 'reasons').map(String) } : {}),
      ...(schedule === undefined ? {} : { schedule }),
      ...(duration === undefined ? {} : { duration }),
    }
  })
}

/** What the engine reads of a pool about its budgets. */
const readable = (pool: unknown): NodePool =>
  ({ metadata: { name: nameOf(pool) }, spec: { disruption: { budgets: budgetsOf(pool) } } } as unknown as NodePool)

/** A pool's budgets one by one, as they are written: what each does, and from when until when. */
export const budgetRows = (pool: unknown, now: number): readonly BudgetRow[] =>
  budgetsOf(pool).map((budget): BudgetRow => {
    const { nodes, reasons, schedule, duration } = budget
    const digits = AMOUNT.exec(nodes)?.[1]
    const base = {
      ...{ nodes, reasons, schedule, duration },
      isFreeze: Number(digits) === 0,
      ...{ from: undefined, until: undefined, problem: undefined },
    }
    if (digits === undefined) return { ...base, state: 'invalid', problem: `nodes: ${nodes}` }
    try {
      const window = budgetWindow(budget)
      if (window === undefined) return { ...base, state: 'always' }
      if (window.isActive(now)) return { ...base, state: 'active', until: window.endsAt(now) }
      const from = window.startsAt(now)
      return { ...base, state: 'inactive', from, until: from === undefined ? undefined : window.endsAt(from) }
    } catch (error) {
      return { ...base, state: 'invalid', problem: error instanceof Error ? error.message : String(error) }
    }
  })

/** Nothing where no budget applies: the engine's number for it is larger than any pool. */
const limited = (allowed: number): number | undefined => (allowed >= UNLIMITED ? undefined : allowed)

const allowanceFor = (pool: NodePool, reason: DisruptionReason, count: PoolCount, now: number): NetAllowance => {
  const { total, disrupting } = count
  const { allowed, error } = allowanceOf(pool, reason, total, now)
  const most = limited(allowed)
  const left = most === undefined ? undefined : Math.max(0, most - disrupting)
  return {
    reasons: [reason],
    allowed: most,
    disrupting,
    left,
    opensAt: left === 0 && error === undefined ? opensAt(pool, reason, total, disrupting, now) : undefined,
    error,
  }
}

/**
 * How many nodes of a pool may be disrupted at a time and how many more now, by reason; reasons with the same answer share a row. It
 * is worked out by the controller's own functions from its own count of the nodes (`countNodes`).
 */
export const netAllowances = (pool: unknown, count: PoolCount, now: number): readonly NetAllowance[] => {
  const read = readable(pool)
  const merged: NetAllowance[] = []
  for (const reason of disruptionReasons) {
    const found = allowanceFor(read, reason, count, now)
    const place = merged.findIndex(
      ({ allowed, opensAt: opens, error }) =>
        allowed === found.allowed && opens === found.opensAt && error === found.error,
    )
    const known = merged[place]
    if (known === undefined) merged.push(found)
    else merged[place] = { ...known, reasons: [...known.reasons, reason] }
  }
  return merged
}

/** How many windows of one budget are followed in a day: one that begins each minute has no more. */
const MOST_WINDOWS = 1_500

/** The times between `from` and `until` at which a budget begins or ceases to apply. */
const changesOf = (budget: Written, from: number, until: number): readonly number[] => {
  const changes: number[] = []
  try {
    const window = budgetWindow(budget)
    let time: number | undefined = window === undefined ? undefined : from
    while (window !== undefined && time !== undefined && time < until && changes.length < MOST_WINDOWS) {
      time = window.isActive(time) ? window.endsAt(time) : window.startsAt(time)
      if (time !== undefined && time < until) changes.push(time)
    }
  } catch {
    // It cannot be read, so it changes nothing; the row of the budget says why.
  }
  return changes
}

/** What a pool's budgets allow over a time, whatever is disrupted: of the reasons together, the least. */
export const allowancePeriods = (
  pool: unknown,
  total: number,
  from: number,
  until: number,
  reasons: readonly DisruptionReason[] = disruptionReasons,
): readonly AllowancePeriod[] => {
  const read = readable(pool)
  const changes = budgetsOf(pool).flatMap((budget) => changesOf(budget, from, until))
  const times = [...new Set([from, ...changes])].sort((a, b) => a - b)
  const periods: AllowancePeriod[] = []
  for (const [place, time] of times.entries()) {
    const least = Math.min(...reasons.map((reason) => allowanceOf(read, reason, total, time).allowed))
    const period = { from: time, until: times[place + 1] ?? until, allowed: limited(least) }
    const before = periods.at(-1)
    if (before !== undefined && before.allowed === period.allowed)
      periods[periods.length - 1] = { ...before, until: period.until }
    else periods.push(period)
  }
  return periods
}
