import { nodesToKeep, oncePerObject, type RemovableNode, type Steps } from '@kerf/engine'
import { NODES_PER_TURN } from '../giving-way.ts'
import { type Assessment, candidateFor } from './assessment.ts'
import { bySavingsRatio, type Candidate } from './candidate.ts'
import { type Amounts, addTo, amountsOf, sumOf } from './resource-amounts.ts'

interface RemovableCandidate extends RemovableNode {
  readonly candidate: Candidate
}

/** The requests of the node's movable pods, and the capacity for pods after they have moved. */
interface Weighed {
  readonly requested: Amounts
  readonly allocatable: Amounts
}

/** Cached by candidate. A changed node gets a new candidate. */
const weighed = oncePerObject(({ state, reschedulable }: Candidate): Weighed => {
  const moving = new Set(reschedulable)
  const allocatable = new Map(amountsOf(state.view.allocatable))
  addTo(allocatable, sumOf(state.pods.filter((pod) => !moving.has(pod))), -1n)
  return { requested: sumOf(reschedulable), allocatable }
})

/**
 * Computes which of the nodes that consolidation may take should rather stay, separately for each pool. It assumes that pods
 * move to other nodes of the same pool. Each step handles a few hundred nodes.
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
      // Only emptiness disrupts a node of unknown price.
      if (candidate.price === undefined || candidateFor(assessment, 'graceful') === undefined)
        addTo(keptAllocatable, allocatable)
      else nodes.push({ candidate, price: candidate.price, disruption: candidate.disruption, allocatable })
    }
    nodes.sort((a, b) => bySavingsRatio(a.candidate, b.candidate))
    for (const { candidate } of nodesToKeep({ nodes, keptAllocatable, requested })) kept.add(candidate)
  }
  return kept
}

/** Sorts by descending savings per disruption, with the nodes that should rather stay last. */
export const worthKeepingLast = (
  candidates: readonly Candidate[],
  kept: ReadonlySet<Candidate>,
): readonly Candidate[] =>
  candidates.toSorted((a, b) => Number(kept.has(a)) - Number(kept.has(b)) || bySavingsRatio(a, b))
