import { type DisruptionBudget, type Milliseconds, type NodePool, tryParseDuration } from '@kerf/apis'
import { BudgetScheduleError, CronWindow, type HitAllowance, MOST_HITS } from './cron-window.ts'
import type { DisruptionReason } from './disruption-reason.ts'

/** No limit. Karpenter uses the largest 32-bit integer for this and shows it in `karpenter_nodepools_allowed_disruptions`. */
export const UNLIMITED = 2_147_483_647

/** The number of nodes of a pool that its budgets allow to be disrupted, for one reason and at one time. */
export interface Allowance {
  /** The number of nodes that may be disrupted at the same time, including nodes that are already being disrupted. */
  readonly allowed: number
  /** The index of the budget with the lowest limit. Absent if no budget applies. */
  readonly decidedBy?: number
  /** The error if a budget cannot be read. In this case no disruption is allowed, for any reason. */
  readonly error?: string
}

const windows = new Map<string, CronWindow | BudgetScheduleError>()

/**
 * Returns the times at which a budget applies; `undefined` if it always applies. Each schedule is parsed once, because budgets are
 * evaluated every few seconds.
 *
 * @throws BudgetScheduleError if the schedule or duration cannot be read
 */
export const budgetWindow = ({
  schedule,
  duration,
}: Pick<DisruptionBudget, 'schedule' | 'duration'>): CronWindow | undefined => {
  if (schedule === undefined && duration === undefined) return undefined
  const key = `${schedule}|${duration}`
  let window = windows.get(key)
  if (window === undefined) {
    window = parseWindow(schedule, duration)
    if (windows.size >= 10_000) windows.clear()
    windows.set(key, window)
  }
  if (window instanceof BudgetScheduleError) throw window
  return window
}

const parseWindow = (schedule: string | undefined, duration: string | undefined): CronWindow | BudgetScheduleError => {
  const span = duration === undefined ? undefined : tryParseDuration(duration)
  if (schedule === undefined || span === undefined) {
    return new BudgetScheduleError(
      `schedule ${schedule ?? '(none)'} with duration ${duration ?? '(none)'}: both are needed`,
    )
  }
  try {
    return new CronWindow(schedule, span)
  } catch (error) {
    if (error instanceof BudgetScheduleError) return error
    throw error
  }
}

/** Returns the number of nodes. Percentages are rounded up: 10% of three nodes is one. */
const nodeAmount = (nodes: string, total: number): number => {
  const [, digits, percent] = /^(\d+)(%?)$/.exec(nodes) ?? []
  if (digits === undefined)
    throw new BudgetScheduleError(`nodes ${JSON.stringify(nodes)} is neither a number nor a percentage`)
  const amount = Number(digits)
  return percent === '%' ? Math.ceil((amount * total) / 100) : amount
}

/**
 * Returns whether a budget applies to a reason. A budget without `reasons` applies to all reasons. A budget with an empty list applies to
 * none.
 */
const concerns = (budget: DisruptionBudget, reason: DisruptionReason): boolean =>
  budget.reasons === undefined || budget.reasons.some((each) => each === reason)

const poolBudgets = (pool: NodePool): readonly DisruptionBudget[] => pool.spec.disruption?.budgets ?? [{ nodes: '10%' }]

/**
 * Returns the number of a pool's `total` nodes that may be disrupted at the same time for a reason: the lowest limit of the budgets that
 * apply now. If a budget cannot be read, no node may be disrupted for any reason (`docs/spec/resources.md#budget-evaluation`). Never
 * throws.
 */
export const budgetAllowance = (
  pool: NodePool,
  reason: DisruptionReason,
  total: number,
  now: Milliseconds,
): Allowance => {
  let best: Allowance = { allowed: UNLIMITED }
  for (const [index, budget] of poolBudgets(pool).entries()) {
    try {
      const isActive = budgetWindow(budget)?.isActive(now) ?? true
      const allowed = nodeAmount(budget.nodes, total)
      if (!isActive || !concerns(budget, reason) || allowed >= best.allowed) continue
      best = { allowed, decidedBy: index }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return { allowed: 0, decidedBy: index, error: `budget ${index}: ${why}` }
    }
  }
  return best
}

/**
 * Returns the indexes of the budgets that prevent another disruption for the reason: those that currently allow at most `disrupting` nodes.
 * All of them must allow more before another node may be disrupted. If a budget cannot be read, returns only its index.
 */
export const closedBudgets = (
  pool: NodePool,
  reason: DisruptionReason,
  total: number,
  disrupting: number,
  now: Milliseconds,
): readonly number[] => {
  const { decidedBy, error } = budgetAllowance(pool, reason, total, now)
  if (error !== undefined) return decidedBy === undefined ? [] : [decidedBy]
  return [...poolBudgets(pool).entries()]
    .filter(([, budget]) => concerns(budget, reason) && (budgetWindow(budget)?.isActive(now) ?? true))
    .filter(([, { nodes }]) => nodeAmount(nodes, total) <= disrupting)
    .map(([index]) => index)
}

/** The maximum number of consecutive windows to evaluate. */
const MOST_WINDOWS = 100

/**
 * Returns the time at which the budgets' schedules allow more than `disrupting` nodes, assuming that no budget is changed. Returns
 * `undefined` if that time is not known. Evaluates at most `MOST_HITS` matches of schedules, even if many windows overlap.
 */
export const opensAt = (
  pool: NodePool,
  reason: DisruptionReason,
  total: number,
  disrupting: number,
  now: Milliseconds,
): Milliseconds | undefined => {
  const hits: HitAllowance = { left: MOST_HITS }
  const budgets = poolBudgets(pool)
  let time: Milliseconds | undefined = now
  for (let windows = 0; windows < MOST_WINDOWS && time !== undefined; windows++) {
    const { allowed, decidedBy, error }: Allowance = budgetAllowance(pool, reason, total, time)
    if (allowed > disrupting) return time
    const decides = error === undefined && decidedBy !== undefined ? budgets[decidedBy] : undefined
    time = decides && budgetWindow(decides)?.endsAt(time, hits)
  }
  return undefined
}
