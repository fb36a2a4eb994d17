import type { GuideRunners } from '../../../../tests/integration/guides/guide-runners.ts'

/** The test that runs the commands of the Proxmox VE guide. */
export const runners: GuideRunners = {
  'guides/proxmox': {
    test: 'providers/proxmox/tests/guides/proxmox.test.ts',
    holds: 'expect(shell.unrun(steps)).toEqual([])',
  },
}

/** The registry to which the guide pushes the image. */
export const imageRegistry = '$REGISTRY'
