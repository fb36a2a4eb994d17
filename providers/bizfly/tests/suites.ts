import { KERF, type Suite } from '../../../tests/support/suite.ts'

/** The test files of Bizfly Cloud that are too expensive for `npm test`. */
export const suites: readonly Suite[] = [
  {
    name: 'the guide of Bizfly Cloud',
    proves: 'that the commands of the guide run, and that the chart gives the controller what it needs',
    files: ['providers/bizfly/tests/guides/bizfly.test.ts'],
    inputs: ['deploy/charts/', 'providers/bizfly/docs/guides/bizfly.md'],
    runs: KERF,
    providers: ['bizfly'],
  },
]
