import { machineHolders } from '../machines/holders.ts'
import type { ClaimView, DeploymentState } from '../machines/machine-view.ts'

/**
 * Returns the NodeClaims that chose this MachineDeployment and hold no Machine yet, in the order in which they get Machines. The result
 * depends only on the claims themselves, so a restart loses none of them.
 */
export const createsUnderWay = (state: DeploymentState): readonly ClaimView[] => {
  const held = new Set<string>()
  for (const holder of machineHolders(state).values()) if (holder.kind === 'claim') held.add(holder.claim.uid)
  return state.claims
    .filter((claim) => claim.waiting && !claim.deleting && claim.machine === undefined && !held.has(claim.uid))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
