import type { Role } from '../../../tests/support/mutation/roles.ts'

/** The parts of this provider that mutation testing covers. For each part, mutation testing runs the tests next to the code. */
export const roles: Readonly<Record<string, Role>> = {
  'aws-launch': {
    folders: ['providers/aws/src/launch', 'providers/kit/src/collection', 'providers/kit/src/launches'],
    tests: [],
  },
  'aws-instances': {
    folders: ['providers/aws/src/instances', 'providers/kit/src/caching', 'providers/kit/src/claims'],
    tests: [],
  },
  'aws-batching': { folders: ['providers/aws/src/batching', 'providers/kit/src/batching'], tests: [] },
  'aws-drift': {
    folders: ['providers/aws/src/drift', 'providers/aws/src/node-class', 'providers/kit/src/node-class'],
    tests: [],
  },
  'aws-discovery': { folders: ['providers/aws/src/discovery'], tests: [] },
}
