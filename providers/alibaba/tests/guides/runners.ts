import type { GuideRunners } from '../../../../tests/integration/guides/guide-runners.ts'

/** No test runs the guide of Alibaba Cloud yet. */
export const runners: GuideRunners = {}

/** The registry that the guide pushes the image to: a Container Registry instance of the reader. */
export const imageRegistry = '$REGISTRY_NAME-registry.$REGION_ID.cr.aliyuncs.com'
