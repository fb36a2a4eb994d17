import { tryParseDuration } from '@kerf/apis'
import { CronWindow } from '@kerf/engine'
import { conditionOf, isTrue } from './conditions.ts'
import { at, listAt, textAt } from './read.ts'
import { isDeleting } from './read.ts'

/** One budget at one time. */
export interface BudgetRow {
  /** As written. */
  readonly nodes: string
  /** `undefined`: every reason. */
  readonly reasons: readonly string[] | undefined
  readonly schedule: string | undefined
  readonly duration: string | undefined
  readonly state: 'always' | 'active' | 'inactive' | 'invalid'
  /** When it ends (active) or begins (inactive). */
  readonly changesAt: number | undefined
  /** How many nodes may be disrupted at a time, of the nodes that the pool has now. */
  readonly allowed: number
  /** How many nodes are being disrupted, as far as this budget counts them. */
  readonly used: number
  readonly problem: string | undefined
}

/** As a controller that reads no budgets has it. */
const DEFAULT = [{ nodes: '10%' }] as const

const allowedOf = (nodes: string, total: number): number | undefined => {
  const [, digits, percent] = /^(\d+)(%?)$/.exec(nodes) ?? []
  if (digits === undefined) return undefined
  return percent === '%' ? Math.ceil((Number(digits) * total) / 100) : Number(digits)
}

/** The reason for which a claim is disrupted; empty for one that is deleted without one. */
const disruptionOf = (claim: unknown): string | undefined => {
  if (!isTrue(claim, 'DisruptionReason')) return isDeleting(claim) ? '' : undefined
  return conditionOf(claim, 'DisruptionReason')?.reason ?? ''
}

/** A pool's budgets as rows. `claims` are the pool's; those that are being disrupted use the budgets up. */
export const budgetRows = (pool: unknown, claims: readonly unknown[], now: number): readonly BudgetRow[] => {
  const listed = listAt(pool, 'spec', 'disruption', 'budgets')
  const budgets = at(pool, 'spec', 'disruption', 'budgets') === undefined ? DEFAULT : listed
  const total = claims.filter((claim) => isTrue(claim, 'Registered') || isTrue(claim, 'Initialized')).length
  const disrupted = claims.map(disruptionOf).filter((reason) => reason !== undefined)
  return budgets.map((budget) => {
    const nodes = textAt(budget, 'nodes') ?? '10%'
    const schedule = textAt(budget, 'schedule')
    const duration = textAt(budget, 'duration')
    const hasReasons = at(budget, 'reasons') !== undefined && at(budget, 'reasons') !== null
    const reasons = hasReasons ? listAt(budget, 'reasons').map(String) : undefined
    const allowed = allowedOf(nodes, total)
    const base = {
      nodes,
      reasons,
      schedule,
      duration,
      allowed: allowed ?? 0,
      used: reasons === undefined ? disrupted.length : disrupted.filter((reason) => reasons.includes(reason)).length,
      problem: undefined,
      changesAt: undefined,
    }
    if (allowed === undefined) return { ...base, state: 'invalid', problem: `nodes: ${nodes}` }
    if (schedule === undefined && duration === undefined) return { ...base, state: 'always' }
    const length = duration === undefined ? undefined : tryParseDuration(duration)
    if (schedule === undefined || length === undefined)
      return { ...base, state: 'invalid', problem: `${schedule ?? '–'} / ${duration ?? '–'}` }
    try {
      const window = new CronWindow(schedule, length)
      return window.isActive(now)
        ? { ...base, state: 'active', changesAt: window.endsAt(now) }
        : { ...base, state: 'inactive', changesAt: window.startsAt(now) }
    } catch (error) {
      return { ...base, state: 'invalid', problem: error instanceof Error ? error.message : String(error) }
    }
  })
}
