import { KERF, type Suite } from '../../../tests/support/suite.ts'

/** The test files of Oracle Cloud that are too expensive for `npm test`. */
export const suites: readonly Suite[] = [
  {
    name: 'Oracle Cloud on the real control plane',
    proves:
      'that the CRDs of both public providers and the whole process work with a real API server, and that the commands of the guide run',
    files: [
      'providers/oci/tests/process.oci.test.ts',
      'providers/oci/tests/upstream-definition.test.ts',
      'providers/oci/tests/guides/oci.test.ts',
    ],
    inputs: ['deploy/charts/', 'providers/oci/docs/guides/oci.md', 'tests/support/control-plane/'],
    runs: KERF,
    providers: ['oci'],
  },
]
