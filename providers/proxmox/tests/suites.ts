import { KERF, type Suite } from '../../../tests/support/suite.ts'

/** The test files of Proxmox that are too expensive for `npm test`. */
export const suites: readonly Suite[] = [
  {
    name: 'the guide of Proxmox VE',
    proves: 'that the commands of the guide run, and that the chart gives the controller what it needs',
    files: ['providers/proxmox/tests/guides/proxmox.test.ts'],
    inputs: ['deploy/charts/', 'providers/proxmox/docs/guides/proxmox.md'],
    runs: KERF,
    providers: ['proxmox'],
  },
]
