import type { Milliseconds } from '@kerf/apis'
import type { DeploymentState, MachineView } from '../machines/machine-view.ts'
import { desiredReplicas } from './desired-replicas.ts'
import { machineSetLayout, setMachines } from './machine-sets.ts'

/** The next step in the deletion of one Machine. Kerf decides each step from a new read, so a crash between two steps has no effect. */
export type DeletionStep =
  /** The Machine has a deletionTimestamp. Only the replicas may still have to be lowered (`desiredReplicas`). */
  | { readonly kind: 'going' }
  /** Write the annotation `cluster.x-k8s.io/delete-machine` with the Machine's resourceVersion, then decide again. */
  | { readonly kind: 'mark' }
  /** The Machine is marked. Write `desiredReplicas`, then decide again. */
  | { readonly kind: 'scale' }
  /** The Machine is marked, and Kerf has lowered the replicas. Cluster API's controllers have until `VERIFY_WITHIN` to delete it. */
  | { readonly kind: 'verify' }
  /** Kerf must delete the Machine object, with its UID as precondition, then write `desiredReplicas`. */
  | { readonly kind: 'delete-itself' }
  /**
   * It is not certain that Cluster API would delete this Machine. If `unmark` is true, Kerf must first remove its mark, because the mark
   * could take effect later.
   */
  | { readonly kind: 'refuse'; readonly reason: string; readonly unmark: boolean }

/** How long a marked Machine may remain without a deletionTimestamp. Normally, Cluster API sets it within one to six seconds. */
export const VERIFY_WITHIN: Milliseconds = 15_000

/**
 * Decides how to delete this Machine. The mark is only a priority within one MachineSet. Kerf uses the mark if its effect is certain,
 * because Kerf can then lower the replicas at the same time, which prevents a replacement. Otherwise Kerf deletes the Machine object
 * itself, which never affects another Machine. If lowering the replicas would delete another Machine, they stay unchanged.
 *
 * @param mayDelete whether Kerf has the permission `delete` on machines. Upstream's role lacks it. Without it, uncertain cases are refused.
 */
export const nextDeletionStep = (
  state: DeploymentState,
  machine: MachineView,
  creates: number,
  mayDelete: boolean,
  now: Milliseconds,
): DeletionStep => {
  if (machine.deleting) return { kind: 'going' }
  const certain = markIsCertain(state, machine, creates)
  const expired =
    machine.mark?.by === 'kerf' && (machine.mark.at === undefined || now - machine.mark.at >= VERIFY_WITHIN)
  if (!certain || expired) return mayDelete ? { kind: 'delete-itself' } : refusal(state, machine, expired)
  if (machine.mark?.by !== 'kerf') return { kind: 'mark' }
  return desiredReplicas(state, creates).replicas < state.deployment.replicas ? { kind: 'scale' } : { kind: 'verify' }
}

/**
 * Returns true if Cluster API is certain to delete this Machine when Kerf marks it and lowers the replicas. This requires three things. No
 * other Machine of its set is being deleted or marked by others. A Machine exists for every replica. The lower replicas affect only its
 * set.
 */
const markIsCertain = (state: DeploymentState, machine: MachineView, creates: number): boolean => {
  const layout = machineSetLayout(state)
  const set = layout.kind === 'one' ? layout.set : layout.kind === 'old-and-new' ? layout.old : undefined
  if (set === undefined || machine.set !== set.name) return false
  const others = setMachines(state, set).filter((other) => other !== machine)
  if (others.some((other) => other.deleting || other.mark?.by === 'others')) return false
  if (state.machines.length < state.deployment.replicas) return false
  const after = asMarked(state, machine)
  const going = after.machines.filter((other) => other.mark?.by === 'kerf' && other.set === set.name).length
  const staying = layout.kind === 'one' ? state.machines.length : Math.max(state.machines.length, setReplicas(state))
  return desiredReplicas(after, creates).replicas <= staying - going
}

const asMarked = (state: DeploymentState, machine: MachineView): DeploymentState => ({
  ...state,
  machines: state.machines.map((other) =>
    other === machine ? { ...machine, mark: { by: 'kerf', at: machine.mark?.at } } : other,
  ),
})

const setReplicas = (state: DeploymentState): number => state.sets.reduce((sum, set) => sum + set.replicas, 0)

const refusal = (state: DeploymentState, machine: MachineView, expired: boolean): DeletionStep => {
  const where = `MachineDeployment ${state.deployment.namespace}/${state.deployment.name}`
  const why = expired
    ? `Machine ${machine.name} was marked, but Cluster API did not choose it`
    : `lowering spec.replicas of ${where} could delete another Machine than ${machine.name}`
  return {
    kind: 'refuse',
    reason: `${why}; grant Kerf the verb delete on machines.cluster.x-k8s.io, or delete this Machine manually`,
    unmark: machine.mark?.by === 'kerf',
  }
}
