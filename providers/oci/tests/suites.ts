import { KERF, type Suite } from '../../../tests/support/suite.ts'

/** The test files of Oracle Cloud that are too expensive for `npm test`. */
export const suites: readonly Suite[] = [
  {
    name: 'the guide of Oracle Cloud',
    proves: 'that the commands of the guide run, and that the chart gives the controller what it needs',
    files: ['providers/oci/tests/guides/oci.test.ts'],
    inputs: ['deploy/charts/', 'providers/oci/docs/guides/oci.md'],
    runs: KERF,
    providers: ['oci'],
  },
]
