import type { CloudSimulation } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { proxmoxCloud } from './proxmox-cloud.ts'
import { drawProxmoxFaults } from './proxmox-faults.ts'
import { proxmoxNames } from './proxmox-names.ts'

/** Proxmox in the fault simulation. */
export const simulation: CloudSimulation = {
  name: 'proxmox',
  names: proxmoxNames,
  seeds: 10,
  turns: 3,
  drawOwn: drawProxmoxFaults,
  create: proxmoxCloud,
}
