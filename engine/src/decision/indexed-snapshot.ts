import type { Pod } from '@kerf/apis'
import { Finaliser } from '../launch/finalise.ts'
import type { NodeId } from '../model/ids.ts'
import type { BatchPod } from '../model/pod-group.ts'
import { KnownQueues, merged } from '../packing/known-queues.ts'
import { pack } from '../packing/pack.ts'
import { type Place, QueueLists } from '../packing/queue.ts'
import type { Plan } from '../plan.ts'
import { type Problem, problemInSteps } from '../problem/problem.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { atOnce, type Steps } from '../steps.ts'
import { planOf } from './schedule.ts'

export interface WhatIfOptions {
  /** Work units of the improvement pass on the answer's claims; 0, the default, leaves upstream's packing. */
  readonly planBudget?: number
  /**
   * An answer that needs more claims than this is of no use to who asks, so it is left off at the first too many, and says so
   * (`Plan.isLeftOff`).
   */
  readonly mostClaims?: number
}

/**
 * A snapshot read once, for many questions of the form "and if these nodes were gone?". A question costs what its pods
 * cost, not what the cluster costs: counters and free amounts are laid over the snapshot's, nothing of it is copied pod by pod.
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
 * run on nodes of the snapshot and would have to be placed if their node went, best in a list for each node: a list that is
 * the same object as in an earlier snapshot is not read again.
 */
export const indexSnapshot = (
  snapshot: ClusterSnapshot,
  waiting: readonly Pod[],
  mayLeave: readonly (readonly Pod[])[],
  options: ScheduleOptions,
): IndexedSnapshot => atOnce(indexSnapshotInSteps(snapshot, waiting, mayLeave, options))

/** As `indexSnapshot`, step by step: for who has other things to do meanwhile. */
export function* indexSnapshotInSteps(
  snapshot: ClusterSnapshot,
  waiting: readonly Pod[],
  mayLeave: readonly (readonly Pod[])[],
  options: ScheduleOptions,
): Steps<IndexedSnapshot> {
  return new Questions(yield* problemInSteps(snapshot, waiting, options, mayLeave))
}

class Questions implements IndexedSnapshot {
  readonly #problem: Problem
  readonly #byName: ReadonlyMap<string, NodeId>
  readonly #lists: QueueLists
  /** Pods in the order in which they are tried: those that wait, and those that run on a node (by number). */
  readonly #waiting: readonly Place[]
  readonly #running = new Map<NodeId, readonly Place[]>()
  readonly #queues = new KnownQueues((node) => this.#runningOn(node))
  /** What claims are launched as does not depend on the question. */
  readonly #finaliser: Finaliser

  constructor(problem: Problem) {
    this.#problem = problem
    this.#byName = new Map(problem.nodes.map(({ state }, index) => [state.name, index as NodeId]))
    this.#lists = new QueueLists(problem.table)
    this.#waiting = this.#lists.ordered(problem.pods)
    this.#finaliser = new Finaliser(problem)
  }

  whatIf(gone: Iterable<string>, options: WhatIfOptions = {}): Plan {
    const numbers = new Set<NodeId>()
    for (const name of gone) {
      const number = this.#byName.get(name)
      if (number !== undefined) numbers.add(number)
    }
    const queue = this.#queue(numbers)
    const { planBudget = 0, mostClaims = Number.POSITIVE_INFINITY } = options
    const { run, left } = pack(this.#problem, queue, { gone: numbers, mostClaims })
    const plan = planOf(run, left, planBudget, this.#finaliser)
    run.nodes.rollBack()
    return run.claims.size > mostClaims ? { ...plan, isLeftOff: true } : plan
  }

  /** The pods to place when these nodes are gone, in the order in which they are tried. */
  #queue(gone: ReadonlySet<NodeId>): BatchPod[] {
    return merged(this.#queues.of(gone), this.#waiting).map(({ pod }) => pod)
  }

  #runningOn(number: NodeId): readonly Place[] {
    let list = this.#running.get(number)
    if (list === undefined) {
      list = this.#lists.ordered(this.#problem.running.on(number))
      this.#running.set(number, list)
    }
    return list
  }
}
