import { KERF, type Suite } from '../../../tests/support/suite.ts'

/** The test files of Cluster API that are too expensive for `npm test`. If several suites list a file, it belongs to the first of them. */
export const suites: readonly Suite[] = [
  {
    name: 'Cluster API',
    proves: 'that Kerf works with the real controllers of Cluster API',
    files: [
      'providers/cluster-api/tests/cluster-api.cluster-api.test.ts',
      'providers/cluster-api/tests/management-cluster.test.ts',
    ],
    inputs: ['deploy/charts/', 'providers/cluster-api/docs/guides/cluster-api.md', 'tests/support/control-plane/'],
    runs: KERF,
    providers: ['cluster-api'],
  },
]
