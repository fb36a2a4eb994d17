import { type DisruptionBudget, type Milliseconds, type NodePool, tryParseDuration } from '@kerf/apis'
import { BudgetScheduleError, CronWindow, type HitAllowance, MOST_HITS } from './cron-window.ts'
import type { DisruptionReason } from './reason.ts'

/** No limit: what upstream calls the largest 32-bit integer, and shows in its gauge. */
export const UNLIMITED = 2_147_483_647

/** What a pool's budgets allow at one moment for one reason. */
export interface Allowance {
  /** Nodes that may be disrupted at a time, those that are already included. */
  readonly allowed: number
  /** The budget that decides, by its place in the list; absent without an applicable one. */
  readonly decidedBy?: number
  /** Why a budget could not be read: then nothing is allowed, for any reason. */
  readonly error?: string
}

const windows = new Map<string, CronWindow | BudgetScheduleError>()

/**
 * The times at which a budget applies; nothing for one that applies always. Parsed once per text: budgets are asked about
 * every few seconds.
 *
 * @throws BudgetScheduleError when schedule or duration cannot be read.
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

/** A percentage is rounded up: three nodes at 10% allow one. */
const amountOf = (nodes: string, total: number): number => {
  const [, digits, percent] = /^(\d+)(%?)$/.exec(nodes) ?? []
  if (digits === undefined)
    throw new BudgetScheduleError(`nodes ${JSON.stringify(nodes)} is no number and no percentage`)
  const amount = Number(digits)
  return percent === '%' ? Math.ceil((amount * total) / 100) : amount
}

/** Absent reasons mean all; an empty list means none. */
const concerns = (budget: DisruptionBudget, reason: DisruptionReason): boolean =>
  budget.reasons === undefined || budget.reasons.includes(reason)

const budgetsOf = (pool: NodePool): readonly DisruptionBudget[] => pool.spec.disruption?.budgets ?? [{ nodes: '10%' }]

/**
 * How many of a pool's `total` nodes may be disrupted at a time for a reason: the least of the budgets that apply now. A
 * budget that cannot be read makes it nothing, for every reason (`docs/spec/resources.md#budget-evaluation`). Never
 * throws.
 */
export const allowanceOf = (pool: NodePool, reason: DisruptionReason, total: number, now: Milliseconds): Allowance => {
  let best: Allowance = { allowed: UNLIMITED }
  for (const [index, budget] of budgetsOf(pool).entries()) {
    try {
      const isActive = budgetWindow(budget)?.isActive(now) ?? true
      const allowed = amountOf(budget.nodes, total)
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
 * Places of the budgets that now allow no more than `disrupting` nodes for the reason: all of them have to change before
 * another may go. One that cannot be read is named alone, since nothing counts beside it.
 */
export const closedBudgets = (
  pool: NodePool,
  reason: DisruptionReason,
  total: number,
  disrupting: number,
  now: Milliseconds,
): readonly number[] => {
  const { decidedBy, error } = allowanceOf(pool, reason, total, now)
  if (error !== undefined) return decidedBy === undefined ? [] : [decidedBy]
  return [...budgetsOf(pool).entries()]
    .filter(([, budget]) => concerns(budget, reason) && (budgetWindow(budget)?.isActive(now) ?? true))
    .filter(([, { nodes }]) => amountOf(nodes, total) <= disrupting)
    .map(([index]) => index)
}

/** How many windows that end and begin are followed. */
const MOST_WINDOWS = 100

/**
 * From when on the budgets allow more than are `disrupting`, by their schedules alone; nothing when that is not known. However
 * their windows overlap and follow each other, no more than `MOST_HITS` hits are looked at.
 */
export const opensAt = (
  pool: NodePool,
  reason: DisruptionReason,
  total: number,
  disrupting: number,
  now: Milliseconds,
): Milliseconds | undefined => {
  const hits: HitAllowance = { left: MOST_HITS }
  const budgets = budgetsOf(pool)
  let time: Milliseconds | undefined = now
  for (let windows = 0; windows < MOST_WINDOWS && time !== undefined; windows++) {
    const { allowed, decidedBy, error }: Allowance = allowanceOf(pool, reason, total, time)
    if (allowed > disrupting) return time
    const decides = error === undefined && decidedBy !== undefined ? budgets[decidedBy] : undefined
    time = decides && budgetWindow(decides)?.endsAt(time, hits)
  }
  return undefined
}
