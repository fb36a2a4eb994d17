import type { UsdPerHour } from '@kerf/apis'
import { type Blocker, cheaperReplacement, replacementSavings, withoutSameType } from '@kerf/engine'
import type { Candidate } from '../candidates/candidate.ts'
import { type OfferedTypes, typeNamed } from '../candidates/offered-types.ts'
import type { Command, Replacement } from '../commands/command.ts'
import type { Simulation } from './simulator.ts'
import { holdsSpread } from './spread-check.ts'

/** The offers from which replacements may be launched. */
export interface Offers {
  readonly types: OfferedTypes
  /** Whether a spot node may be replaced by a spot node. */
  readonly spotToSpot: boolean
  /** A cost that every node adds to the price of its instance. */
  readonly nodeOverheadCost: UsdPerHour
}

/**
 * Returns the move that removes these nodes together, or its blocker (`docs/spec/disruption.md#consolidation`). The pods must fit
 * on other nodes, or on those and one new node. The new node must be cheaper with any of its offerings.
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
  const [planned, ...more] = claims
  if (more.length > 0) return { code: 'replacements.too-many', count: claims.length }
  const replacements: Replacement[] = []
  if (planned !== undefined) {
    const offered = offers.types.get(planned.nodePool)
    if (offered === undefined) return { code: 'pool.not-found', pool: planned.nodePool }
    const cheaper = cheaperReplacement(planned, offered.list, candidates, offers)
    if ('code' in cheaper) return cheaper
    // Replacing several nodes with one of the same instance type is no better than keeping one of them and deleting the others.
    const claim = consolidationType === 'multi' ? withoutSameType(cheaper, offered.list, candidates) : cheaper
    if ('code' in claim) return claim
    const type = offered.byName.get(claim.instanceTypes[0] ?? '')
    // kube-scheduler may place pods on the new node that were planned elsewhere. A pod that then does not fit would need another
    // new node.
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
      candidates,
      launched,
      (pool, name) => typeNamed(offers.types, pool, name),
      offers.nodeOverheadCost,
    ),
  }
}
