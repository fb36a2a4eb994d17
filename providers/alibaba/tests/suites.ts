import { KERF, type Suite } from '../../../tests/support/suite.ts'

/** The test files of Alibaba Cloud that are too expensive for `npm test`. If several suites list a file, it belongs to the first one. */
export const suites: readonly Suite[] = [
  {
    name: 'Alibaba Cloud on the real control plane',
    proves:
      'that the upstream definition of ECSNodeClass and the whole process work with a real API server, that the commands of the guide run, and that a migration from ACK can be rehearsed',
    files: [
      'providers/alibaba/tests/process.alibaba.test.ts',
      'providers/alibaba/tests/upstream-definition.test.ts',
      'providers/alibaba/tests/guides/alibaba.test.ts',
      'providers/alibaba/tests/migrate/rehearsal.test.ts',
    ],
    inputs: ['deploy/charts/', 'providers/alibaba/docs/guides/alibaba.md', 'tests/support/control-plane/'],
    runs: KERF,
    providers: ['alibaba'],
  },
  {
    name: 'clients of Alibaba Cloud',
    proves: 'that Kerf sends what the vendor’s generated clients send, which need several seconds to load',
    files: ['providers/alibaba/tests/sdk-clients.test.ts'],
    inputs: ['package-lock.json'],
    runs: [],
    providers: ['alibaba'],
  },
]
