import type { Controller } from '@kerf/runtime'
import { abandonedMachines } from '../machines/binding.ts'
import { type MachineCare, unheldMachines } from './unheld-machines.ts'

/**
 * Returns the controller that deletes Machines whose NodeClaim is gone, and Machines whose binding was never completed
 * (`providers/cluster-api/docs/spec/cluster-api.md#bindings`).
 */
export const bindingRepair = (care: MachineCare): Controller =>
  unheldMachines({
    ...care,
    name: 'machine.binding-repair',
    reason: 'its NodeClaim was deleted',
    find: abandonedMachines,
    settles: () => false,
  })
