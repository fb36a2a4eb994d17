import { KERF, type Suite } from '../../../tests/support/suite.ts'

/** The test files of Alibaba Cloud that are too expensive for `npm test`. A file belongs to the first suite that names it. */
export const suites: readonly Suite[] = [
  {
    name: 'Alibaba Cloud on the real control plane',
    proves:
      'that the upstream definition of ECSNodeClass and the whole process work with a real API server, and that the commands of the guide run',
    files: [
      'providers/alibaba/tests/process.alibaba.test.ts',
      'providers/alibaba/tests/upstream-definition.test.ts',
      'providers/alibaba/tests/guides/alibaba.test.ts',
    ],
    inputs: ['deploy/charts/', 'providers/alibaba/docs/guides/alibaba.md', 'tests/support/control-plane/'],
    runs: KERF,
    providers: ['alibaba'],
  },
]
