import type { Pod } from '@kerf/apis'
import type { Plan } from '../plan.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { inQueueOrder } from './queue.ts'
import { Run } from './run.ts'
import { planOf } from './schedule.ts'
import { type World, worldOf } from './world.ts'

export interface WhatIfOptions {
  /** Work units of the improvement pass on the answer's claims; 0, the default, leaves upstream's packing. */
  readonly planBudget?: number
}

/**
 * A snapshot read once, for many questions of the form "and if these nodes were gone?". A question costs what its pods
 * cost, not what the cluster costs: counters and room are laid over the snapshot's, nothing of it is copied pod by pod.
 */
export interface IndexedSnapshot {
  /**
   * The plan if the nodes (`NodeState.name`) were gone: where the pods that may leave them and those that wait would go.
   * Questions do not influence one another. Names that the snapshot does not have are ignored.
   */
  whatIf(gone: Iterable<string>, options?: WhatIfOptions): Plan
}

/**
 * Prepares a snapshot for questions. `waiting` are pods without a node, placed with every answer; `mayLeave` are pods that
 * run on nodes of the snapshot and would have to be placed if their node went.
 */
export const indexSnapshot = (
  snapshot: ClusterSnapshot,
  waiting: readonly Pod[],
  mayLeave: readonly Pod[],
  options: ScheduleOptions = {},
): IndexedSnapshot => new Questions(worldOf(snapshot, waiting, options, mayLeave))

class Questions implements IndexedSnapshot {
  readonly #world: World
  readonly #byName: ReadonlyMap<string, number>

  constructor(world: World) {
    this.#world = world
    this.#byName = new Map(world.nodes.map(({ state }, index) => [state.name, index]))
  }

  whatIf(gone: Iterable<string>, options: WhatIfOptions = {}): Plan {
    const world = this.#world
    const numbers = new Set<number>()
    for (const name of gone) {
      const number = this.#byName.get(name)
      if (number !== undefined) numbers.add(number)
    }
    const pods = [...world.pods]
    for (const number of numbers) for (const pod of world.running.get(number) ?? []) pods.push(pod)
    const run = new Run({ ...world, pods }, numbers)
    const left = run.solve(inQueueOrder(world.table, pods))
    const plan = planOf(run, left, options.planBudget ?? 0)
    run.nodes.rollBack()
    return plan
  }
}
