import { machineHolders } from '../machines/holders.ts'
import type { ClaimView, DeploymentState } from '../machines/machine-view.ts'

/**
 * Returns the NodeClaims that chose this MachineDeployment and hold no Machine yet, in the order in which Kerf serves them. Kerf derives
 * them from the claims themselves, so none is lost in a restart.
 */
export const createsUnderWay = (state: DeploymentState): readonly ClaimView[] => {
  const held = new Set<string>()
  for (const holder of machineHolders(state).values()) if (holder.kind === 'claim') held.add(holder.claim.uid)
  return state.claims
    .filter((claim) => claim.waiting && !claim.deleting && claim.machine === undefined && !held.has(claim.uid))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
