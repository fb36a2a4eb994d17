import type { Controller } from '@kerf/runtime'
import { createsUnderWay } from '../replicas/creates.ts'
import { desiredReplicas } from '../replicas/desired-replicas.ts'
import { surplusMachines } from '../replicas/surplus.ts'
import { type MachineCare, unheldMachines } from './unheld-machines.ts'

/**
 * Returns the controller that deletes surplus Machines: free Machines that Kerf requested and that no pending launch will use. The
 * controller also lowers the replicas of the MachineDeployment (`providers/cluster-api/docs/spec/cluster-api.md#surplus`).
 */
export const surplus = (care: MachineCare): Controller =>
  unheldMachines({
    ...care,
    name: 'machine.surplus',
    reason: 'no NodeClaim needs it',
    find: (state) => surplusMachines(state, createsUnderWay(state).length),
    settles: (state) => desiredReplicas(state, createsUnderWay(state).length).changed,
  })
