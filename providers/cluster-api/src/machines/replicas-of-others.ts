import type { Holder } from './holders.ts'
import { isGoing } from './holders.ts'
import type { DeploymentState } from './machine-view.ts'

/**
 * Replicas of the deployment that somebody else asked for; Kerf keeps them whatever its NodeClaims do.
 *
 * At the first touch: everything that no NodeClaim holds, so that nothing that was there before Kerf is removed. Later: what
 * was written then, moved by what spec.replicas differs from Kerf's last write, since only another writer can have changed
 * it. Never below zero: whoever scales below what the NodeClaims hold takes nothing from them, Kerf raises it again.
 */
export const replicasOfOthers = (state: DeploymentState, holders: ReadonlyMap<string, Holder>): number => {
  const { replicas, lastWritten, ofOthers } = state.deployment
  if (lastWritten !== undefined && ofOthers !== undefined) return Math.max(0, ofOthers + replicas - lastWritten)
  return Math.max(0, replicas - heldPlaces(state, holders))
}

/**
 * Places in spec.replicas that held Machines take. A held Machine that goes has its place until replicas was lowered for it;
 * how many were not lowered for yet is what replicas exceeds the Machines that stay.
 */
const heldPlaces = (state: DeploymentState, holders: ReadonlyMap<string, Holder>): number => {
  const held = state.machines.filter((machine) => holders.get(machine.name)?.kind !== 'free')
  const leaving = (machine: (typeof held)[number]): boolean => isGoing(machine) || machine.mark !== undefined
  const staying = state.machines.filter((machine) => !leaving(machine)).length
  const going = held.filter(leaving).length
  const stillCounted = Math.min(going, Math.max(0, state.deployment.replicas - staying))
  return held.length - going + stillCounted
}
