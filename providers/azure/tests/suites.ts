import { KERF, type Suite } from '../../../tests/support/suite.ts'

/** The test files of Azure that are too expensive for `npm test`. If several suites list a file, it belongs to the first of them. */
export const suites: readonly Suite[] = [
  {
    name: 'Azure on the real control plane',
    proves: 'that the upstream definition and the whole process work with a real API server',
    files: [
      'providers/azure/tests/upgrades.azure.test.ts',
      'providers/azure/tests/upstream-definition.test.ts',
      'providers/azure/tests/verify.azure.test.ts',
      'providers/azure/tests/guides/azure.azure.test.ts',
    ],
    inputs: [
      'deploy/charts/',
      'providers/azure/docs/guides/azure.md',
      'docs/verify.md',
      'tests/support/control-plane/',
    ],
    runs: KERF,
    providers: ['azure'],
  },
]
