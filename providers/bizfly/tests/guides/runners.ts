import type { GuideRunners } from '../../../../tests/integration/guides/guide-runners.ts'

/** The test that runs the commands of the guide of Bizfly Cloud. */
export const runners: GuideRunners = {
  'guides/bizfly': {
    test: 'providers/bizfly/tests/guides/bizfly.test.ts',
    holds: 'expect(shell.unrun(steps)).toEqual([])',
  },
}

/** The registry that the guide pushes the image to: a registry of the reader's project. */
export const imageRegistry = 'cr-hn-1.bizflycloud.vn/$REGISTRY_NAME'
