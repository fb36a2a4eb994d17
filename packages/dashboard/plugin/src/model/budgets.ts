import type { NodePool } from '@kerf/apis'
import type { PoolCount } from '@kerf/controllers/cluster-view'
import {
  budgetAllowance,
  budgetWindow,
  type DisruptionReason,
  disruptionReasons,
  opensAt,
  UNLIMITED,
} from '@kerf/engine'
import { at, listAt, objectName, textAt } from './read.ts'

/** One budget as it is written, with the times at which it applies. */
export interface BudgetRow {
  /** The value as written. */
  readonly nodes: string
  /** The disruption reasons to which the budget applies. `undefined` means every reason. */
  readonly reasons: readonly string[] | undefined
  readonly schedule: string | undefined
  readonly duration: string | undefined
  readonly state: 'always' | 'active' | 'inactive' | 'invalid'
  /** Whether the budget allows no disruption while it applies. */
  readonly isFreeze: boolean
  /** When the budget next begins to apply. Absent if it applies now. */
  readonly from: number | undefined
  /** When the budget next stops applying. Absent if that is unknown. */
  readonly until: number | undefined
  readonly problem: string | undefined
}

/** The limit that results from all budgets of a NodePool at present. Disruption reasons with the same limit are combined. */
export interface NetAllowance {
  readonly reasons: readonly DisruptionReason[]
  /** How many nodes may be disrupted at the same time. `undefined` if no budget sets a limit. */
  readonly allowed: number | undefined
  /** How many of the pool's nodes are not Ready or are being removed. Budgets count both. */
  readonly disrupting: number
  /** How many more nodes may be disrupted now. `undefined` if `allowed` is `undefined`. */
  readonly left: number | undefined
  /**
   * If no more nodes may be disrupted now: the next time at which the schedules allow more than `disrupting` nodes.
   */
  readonly opensAt: number | undefined
  /** Why a budget cannot be read. In that case, no node may be disrupted. */
  readonly error: string | undefined
}

/** A period during which a pool's budgets allow the same number of disruptions. */
export interface AllowancePeriod {
  readonly from: number
  readonly until: number
  /** `undefined` if no budget sets a limit. */
  readonly allowed: number | undefined
}

/** The controller's default for a pool without budgets. */
const DEFAULT = [{ nodes: '10%' }] as const

const AMOUNT = /^(\d+)%?$/

interface Written {
  readonly nodes: string
  readonly reasons?: readonly string[]
  readonly schedule?: string
  readonly duration?: string
}

/** Returns a pool's budgets with fields of the correct types. Accepts any input. */
const poolBudgets = (pool: unknown): readonly Written[] => {
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

/** Returns the fields of a pool that the engine needs for its budgets. */
const readable = (pool: unknown): NodePool =>
  ({
    metadata: { name: objectName(pool) },
    spec: { disruption: { budgets: poolBudgets(pool) } },
  } as unknown as NodePool)

/** Returns each budget of a pool as it is written, with its effect, its start and its end. */
export const budgetRows = (pool: unknown, now: number): readonly BudgetRow[] =>
  poolBudgets(pool).map((budget): BudgetRow => {
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

/**
 * Returns the number of allowed disruptions, or undefined if no budget sets a limit. In the engine, a number that is larger than any pool
 * means that there is no limit.
 */
const limited = (allowed: number): number | undefined => (allowed >= UNLIMITED ? undefined : allowed)

const allowanceFor = (pool: NodePool, reason: DisruptionReason, count: PoolCount, now: number): NetAllowance => {
  const { total, disrupting } = count
  const { allowed, error } = budgetAllowance(pool, reason, total, now)
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
 * Returns how many nodes of a pool may be disrupted at the same time, and how many more now, by reason. Reasons with the same result share
 * a row. Uses the controller's own functions, and counts nodes in the same way (`countNodes`).
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

/** Maximum number of windows of one budget in a day. A window that begins every minute needs 1,440. */
const MOST_WINDOWS = 1_500

/** Returns the times between `from` and `until` at which a budget begins or ceases to apply. */
const budgetChanges = (budget: Written, from: number, until: number): readonly number[] => {
  const changes: number[] = []
  try {
    const window = budgetWindow(budget)
    let time: number | undefined = window === undefined ? undefined : from
    while (window !== undefined && time !== undefined && time < until && changes.length < MOST_WINDOWS) {
      time = window.isActive(time) ? window.endsAt(time) : window.startsAt(time)
      if (time !== undefined && time < until) changes.push(time)
    }
  } catch {
    // A budget that cannot be parsed throws here. It never begins or ceases to apply, and its row shows the error.
  }
  return changes
}

/**
 * Returns how many disruptions a pool's budgets allow over time. Each number is the lowest over all disruption reasons. Ignores nodes that
 * are being disrupted.
 */
export const allowancePeriods = (
  pool: unknown,
  total: number,
  from: number,
  until: number,
  reasons: readonly DisruptionReason[] = disruptionReasons,
): readonly AllowancePeriod[] => {
  const read = readable(pool)
  const changes = poolBudgets(pool).flatMap((budget) => budgetChanges(budget, from, until))
  const times = [...new Set([from, ...changes])].sort((a, b) => a - b)
  const periods: AllowancePeriod[] = []
  for (const [place, time] of times.entries()) {
    const least = Math.min(...reasons.map((reason) => budgetAllowance(read, reason, total, time).allowed))
    const period = { from: time, until: times[place + 1] ?? until, allowed: limited(least) }
    const before = periods.at(-1)
    if (before !== undefined && before.allowed === period.allowed)
      periods[periods.length - 1] = { ...before, until: period.until }
    else periods.push(period)
  }
  return periods
}
