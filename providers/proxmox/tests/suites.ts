import { KERF, type Suite } from '../../../tests/support/suite.ts'

/** The test files of Proxmox that are too expensive for `npm test`. */
export const suites: readonly Suite[] = [
  {
    name: 'Proxmox VE on the real control plane',
    proves:
      'that the upstream definitions and the whole process work with a real API server, that the commands of the guide run, and that the chart gives the controller what it needs',
    files: [
      'providers/proxmox/tests/process.proxmox.test.ts',
      'providers/proxmox/tests/upstream-definition.test.ts',
      'providers/proxmox/tests/guides/proxmox.test.ts',
    ],
    inputs: ['deploy/charts/', 'providers/proxmox/docs/guides/proxmox.md', 'tests/support/control-plane/'],
    runs: KERF,
    providers: ['proxmox'],
  },
]
