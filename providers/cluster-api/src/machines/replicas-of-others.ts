import type { Holder } from './holders.ts'
import { isGoing } from './holders.ts'
import type { DeploymentState } from './machine-view.ts'

/**
 * Returns how many replicas of the MachineDeployment others requested. Kerf keeps these replicas, regardless of its NodeClaims.
 * Before Kerf's first write, these are all replicas that no NodeClaim holds, so that Kerf removes nothing that already existed. Later, the
 * result is the last value plus the difference between `spec.replicas` and Kerf's last write, because only another writer can have caused
 * that difference. The result is never negative: if others scale below the number of held Machines, Kerf raises the replicas again.
 */
export const replicasOfOthers = (state: DeploymentState, holders: ReadonlyMap<string, Holder>): number => {
  const { replicas, lastWritten, ofOthers } = state.deployment
  if (lastWritten !== undefined && ofOthers !== undefined) return Math.max(0, ofOthers + replicas - lastWritten)
  return Math.max(0, replicas - heldPlaces(state, holders))
}

/**
 * Returns how many of `spec.replicas` belong to held Machines. A held Machine that is being deleted counts until the replicas have been
 * lowered for it. The number of such Machines is the difference between the replicas and the Machines that stay.
 */
const heldPlaces = (state: DeploymentState, holders: ReadonlyMap<string, Holder>): number => {
  const held = state.machines.filter((machine) => holders.get(machine.name)?.kind !== 'free')
  const leaving = (machine: (typeof held)[number]): boolean => isGoing(machine) || machine.mark !== undefined
  const staying = state.machines.filter((machine) => !leaving(machine)).length
  const going = held.filter(leaving).length
  const stillCounted = Math.min(going, Math.max(0, state.deployment.replicas - staying))
  return held.length - going + stillCounted
}
