import type { CloudSimulation } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { azureCloud } from './azure-cloud.ts'
import { drawAzureFaults } from './azure-faults.ts'
import { azureNames } from './cloud-names.ts'

/**
 * Azure in the fault simulation. Each request goes through the clients of the SDK, which takes several times as long as on other clouds,
 * and more turns, because its transport imports modules for each request.
 */
export const simulation: CloudSimulation = {
  name: 'azure',
  names: azureNames,
  seeds: 10,
  turns: 3,
  drawOwn: drawAzureFaults,
  create: azureCloud,
}
