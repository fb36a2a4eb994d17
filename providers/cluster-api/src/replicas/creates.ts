import { holdersOf } from '../machines/holders.ts'
import type { ClaimView, DeploymentState } from '../machines/machine-view.ts'

/**
 * NodeClaims that chose this deployment and hold no Machine yet, the first to be served first. Read off the claims
 * themselves, so that a restart forgets none.
 */
export const createsUnderWay = (state: DeploymentState): readonly ClaimView[] => {
  const held = new Set<string>()
  for (const holder of holdersOf(state).values()) if (holder.kind === 'claim') held.add(holder.claim.uid)
  return state.claims
    .filter((claim) => claim.waiting && !claim.deleting && claim.machine === undefined && !held.has(claim.uid))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
