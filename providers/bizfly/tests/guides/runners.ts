import type { GuideRunners } from '../../../../tests/integration/guides/guide-runners.ts'

/** The test that runs the commands of the Bizfly Cloud guide. */
export const runners: GuideRunners = {
  'guides/bizfly': {
    test: 'providers/bizfly/tests/guides/bizfly.test.ts',
    holds: 'expect(shell.unrun(steps)).toEqual([])',
  },
}

/** The registry to which the guide pushes the image: a registry in the reader's project. */
export const imageRegistry = 'cr-hn-1.bizflycloud.vn/$REGISTRY_NAME'
