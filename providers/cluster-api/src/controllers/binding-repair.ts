import type { Controller } from '@kerf/runtime'
import { abandonedMachines } from '../machines/binding.ts'
import { type MachineCare, unheldMachines } from './unheld-machines.ts'

/**
 * Machines whose NodeClaim is gone, or that were labelled for one that never named them, go
 * (`docs/spec/cluster-api.md#bindings`).
 */
export const bindingRepair = (care: MachineCare): Controller =>
  unheldMachines({
    ...care,
    name: 'machine.binding-repair',
    reason: 'its NodeClaim is gone',
    find: abandonedMachines,
    settles: () => false,
  })
