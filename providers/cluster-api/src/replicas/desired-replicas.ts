import { type Holder, isGoing, machineHolders } from '../machines/holders.ts'
import type { DeploymentState, MachineView } from '../machines/machine-view.ts'
import { replicasOfOthers } from '../machines/replicas-of-others.ts'
import { machineSetLayout, setMachines } from './machine-sets.ts'

/** The values to write into the MachineDeployment, in one patch with the resourceVersion of the read. */
export interface ReplicasDecision {
  /** `spec.replicas`, and the annotation `kerf.sh/replicas-wanted`. */
  readonly replicas: number
  /** The annotation `kerf.sh/replicas-of-others`. */
  readonly ofOthers: number
  /** False if the MachineDeployment already has these values. Kerf then writes nothing. */
  readonly changed: boolean
  /** The number of creates that get no Machine because of the maximum size. */
  readonly refused: number
}

/**
 * Returns the desired replicas of a MachineDeployment: the held Machines that stay, the pending creates, and the replicas of others. The
 * function computes them from the current state, and never increments or decrements them. So the result is the same after a crash, a
 * repeated call or a conflict (after a 409, read and decide again).
 * It lowers the replicas only for Machines that Cluster API is certain to delete. Otherwise the MachineSet could delete other Machines. A
 * later decision lowers the rest.
 *
 * @param creates the number of NodeClaims that chose this deployment and hold no Machine yet.
 */
export const desiredReplicas = (state: DeploymentState, creates: number): ReplicasDecision => {
  const holders = machineHolders(state)
  const { deployment } = state
  const ofOthers = replicasOfOthers(state, holders)
  const wanted = heldToStay(state, holders) + creates + Math.min(creates, placesHeldUp(state)) + ofOthers
  const allowed = Math.max(deployment.replicas, deployment.maximum ?? wanted)
  const capped = Math.min(wanted, allowed)
  const replicas = Math.max(capped, lowestCertain(state))
  return {
    replicas,
    ofOthers,
    changed:
      replicas !== deployment.replicas || replicas !== deployment.lastWritten || ofOthers !== deployment.ofOthers,
    refused: Math.min(creates, wanted - capped),
  }
}

/**
 * Returns the number of Machines in the newest set whose deletion takes long. The set creates no replacements until they are gone. Their
 * drain may even wait for pods that need the Machine of a pending create. For such creates, Kerf adds replicas temporarily, and lowers them
 * again when the create has its Machine.
 */
const placesHeldUp = (state: DeploymentState): number => {
  const layout = machineSetLayout(state)
  if (layout.kind === 'unclear') return 0
  const newest = layout.kind === 'one' ? layout.set : layout.newest
  return setMachines(state, newest).filter(({ lingering }) => lingering).length
}

/** Returns the number of Machines that stay and that a NodeClaim holds or held. */
const heldToStay = (state: DeploymentState, holders: ReadonlyMap<string, Holder>): number =>
  state.machines.filter((machine) => !isGoing(machine) && holders.get(machine.name)?.kind !== 'free').length

/**
 * Returns the lowest `spec.replicas` with which Cluster API deletes only Machines that must be deleted anyway. Within a set, Cluster API
 * first deletes Machines that are already being deleted, then marked ones, then unhealthy ones, and then follows the set's rule. Replicas
 * that have no visible Machine yet are not removed.
 */
const lowestCertain = (state: DeploymentState): number => {
  const { replicas, strategy } = state.deployment
  const layout = machineSetLayout(state)
  switch (layout.kind) {
    case 'one': {
      const unseen = Math.max(0, replicas - state.machines.length)
      return Math.min(replicas, state.machines.length - certainVictims(state.machines) + unseen)
    }
    case 'old-and-new': {
      const inOld = setMachines(state, layout.old)
      const balanced =
        strategy === 'OnDelete' &&
        layout.old.replicas + layout.newest.replicas === replicas &&
        layout.old.replicas === inOld.length &&
        !inOld.some((machine) => machine.deleting)
      return balanced ? replicas - certainVictims(inOld) : replicas
    }
    case 'unclear':
      return replicas
  }
}

/**
 * Returns how many Machines of one set are certain to be deleted before all others. Marks by others have the same priority as Kerf's.
 * Therefore, if others have marked Machines, only Machines that are already being deleted count.
 */
const certainVictims = (machines: readonly MachineView[]): number => {
  const foreign = machines.some((machine) => machine.mark?.by === 'others' && !machine.deleting)
  return machines.filter((machine) => machine.deleting || (!foreign && isGoing(machine))).length
}
