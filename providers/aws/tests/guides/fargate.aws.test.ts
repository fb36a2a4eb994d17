import { kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { guideSteps } from '../../../../tests/integration/guides/guide-steps.ts'
import { follow, inHarness, isMissing, withImage } from './follow-guide.ts'

// This guide installs the same controller as the first guide (same-controller.test.ts). The test of the first guide checks what the
// controller launches.
test.skipIf(isMissing)('the guide, command by command: the controller on Fargate', async () => {
  await inHarness('fargate', async (session) => {
    await follow(session, withImage(guideSteps('fargate')), {
      Kerf: async () => {
        const pods = (await session.client.list(kinds.Pod, { namespace: 'kube-system' })).items
        expect(pods.map(({ spec }) => spec.nodeName).toSorted()).toEqual(
          pods.map(({ metadata }) => `fargate-${metadata.name}`).toSorted(),
        )
        expect(pods).toHaveLength(2)
      },
    })
  })
})
