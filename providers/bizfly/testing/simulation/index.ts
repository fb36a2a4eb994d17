import type { CloudSimulation } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { bizflyCloud } from './bizfly-cloud.ts'
import { drawBizflyFaults } from './bizfly-faults.ts'

/** Bizfly Cloud in the fault simulation. */
export const simulation: CloudSimulation = {
  name: 'bizfly',
  names: {
    nodeClassRef: { group: 'karpenter.bizflycloud.com', kind: 'BizflyCloudNodeClass', name: 'default' },
    zones: ['HN1', 'HN2'],
    types: ['p4a.4c_8g', 'p4a.8c_16g'],
  },
  seeds: 10,
  turns: 3,
  drawOwn: drawBizflyFaults,
  create: bizflyCloud,
}
