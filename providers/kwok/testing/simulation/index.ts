import type { CloudSimulation } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { kwokNodeClassKind } from '../../src/node-class/kwok-node-class.ts'
import { kwokNodeClass } from '../../src/testing/kwok-node-class.ts'
import { kwokCloud } from './kwok-cloud.ts'
import { smallInstanceTypes } from './small-instance-types.ts'

/** The KWOK provider in the fault simulation. */
export const simulation: CloudSimulation = {
  name: 'kwok',
  names: {
    nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
    zones: ['test-zone-a', 'test-zone-b'],
    types: ['c-4x-amd64-linux', 'm-4x-amd64-linux'],
  },
  tickets: 1,
  hasOnlyNodes: true,
  inEveryCluster: [{ kind: kwokNodeClassKind, object: kwokNodeClass('default') }],
  instanceTypes: smallInstanceTypes,
  create: kwokCloud,
}
