import type { DeploymentState, MachineSetView, MachineView } from '../machines/machine-view.ts'

/** How a MachineDeployment's Machines are distributed over MachineSets. Kerf ignores old sets without replicas and Machines. */
export type SetLayout =
  | { readonly kind: 'one'; readonly set: MachineSetView }
  | { readonly kind: 'old-and-new'; readonly old: MachineSetView; readonly newest: MachineSetView }
  | { readonly kind: 'unclear' }

/**
 * Returns `one` if the newest set has all Machines. Returns `old-and-new` if exactly one older set has Machines, regardless of the number
 * in the newest set. Returns `unclear` in all other cases: several old sets, a Machine without a set, or an unknown set.
 */
export const machineSetLayout = (state: DeploymentState): SetLayout => {
  const newest = state.sets.reduce<MachineSetView | undefined>(
    (best, set) => (best === undefined || set.revision > best.revision ? set : best),
    undefined,
  )
  const known = new Set(state.sets.map((set) => set.name))
  if (newest === undefined || state.machines.some((m) => m.set === undefined || !known.has(m.set)))
    return { kind: 'unclear' }
  const older = state.sets.filter((set) => set !== newest && (set.replicas > 0 || setMachines(state, set).length > 0))
  const [old, ...more] = older
  if (old === undefined) return { kind: 'one', set: newest }
  return more.length > 0 ? { kind: 'unclear' } : { kind: 'old-and-new', old, newest }
}

export const setMachines = (state: DeploymentState, set: MachineSetView): readonly MachineView[] =>
  state.machines.filter((machine) => machine.set === set.name)
