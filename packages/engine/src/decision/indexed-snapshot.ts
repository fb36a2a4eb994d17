import type { Pod } from '@kerf/apis'
import { Finaliser } from '../launch/finalise.ts'
import type { BatchPod } from '../model/equivalence-group.ts'
import type { NodeId } from '../model/ids.ts'
import { KnownQueues, merged } from '../packing/known-queues.ts'
import { pack } from '../packing/pack.ts'
import { type Place, QueueLists } from '../packing/queue.ts'
import type { Plan } from '../plan.ts'
import { type Problem, problemInSteps } from '../problem/problem.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { atOnce, type Steps } from '../steps.ts'
import { cheaperPlan, mayGainWithoutCommitments } from './cheaper-plan.ts'
import { buildPlan } from './schedule.ts'

export interface WhatIfOptions {
  /**
   * The units of work that the improvement pass may spend on the plan's claims. With 0, the default, the plan keeps the packing of the
   * first pass.
   */
  readonly planBudget?: number
  /**
   * Stops the decision as soon as it needs more claims than this, and sets `Plan.isLeftOff`. Set it if you would discard a plan with more
   * claims.
   */
  readonly mostClaims?: number
}

/**
 * A snapshot that is read once and then used for many what-ifs: plans for the cluster without certain nodes. The cost of a what-if depends
 * on the number of pods to place, not on the size of the cluster. Each what-if stores only its differences from the snapshot's counts and
 * free amounts, so nothing is copied per pod.
 */
export interface IndexedSnapshot {
  /**
   * Returns the plan for a cluster without the given nodes (`NodeState.name`). It places the pending pods, and those pods of the removed
   * nodes that may leave. What-ifs are independent of each other. Names that are not in the snapshot are ignored.
   */
  whatIf(gone: Iterable<string>, options?: WhatIfOptions): Plan
}

/**
 * Prepares a snapshot for what-ifs. `waiting` are the pods without a node, which every plan places. `mayLeave` are running pods that must
 * be placed elsewhere if their node is removed, preferably as one list per node. If a list is the same object as in an earlier snapshot, it
 * is not read again.
 */
export const indexSnapshot = (
  snapshot: ClusterSnapshot,
  waiting: readonly Pod[],
  mayLeave: readonly (readonly Pod[])[],
  options: ScheduleOptions,
): IndexedSnapshot => atOnce(indexSnapshotInSteps(snapshot, waiting, mayLeave, options))

/** Does the same as `indexSnapshot` in steps, for callers that have other work to do in between. */
export function* indexSnapshotInSteps(
  snapshot: ClusterSnapshot,
  waiting: readonly Pod[],
  mayLeave: readonly (readonly Pod[])[],
  options: ScheduleOptions,
): Steps<IndexedSnapshot> {
  return new Questions(yield* problemInSteps(snapshot, waiting, options, mayLeave))
}

/**
 * Returns the pending pods except those that a ceiling keeps pending in the present cluster. A ceiling's surge is capacity for
 * replacements. So in a what-if, only the pods of the removed nodes may use it.
 */
const withoutCeilingRefused = (problem: Problem, waiting: readonly Place[]): readonly Place[] => {
  if (problem.snapshot.ceilings === undefined || waiting.length === 0) return waiting
  const queue = waiting.map(({ pod }) => pod)
  const { run, left } = pack(problem, queue, { gone: new Set() })
  run.nodes.rollBack()
  if (!run.isAtCeiling) return waiting
  const refused = new Set(left)
  return waiting.filter(({ pod }) => !refused.has(pod))
}

class Questions implements IndexedSnapshot {
  readonly #problem: Problem
  readonly #byName: ReadonlyMap<string, NodeId>
  readonly #lists: QueueLists
  /** The pending pods, in queue order. */
  readonly #waiting: readonly Place[]
  /** The pods on each node (by number), in queue order. */
  readonly #running = new Map<NodeId, readonly Place[]>()
  readonly #queues = new KnownQueues((node) => this.#runningOn(node))
  /** Shared by all what-ifs, because the launch of a claim does not depend on the removed nodes. */
  readonly #finaliser: Finaliser

  constructor(problem: Problem) {
    this.#problem = problem
    this.#byName = new Map(problem.nodes.map(({ state }, index) => [state.name, index as NodeId]))
    this.#lists = new QueueLists(problem.table)
    this.#waiting = withoutCeilingRefused(problem, this.#lists.ordered(problem.pods))
    this.#finaliser = new Finaliser(problem)
  }

  whatIf(gone: Iterable<string>, options: WhatIfOptions = {}): Plan {
    const numbers = new Set<NodeId>()
    for (const name of gone) {
      const number = this.#byName.get(name)
      if (number !== undefined) numbers.add(number)
    }
    const queue = this.#queue(numbers)
    const plan = this.#plan(numbers, queue, options, false)
    if (!mayGainWithoutCommitments(plan)) return plan
    const without = this.#plan(numbers, queue, options, true)
    // A plan with commitments may need several covered nodes, because one covered node is too small for all pods. Consolidation needs a
    // plan with one node, so the plan without commitments is preferred here.
    if (without.claims.length <= 1 && without.unschedulable.length === 0 && without.isLeftOff !== true) return without
    return cheaperPlan(plan, without)
  }

  #plan(
    gone: ReadonlySet<NodeId>,
    queue: readonly BatchPod[],
    options: WhatIfOptions,
    ignoresCommitments: boolean,
  ): Plan {
    const { planBudget = 0, mostClaims = Number.POSITIVE_INFINITY } = options
    const { run, left } = pack(this.#problem, queue, { gone, mostClaims, ignoresCommitments })
    const plan = buildPlan(run, left, planBudget, this.#finaliser)
    run.nodes.rollBack()
    return run.claims.size > mostClaims ? { ...plan, isLeftOff: true } : plan
  }

  /** Returns the pods that must be placed if these nodes are removed, in queue order. */
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
