import type { CloudSimulation } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { alibabaCloud } from './alibaba-cloud.ts'
import { drawAlibabaFaults } from './alibaba-faults.ts'
import { alibabaNames } from './cloud-names.ts'

/** Alibaba Cloud in the fault simulation. */
export const simulation: CloudSimulation = {
  name: 'alibaba',
  names: alibabaNames,
  seeds: 10,
  turns: 3,
  drawOwn: drawAlibabaFaults,
  create: alibabaCloud,
}
