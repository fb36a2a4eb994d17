import type { CloudSimulation } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { azureCloud } from './azure-cloud.ts'
import { drawAzureFaults } from './azure-faults.ts'
import { azureNames } from './cloud-names.ts'

/**
 * Azure in the fault simulation. Each request goes through the SDK's clients, which takes several times as long as on other clouds. It
 * also needs more turns of the event loop, because the SDK's transport imports modules for each request.
 */
export const simulation: CloudSimulation = {
  name: 'azure',
  names: azureNames,
  seeds: 10,
  turns: 3,
  drawOwn: drawAzureFaults,
  create: azureCloud,
}
