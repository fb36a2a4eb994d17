import type { Milliseconds } from '@kerf/apis'
import type { DeploymentState, MachineView } from '../machines/machine-view.ts'
import { desiredReplicas } from './desired-replicas.ts'
import { layoutOf, machinesOf } from './machine-sets.ts'

/** The next write on the way to delete one Machine. Every step is decided from a new read, so a crash between two loses nothing. */
export type DeletionStep =
  /** It has its deletionTimestamp. Only the replicas may have to follow: `desiredReplicas`. */
  | { readonly kind: 'going' }
  /** Write the annotation `cluster.x-k8s.io/delete-machine`, with the Machine's resourceVersion; then decide again. */
  | { readonly kind: 'mark' }
  /** Marked: write `desiredReplicas`, then decide again. */
  | { readonly kind: 'scale' }
  /** Marked and scaled: the controllers have until `VERIFY_WITHIN` to choose it. */
  | { readonly kind: 'verify' }
  /** Delete the Machine object, with its UID as precondition; afterwards `desiredReplicas`. */
  | { readonly kind: 'delete-itself' }
  /** Nothing proves that this Machine would go. `unmark`: take a mark of ours off first, it would act later, on its own. */
  | { readonly kind: 'refuse'; readonly reason: string; readonly unmark: boolean }

/** How long a marked Machine may stay without a deletionTimestamp. Cluster API needs one to six seconds. */
export const VERIFY_WITHIN: Milliseconds = 15_000

/**
 * How exactly this Machine is deleted. The mark is a priority inside one MachineSet only, so it is used where it is certain to
 * act, because it keeps the set from making a replacement; everywhere else the Machine object itself is deleted, which never
 * hits another one, and replicas stay where lowering them would.
 *
 * @param mayDelete the right `delete` on machines. Upstream's role lacks it: then the uncertain cases are refused.
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
 * True where a mark and the replicas that follow from it take this Machine: its set has no Machine that would fill the place
 * instead (deleting, or marked by others), every replica was seen, and the lowering reaches its set and nothing else.
 */
const markIsCertain = (state: DeploymentState, machine: MachineView, creates: number): boolean => {
  const layout = layoutOf(state)
  const set = layout.kind === 'one' ? layout.set : layout.kind === 'old-and-new' ? layout.old : undefined
  if (set === undefined || machine.set !== set.name) return false
  const others = machinesOf(state, set).filter((other) => other !== machine)
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
    : `a lower spec.replicas of ${where} could take another Machine than ${machine.name}`
  return {
    kind: 'refuse',
    reason: `${why}; grant Kerf the verb delete on machines.cluster.x-k8s.io, or delete this Machine by hand`,
    unmark: machine.mark?.by === 'kerf',
  }
}
