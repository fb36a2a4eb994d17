import { KERF, type Suite } from '../../../tests/support/suite.ts'

/** The test files of Alibaba Cloud that are too expensive for `npm test`. A file belongs to the first suite that names it. */
export const suites: readonly Suite[] = [
  {
    name: 'Alibaba Cloud on the real control plane',
    proves: 'that the upstream definition of ECSNodeClass works with a real API server',
    files: ['providers/alibaba/tests/upstream-definition.test.ts'],
    inputs: ['tests/support/control-plane/'],
    runs: KERF,
    providers: ['alibaba'],
  },
]
