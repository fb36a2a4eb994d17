import type { GuideRunners } from '../../../../tests/integration/guides/guide-runners.ts'

/** The test that runs the commands of the guide of Azure. */
export const runners: GuideRunners = {
  'guides/azure': {
    test: 'providers/azure/tests/guides/azure.azure.test.ts',
    holds: 'expect(shell.unrun(steps)).toEqual([])',
  },
}

/** The registry that the guide pushes the image to. */
export const imageRegistry = '$REGISTRY.azurecr.io'
