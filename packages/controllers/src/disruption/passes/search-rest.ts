import type { Milliseconds } from '@kerf/apis'
import { readOperations } from '../../modes/pool-operation.ts'
import type { PoolBudgets } from '../budgets/pool-budgets.ts'
import type { Assessment } from '../candidates/assessment.ts'
import { isSameInstanceTypes, type OfferedTypes } from '../candidates/offered-types.ts'

/**
 * How long consolidation rests for each simulated pod. A search takes about 25 µs of processor time per pod, so searches use at
 * most one fortieth of the time.
 */
const REST_PER_POD: Milliseconds = 1
const LONGEST_REST: Milliseconds = 60_000
/** If this fraction of the pods has left since the rest began, a new search may find savings. */
const CUT = 0.01
/**
 * The rest ends if a budget allows more than this many times the disruptions that it allowed at the start of the rest, and the pool has not
 * grown. Nodes that the budget blocked may then be disruptable.
 */
const OPENED = 1.1

/** The cluster that a pass read, and how many pods the pass simulated. */
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
 * Tracks the rest of consolidation: the time after an unsuccessful search in which consolidation does not search again. A large cluster
 * changes all the time, and each search reads all of it. The rest is proportional to the number of simulated pods. It is therefore the same
 * on any machine and no longer than the size of the cluster requires. With up to 10,000 pods, it ends before the next pass. A rest delays
 * searches but does not change their results. It ends at once if many pods leave, budgets allow more disruptions, instance types or a
 * NodePool change, or a user requests consolidation.
 */
export class SearchRest {
  #rest: Rest | undefined

  /** Starts a rest after a pass whose searches found nothing. */
  begin(pass: RestingPass, now: Milliseconds): void {
    const { types, assessments, asked } = pass
    const pods = countPods(assessments)
    const length = Math.min(LONGEST_REST, REST_PER_POD * Math.min(asked, pods))
    // If the pass simulated nothing, the current rest does not change.
    if (length > 0) this.#rest = { until: now + length, types, pods, budgets: pass.budgets('Underutilized') }
  }

  /** The time at which searches resume. It is in the past if consolidation is not resting. */
  get until(): Milliseconds {
    return this.#rest?.until ?? Number.NEGATIVE_INFINITY
  }

  /** Ends the rest after a successful search, so that the next search runs at once. */
  end(): void {
    this.#rest = undefined
  }

  isOver(pass: RestingPass, now: Milliseconds): boolean {
    const { types, assessments } = pass
    const rest = this.#rest
    if (rest === undefined || now >= rest.until) return true
    if (!isSameInstanceTypes(rest.types, types)) return true
    if ([...types.values()].some(({ pool }) => readOperations(pool).consolidate !== undefined)) return true
    if (haveOpened(rest.budgets, pass.budgets('Underutilized'))) return true
    return countPods(assessments) <= rest.pods * (1 - CUT)
  }
}

const countPods = (assessments: RestingPass['assessments']): number =>
  assessments.reduce((sum, { state }) => sum + state.pods.length, 0)

const haveOpened = (before: Rest['budgets'], now: Rest['budgets']): boolean => {
  const { slots } = before
  return [...now.slots].some(
    ([pool, left]) =>
      left > OPENED * (slots.get(pool) ?? 0) &&
      (now.byPool.get(pool)?.total ?? 0) <= (before.byPool.get(pool)?.total ?? 0),
  )
}
