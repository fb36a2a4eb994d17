import type { CloudSimulation } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { smallInstanceTypes } from '../../../kwok/testing/simulation/small-instance-types.ts'
import { simulatedCloud } from './simulated-cloud.ts'

/** The cloud of the sandbox in the fault simulation. */
export const simulation: CloudSimulation = {
  name: 'simulated',
  names: {
    nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
    zones: ['test-zone-a', 'test-zone-b'],
    types: ['c-4x-amd64-linux', 'm-4x-amd64-linux'],
  },
  tickets: 2,
  instanceTypes: smallInstanceTypes,
  create: simulatedCloud,
}
