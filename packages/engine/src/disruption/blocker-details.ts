import { formatTime, type Milliseconds } from '@kerf/apis'
import type { Reason } from '../reasons/reason.ts'
import type { DisruptionReason } from './disruption-reason.ts'

/** `namespace/name`. */
export type ObjectName = string

/** A pod that could not be rescheduled. */
export interface UnplacedPod {
  readonly pod: ObjectName
  /** The reasons as text, for events. */
  readonly why: string
  /** The reasons as data. */
  readonly reasons?: readonly Reason[]
  /**
   * Set if the pod fits only on a node that may never start. In that case, `why` contains this text instead of a text of the engine. The
   * text contains no pod name.
   */
  readonly waitsFor?: string
}

/** The budgets of a NodePool that allow no further disruption. */
export interface ExhaustedBudget {
  readonly pool: string
  readonly reason: DisruptionReason
  readonly allowed: number
  readonly disrupting: number
  /** The indexes of the budgets in the pool's list that allow no further disruption. */
  readonly budgets: readonly number[]
  /** The time at which the budgets' schedules allow more disruption, assuming that no budget is changed. */
  readonly opensAt?: Milliseconds
  readonly error?: string
}

/** The maximum number of pods that a message lists. */
const NAMED_PODS = 5

/** Returns the first names of a list, and how many more there are. */
export const firstNames = (names: readonly string[]): string => {
  const more = names.length - NAMED_PODS
  return `${names.slice(0, NAMED_PODS).join(', ')}${more > 0 ? ` and ${more} other(s)` : ''}`
}

/** Returns the first pods of a list with their reasons, and how many more there are. */
export const podList = (pods: readonly { readonly pod: string; readonly why: string }[]): string => {
  const more = pods.length - NAMED_PODS
  const shown = pods.slice(0, NAMED_PODS).map(({ pod, why }) => `${pod} => ${why}`)
  return `${shown.join('  ')}${more > 0 ? ` and ${more} other(s)` : ''}`
}

/**
 * Returns advice on how to allow more disruption: wait for other disruptions or for the end of a budget's window, or correct or raise the
 * budget.
 */
export const budgetRemedy = ({ pool, allowed, budgets, opensAt, error }: ExhaustedBudget): string => {
  const places = budgets.map((index) => `spec.disruption.budgets[${index}]`)
  const place = `${places.length === 0 ? 'spec.disruption.budgets' : places.join(' and ')} of NodePool ${pool}`
  if (error !== undefined) return `correct ${place}`
  const remedies = [
    ...(allowed > 0 ? ['wait for the others'] : []),
    ...(opensAt === undefined ? [] : [`wait until ${formatTime(opensAt)}`]),
    `raise ${place}`,
  ]
  return remedies.join(', or ')
}
