import type { UsdPerHour } from '@kerf/apis'
import {
  type Blocker,
  type Commitment,
  cheaperReplacement,
  coveringCommitment,
  type InstanceType,
  type PlannedClaim,
  prepaidTypes,
  replacementSavings,
  withMarginalPrices,
  withoutSameType,
} from '@kerf/engine'
import type { Candidate } from '../candidates/candidate.ts'
import { type OfferedTypes, typeNamed } from '../candidates/offered-types.ts'
import type { Command, Replacement } from '../commands/command.ts'
import type { Simulation } from './simulator.ts'
import { holdsSpread } from './spread-check.ts'

/** The offers that replacements may use. */
export interface Offers {
  readonly types: OfferedTypes
  /** Whether a spot node may be replaced by a spot node. */
  readonly spotToSpot: boolean
  /** A cost that every node adds to the price of its instance. */
  readonly nodeOverheadCost: UsdPerHour
  /** The commitments that cover nodes. Absent if there are none. */
  readonly commitments?: readonly Commitment[] | undefined
}

/** Returns the instance types that a claim may get. If the claim uses a commitment, their prices are those of the commitment. */
const offeredTo = (
  { commitment: name }: PlannedClaim,
  list: readonly InstanceType[],
  commitments: readonly Commitment[] = [],
): readonly InstanceType[] => {
  const commitment = commitments.find((each) => each.name === name)
  return commitment === undefined ? list : prepaidTypes(list, commitment)
}

/**
 * Returns the move that removes all these nodes, or its blocker (`docs/spec/disruption.md#consolidation`). The pods must fit on other
 * nodes, or on other nodes and one new node. The new node must be cheaper with any of its offerings.
 */
export const planConsolidation = (
  candidates: readonly Candidate[],
  simulation: Simulation,
  offers: Offers,
  consolidationType: 'multi' | 'single',
): Command | Blocker => {
  const { claims, placements, unplaced, isLeftOff } = simulation
  if (isLeftOff) return { code: 'replacements.too-many', count: claims.length }
  if (unplaced.length > 0) return { code: 'pods.unschedulable', pods: unplaced }
  const { commitments, nodeOverheadCost } = offers
  // Pods stay on a node that a commitment covers. Otherwise, the commitment would be paid for but not used.
  const covering = candidates.some(({ reschedulable }) => reschedulable.length > 0)
    ? coveringCommitment(candidates, commitments)
    : undefined
  if (covering !== undefined) return { code: 'node.prepaid', commitment: covering }
  const replaced = withMarginalPrices(candidates, commitments, nodeOverheadCost)
  const [planned, ...more] = claims
  if (more.length > 0) return { code: 'replacements.too-many', count: claims.length }
  const replacements: Replacement[] = []
  if (planned !== undefined) {
    const offered = offers.types.get(planned.nodePool)
    if (offered === undefined) return { code: 'pool.not-found', pool: planned.nodePool }
    const types = offeredTo(planned, offered.list, commitments)
    const cheaper = cheaperReplacement(planned, types, replaced, offers)
    if ('code' in cheaper) return cheaper
    // Instead of replacing several nodes with one of the same instance type, Kerf can keep one of them and delete the others.
    const claim = consolidationType === 'multi' ? withoutSameType(cheaper, types, replaced) : cheaper
    if ('code' in claim) return claim
    const type = offered.byName.get(claim.instanceTypes[0] ?? '')
    // kube-scheduler may bind pods to the new node even though the plan places them elsewhere. A pod that the plan places on the new node
    // might then not fit, and need one more node.
    if (type !== undefined && !holdsSpread(candidates, simulation, claim, type)) {
      return { code: 'replacements.uncertain', type: type.name }
    }
    replacements.push({ kind: 'planned', claim, pool: offered.pool })
  }
  const launched = replacements.flatMap((replacement) => (replacement.kind === 'planned' ? [replacement.claim] : []))
  return {
    method: consolidationType === 'multi' ? 'multi-node' : 'single-node',
    reason: 'Underutilized',
    consolidationType,
    candidates,
    replacements,
    placements,
    savings: replacementSavings(
      replaced,
      launched,
      (pool, name) => typeNamed(offers.types, pool, name),
      nodeOverheadCost,
    ),
  }
}
