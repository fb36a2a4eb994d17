import type { BatchPod } from '../model/equivalence-group.ts'
import type { NodeId } from '../model/ids.ts'
import type { Problem } from '../problem/problem.ts'
import { atOnce, PODS_PER_STEP, type Steps } from '../steps.ts'
import { AffinitySearch, type Holds, NO_HOLDS, type Outcome } from './affinity-search.ts'
import { Run } from './packing-run.ts'

/** The maximum number of pods that all attempts of a decision pack together. */
const MOST_PACKED = 20_000
/**
 * The maximum number of pods that all attempts of a what-if pack together. It is low, because there may be thousands of what-ifs for one
 * snapshot.
 */
const MOST_PACKED_OF_QUESTION = 2_000

/** A finished run, and the pods that it did not place. */
export interface Packing {
  readonly run: Run
  readonly left: readonly BatchPod[]
}

/** Options for packing a problem. */
export interface PackOptions {
  /** Nodes to ignore, together with their pods; see `Run`. */
  readonly gone?: ReadonlySet<NodeId>
  /** See `Run.solve`. */
  readonly mostClaims?: number
  /** See `RunOptions`. */
  readonly ignoresCommitments?: boolean
}

/**
 * Packs pods in the order of the queue. If pods with required affinity remain, searches for places in which more pods can be together, and
 * packs again (`docs/spec/scheduling.md#pods-that-must-be-together`). The second packing replaces the first only if it places more pods. If
 * `gone` is set, the caller must roll back the nodes of the run.
 */
export const pack = (problem: Problem, queue: readonly BatchPod[], options: PackOptions = {}): Packing =>
  atOnce(packInSteps(problem, queue, options))

/** Does the same as `pack` in steps. The search for places in which more pods can be together is one step. */
export function* packInSteps(problem: Problem, queue: readonly BatchPod[], options: PackOptions = {}): Steps<Packing> {
  const { gone, mostClaims = Number.POSITIVE_INFINITY, ignoresCommitments = false } = options
  const packer = new Packer(problem, gone, ignoresCommitments)
  const first = yield* packer.packInSteps(queue, NO_HOLDS, mostClaims)
  const seeking = first.left.filter(({ equivalenceGroup }) => equivalenceGroup.affinity.length > 0)
  if (seeking.length === 0 || first.run.claims.size > mostClaims) return first
  if (gone !== undefined) first.run.nodes.rollBack()
  const mostPacked = gone === undefined ? MOST_PACKED : MOST_PACKED_OF_QUESTION
  const search = new AffinitySearch(problem, queue, mostPacked, (pods, holds) => packer.outcome(pods, holds))
  const holds = search.search(seeking)
  if (holds === NO_HOLDS) return first
  const second = yield* packer.packInSteps(queue, holds, mostClaims)
  if (second.left.length < first.left.length || second.run.claims.size > mostClaims) return second
  if (gone !== undefined) second.run.nodes.rollBack()
  return first
}

class Packer {
  readonly #problem: Problem
  readonly #gone: ReadonlySet<NodeId> | undefined
  readonly #ignoresCommitments: boolean

  constructor(problem: Problem, gone: ReadonlySet<NodeId> | undefined, ignoresCommitments: boolean) {
    this.#problem = problem
    this.#gone = gone
    this.#ignoresCommitments = ignoresCommitments
  }

  /** Packs only these pods and returns the result, without side effects. */
  outcome(pods: readonly BatchPod[], holds: Holds): Outcome {
    const { run, left } = atOnce(this.packInSteps(pods, holds))
    if (this.#gone !== undefined) run.nodes.rollBack()
    return { left, claims: run.claims.size }
  }

  *packInSteps(pods: readonly BatchPod[], holds: Holds, mostClaims = Number.POSITIVE_INFINITY): Steps<Packing> {
    const originals = new Map<BatchPod, BatchPod>()
    const queue = holds === NO_HOLDS ? pods : this.#held(pods, holds, originals)
    const ignoresCommitments = this.#ignoresCommitments
    const run = new Run({ ...this.#problem, pods: queue }, this.#gone, { ignoresCommitments })
    const left = (yield* run.solving(queue, PODS_PER_STEP, mostClaims)).map((pod) => {
      const original = originals.get(pod) ?? pod
      if (run.deferred.has(pod.equivalenceGroup.id)) run.deferred.add(original.equivalenceGroup.id)
      return original
    })
    return { run, left }
  }

  #held(pods: readonly BatchPod[], { places, last }: Holds, originals: Map<BatchPod, BatchPod>): BatchPod[] {
    const { variants } = this.#problem
    const inOrder =
      last.size === 0 ? pods : [...pods.filter((pod) => !last.has(pod)), ...pods.filter((pod) => last.has(pod))]
    return inOrder.map((pod) => {
      const place = places.get(pod)
      if (place === undefined) return pod
      const held = { pod: pod.pod, equivalenceGroup: variants.heldTo(pod.equivalenceGroup, place) }
      originals.set(held, pod)
      return held
    })
  }
}
