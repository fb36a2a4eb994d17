import type { CloudSimulation } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { exampleCloud } from './example-cloud.ts'

/** The example provider in the fault simulation. Copy it for the simulation of a small cloud. */
export const simulation: CloudSimulation = {
  name: 'example',
  names: {
    nodeClassRef: { group: 'example.kerf.sh', kind: 'ExampleNodeClass', name: 'default' },
    zones: ['example-1a', 'example-1b'],
    types: ['s-4', 's-8'],
  },
  create: exampleCloud,
}
