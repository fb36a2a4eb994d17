import { type Holder, holdersOf, isGoing } from '../machines/holders.ts'
import type { DeploymentState, MachineView } from '../machines/machine-view.ts'
import { replicasOfOthers } from '../machines/replicas-of-others.ts'
import { layoutOf, machinesOf } from './machine-sets.ts'

/** What to write into the MachineDeployment, all three in one patch that carries the resourceVersion of the read. */
export interface ReplicasDecision {
  /** spec.replicas, and the annotation `kerf.sh/replicas-wanted`. */
  readonly replicas: number
  /** Annotation `kerf.sh/replicas-of-others`. */
  readonly ofOthers: number
  /** False where the deployment says all of this already: then nothing is written. */
  readonly changed: boolean
  /** Creates that the maximum size leaves without a Machine. */
  readonly refused: number
}

/**
 * The replicas a MachineDeployment shall have: Machines that are held and stay, creates under way, what others hold. It is
 * worked out from what is there, never counted up or down, so that it comes out the same after a crash, a repeated call or a
 * conflict (a 409 means: read again, decide again).
 *
 * It lowers replicas only by places of Machines that go and that Cluster API is certain to choose; the rest waits for a later
 * decision. A lowering by more would let the MachineSet choose a Machine by itself.
 *
 * @param creates NodeClaims that chose this deployment and hold no Machine yet.
 */
export const desiredReplicas = (state: DeploymentState, creates: number): ReplicasDecision => {
  const holders = holdersOf(state)
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
 * Places of the newest set that Machines have which linger in their deletion. The set makes no other in their place until they
 * are gone; and a drain may wait for the very pods that a create is to make room for. Once the create has its Machine the
 * replicas are lowered again.
 */
const placesHeldUp = (state: DeploymentState): number => {
  const layout = layoutOf(state)
  if (layout.kind === 'unclear') return 0
  const newest = layout.kind === 'one' ? layout.set : layout.newest
  return machinesOf(state, newest).filter(({ lingering }) => lingering).length
}

/** Machines that a NodeClaim holds, or held, and that stay. */
const heldToStay = (state: DeploymentState, holders: ReadonlyMap<string, Holder>): number =>
  state.machines.filter((machine) => !isGoing(machine) && holders.get(machine.name)?.kind !== 'free').length

/**
 * The smallest value of spec.replicas under which Cluster API deletes only Machines that go already, by its own order inside
 * a set: deleting, marked, unhealthy, then the set's rule. Machines of the replicas that were not seen yet keep their place.
 */
const lowestCertain = (state: DeploymentState): number => {
  const { replicas, strategy } = state.deployment
  const layout = layoutOf(state)
  switch (layout.kind) {
    case 'one': {
      const unseen = Math.max(0, replicas - state.machines.length)
      return Math.min(replicas, state.machines.length - certainVictims(state.machines) + unseen)
    }
    case 'old-and-new': {
      const inOld = machinesOf(state, layout.old)
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

/** Machines of one set that its order puts before all others. A foreign mark ties with ours, so then only deleting ones count. */
const certainVictims = (machines: readonly MachineView[]): number => {
  const foreign = machines.some((machine) => machine.mark?.by === 'others' && !machine.deleting)
  return machines.filter((machine) => machine.deleting || (!foreign && isGoing(machine))).length
}
