import type { GuideRunners } from '../../../../tests/integration/guides/guide-runners.ts'

/** The test that runs the commands of the guide of Proxmox VE. */
export const runners: GuideRunners = {
  'guides/proxmox': {
    test: 'providers/proxmox/tests/guides/proxmox.test.ts',
    holds: 'expect(shell.unrun(steps)).toEqual([])',
  },
}

/** The registry that the guide pushes the image to. */
export const imageRegistry = '$REGISTRY'
