import type { Milliseconds } from '@kerf/apis'
import { operationsOf } from '../../operations/pool-operation.ts'
import type { PoolBudgets } from '../budgets/pool-budgets.ts'
import type { Assessment } from '../candidates/assessment.ts'
import { isSameInstanceTypes, type OfferedTypes } from '../candidates/offered-types.ts'

/** A search takes some 25 µs of the processor for each pod, so it takes no more than a fortieth of the time. */
const REST_PER_POD: Milliseconds = 1
const LONGEST_REST: Milliseconds = 60_000
/** Where so large a share of the pods has gone, there is something to be saved. */
const CUT = 0.01
/** Where a budget allows so many times as much as it did, and not because there are more nodes, what it kept may go. */
const OPENED = 1.1

/** The cluster as a pass saw it, and how many pods its searches asked about. */
export interface RestingPass {
  readonly types: OfferedTypes
  readonly assessments: readonly Pick<Assessment, 'state'>[]
  readonly asked: number
  budgets(reason: 'Underutilized'): Pick<PoolBudgets, 'byPool' | 'slots'>
}

interface Rest {
  readonly until: Milliseconds
  readonly types: OfferedTypes
  readonly pods: number
  readonly budgets: Pick<PoolBudgets, 'byPool' | 'slots'>
}

/**
 * How long consolidation rests after a search that found nothing: a large cluster changes all the time, and each search looks at all
 * of it. A rest is in proportion to what was asked, counted in pods so that it is the same on any machine, and to the size of the
 * cluster: up to 10,000 pods it is over before the next pass. It puts searches off, and never changes what they find. It ends at
 * once when pods leave in numbers, when budgets open, when what is offered or a NodePool changes, and when somebody asks for a
 * consolidation.
 */
export class SearchRest {
  #rest: Rest | undefined

  /** The searches of the pass have ended, and found nothing. */
  begin(pass: RestingPass, now: Milliseconds): void {
    const { types, assessments, asked } = pass
    const pods = podsOf(assessments)
    const length = Math.min(LONGEST_REST, REST_PER_POD * Math.min(asked, pods))
    // A pass that asked nothing leaves the rest as it is.
    if (length > 0) this.#rest = { until: now + length, types, pods, budgets: pass.budgets('Underutilized') }
  }

  /** When searches go on; the past where nothing rests. */
  get until(): Milliseconds {
    return this.#rest?.until ?? Number.NEGATIVE_INFINITY
  }

  /** Something was found: what is left is looked for at once. */
  end(): void {
    this.#rest = undefined
  }

  isOver(pass: RestingPass, now: Milliseconds): boolean {
    const { types, assessments } = pass
    const rest = this.#rest
    if (rest === undefined || now >= rest.until) return true
    if (!isSameInstanceTypes(rest.types, types)) return true
    if ([...types.values()].some(({ pool }) => operationsOf(pool).consolidate !== undefined)) return true
    if (haveOpened(rest.budgets, pass.budgets('Underutilized'))) return true
    return podsOf(assessments) <= rest.pods * (1 - CUT)
  }
}

const podsOf = (assessments: RestingPass['assessments']): number =>
  assessments.reduce((sum, { state }) => sum + state.pods.length, 0)

const haveOpened = (before: Rest['budgets'], now: Rest['budgets']): boolean => {
  const { slots } = before
  return [...now.slots].some(
    ([pool, left]) =>
      left > OPENED * (slots.get(pool) ?? 0) &&
      (now.byPool.get(pool)?.total ?? 0) <= (before.byPool.get(pool)?.total ?? 0),
  )
}
