import { nodesToKeep, oncePerObject, type RemovableNode, type Steps } from '@kerf/engine'
import { NODES_PER_TURN } from '../giving-way.ts'
import { type Assessment, candidateFor } from './assessment.ts'
import { bySavingsRatio, type Candidate } from './candidate.ts'
import { type Amounts, addTo, resourceAmounts, sumRequests } from './resource-amounts.ts'

interface RemovableCandidate extends RemovableNode {
  readonly candidate: Candidate
}

/** The requests of the pods that would move off the node, and the capacity that remains if they do. */
interface Weighed {
  readonly requested: Amounts
  readonly allocatable: Amounts
}

/**
 * Returns the requests and the free capacity of a candidate. The result is cached per object, because a changed node gets a new candidate
 * object.
 */
const weighed = oncePerObject(({ state, reschedulable }: Candidate): Weighed => {
  const moving = new Set(reschedulable)
  const allocatable = new Map(resourceAmounts(state.view.allocatable))
  addTo(allocatable, sumRequests(state.pods.filter((pod) => !moving.has(pod))), -1n)
  return { requested: sumRequests(reschedulable), allocatable }
})

/**
 * Computes, for each pool, which nodes should be disrupted last. Assumes that the pods of removed nodes move to other nodes of the same
 * pool, and returns the nodes that the pool would still need. Each step handles a few hundred nodes.
 */
export function* nodesWorthKeeping(assessments: readonly Assessment[]): Steps<ReadonlySet<Candidate>> {
  const kept = new Set<Candidate>()
  let count = 0
  for (const members of Map.groupBy(assessments, ({ candidate }) => candidate?.poolName).values()) {
    const nodes: RemovableCandidate[] = []
    const keptAllocatable = new Map<string, bigint>()
    const requested = new Map<string, bigint>()
    for (const assessment of members) {
      if (++count % NODES_PER_TURN === 0) yield
      const { candidate, state } = assessment
      if (candidate === undefined) continue
      const weight = weighed(candidate)
      addTo(requested, weight.requested)
      if (state.isMarkedForDeletion) continue
      const { allocatable } = weight
      // Consolidation ignores nodes with an unknown price, except for empty ones.
      if (candidate.price === undefined || candidateFor(assessment, 'graceful') === undefined)
        addTo(keptAllocatable, allocatable)
      else nodes.push({ candidate, price: candidate.price, disruption: candidate.disruption, allocatable })
    }
    nodes.sort((a, b) => bySavingsRatio(a.candidate, b.candidate))
    for (const { candidate } of nodesToKeep({ nodes, keptAllocatable, requested })) kept.add(candidate)
  }
  return kept
}

/** Sorts by savings per disruption cost, highest first, but puts the nodes in `kept` last. */
export const worthKeepingLast = (
  candidates: readonly Candidate[],
  kept: ReadonlySet<Candidate>,
): readonly Candidate[] =>
  candidates.toSorted((a, b) => Number(kept.has(a)) - Number(kept.has(b)) || bySavingsRatio(a, b))
