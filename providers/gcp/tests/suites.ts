import { KERF, type Suite } from '../../../tests/support/suite.ts'

/** The test files of Google Cloud that are too expensive for `npm test`. A file belongs to the first suite that names it. */
export const suites: readonly Suite[] = [
  {
    name: 'Google Cloud on the real control plane',
    proves: 'that the upstream definition of GCENodeClass works with a real API server',
    files: ['providers/gcp/tests/upstream-definition.test.ts'],
    inputs: ['tests/support/control-plane/'],
    runs: KERF,
    providers: ['gcp'],
  },
]
