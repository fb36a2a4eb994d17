import type { CloudSimulation } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { ociCloud } from './oci-cloud.ts'
import { drawOciFaults } from './oci-faults.ts'
import { ociNames } from './oci-names.ts'

/** Oracle Cloud in the fault simulation. Oracle's SDK encodes and signs all requests. */
export const simulation: CloudSimulation = {
  name: 'oci',
  names: ociNames,
  seeds: 10,
  turns: 3,
  drawOwn: drawOciFaults,
  create: ociCloud,
}
