import type { GuideRunners } from '../../../../tests/integration/guides/guide-runners.ts'

/** The test that runs the commands of the Alibaba Cloud guide. */
export const runners: GuideRunners = {
  'guides/alibaba': {
    test: 'providers/alibaba/tests/guides/alibaba.test.ts',
    holds: 'expect(shell.unrun(steps)).toEqual([])',
  },
}

/** The registry to which the guide pushes the image: the reader's own Container Registry instance. */
export const imageRegistry = '$REGISTRY_NAME-registry.$REGION_ID.cr.aliyuncs.com'
