import { type HeldNode, keepers } from '@kerf/engine'
import type { StateNode } from '../state/state-node.ts'
import { type Amounts, addTo, amountsOf, sumOf } from './amounts.ts'
import { type Assessment, candidateFor } from './assessment.ts'
import { bySavingsRatio, type Candidate } from './candidate.ts'

interface Held extends HeldNode {
  readonly candidate: Candidate
}

/** What is on the node whatever becomes of its other pods. */
const roomOf = (node: StateNode, reschedulable: Candidate['reschedulable']): Amounts => {
  const moving = new Set(reschedulable)
  const room = new Map(amountsOf(node.view.allocatable))
  addTo(room, sumOf(node.pods.filter((pod) => !moving.has(pod))), -1n)
  return room
}

/**
 * Of the nodes that consolidation may take those that had better stay, pool by pool: pods are taken to go from a node to
 * others of its pool.
 */
export const poolKeepers = (assessments: readonly Assessment[]): ReadonlySet<Candidate> => {
  const kept = new Set<Candidate>()
  for (const members of Map.groupBy(assessments, ({ candidate }) => candidate?.poolName).values()) {
    const nodes: Held[] = []
    const staying = new Map<string, bigint>()
    const wanted = new Map<string, bigint>()
    for (const assessment of members) {
      const { candidate, state } = assessment
      if (candidate === undefined) continue
      addTo(wanted, sumOf(candidate.reschedulable))
      if (state.isMarkedForDeletion) continue
      const room = roomOf(state, candidate.reschedulable)
      if (candidateFor(assessment, 'graceful') === undefined) addTo(staying, room)
      else nodes.push({ candidate, price: candidate.price, disruption: candidate.disruption, room })
    }
    nodes.sort((a, b) => bySavingsRatio(a.candidate, b.candidate))
    for (const { candidate } of keepers({ nodes, staying, wanted })) kept.add(candidate)
  }
  return kept
}

/** Nodes that had better stay last; among the others, and among those, most saved for least disturbed first. */
export const keepersLast = (candidates: readonly Candidate[], kept: ReadonlySet<Candidate>): readonly Candidate[] =>
  candidates.toSorted((a, b) => Number(kept.has(a)) - Number(kept.has(b)) || bySavingsRatio(a, b))
