import { KERF, type Suite } from '../../../tests/support/suite.ts'

/** The test files of Bizfly Cloud that are too expensive for `npm test`. */
export const suites: readonly Suite[] = [
  {
    name: 'Bizfly Cloud on the real control plane',
    proves:
      'that the upstream definitions and the whole process work with a real API server, that the commands of the guide run, and that the chart gives the controller what it needs',
    files: [
      'providers/bizfly/tests/process.bizfly.test.ts',
      'providers/bizfly/tests/upstream-definition.test.ts',
      'providers/bizfly/tests/guides/bizfly.test.ts',
    ],
    inputs: ['deploy/charts/', 'providers/bizfly/docs/guides/bizfly.md', 'tests/support/control-plane/'],
    runs: KERF,
    providers: ['bizfly'],
  },
]
