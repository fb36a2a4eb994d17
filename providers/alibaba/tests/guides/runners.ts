import type { GuideRunners } from '../../../../tests/integration/guides/guide-runners.ts'

/** The test that runs the commands of the guide of Alibaba Cloud. */
export const runners: GuideRunners = {
  'guides/alibaba': {
    test: 'providers/alibaba/tests/guides/alibaba.test.ts',
    holds: 'expect(shell.unrun(steps)).toEqual([])',
  },
}

/** The registry that the guide pushes the image to: a Container Registry instance of the reader. */
export const imageRegistry = '$REGISTRY_NAME-registry.$REGION_ID.cr.aliyuncs.com'
