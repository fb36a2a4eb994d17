import type { CloudSimulation } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { gcpCloud } from './gcp-cloud.ts'
import { drawGcpFaults } from './gcp-faults.ts'
import { gcpNames } from './names.ts'

/** Google Cloud in the fault simulation. All requests go through the SDK's clients. */
export const simulation: CloudSimulation = {
  name: 'gcp',
  names: gcpNames,
  seeds: 10,
  turns: 3,
  drawOwn: drawGcpFaults,
  create: gcpCloud,
}
