import { karpenterKinds, kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { guideSteps } from '../../../../tests/integration/guides/guide-steps.ts'
import { follow, inHarness, isMissing, runningPods } from './follow-guide.ts'

test.skipIf(isMissing)('the guide, command by command: from an empty account to the first pod', async () => {
  await inHarness('first-pod', async (session) => {
    await follow(session, guideSteps('first-pod'), {
      '4. Kerf': async () => {
        const pods = (await session.client.list(kinds.Pod, { namespace: 'kube-system' })).items
        // The pods run the pushed image.
        expect(pods.flatMap(({ spec }) => spec.containers.map(({ image }) => image))).toEqual([
          session.pushed,
          session.pushed,
        ])
        expect(pods.map(({ spec }) => spec.nodeName).toSorted()).toEqual([
          'system-0.ec2.internal',
          'system-1.ec2.internal',
        ])
      },
      '6. The first pod': async (output) => {
        expect(output).toMatch(/default-\w+ +[cmr]5\.\S+ +(spot|on-demand)/)
        expect(await runningPods(session)).toBe(10)
        const claims = (await session.client.list(karpenterKinds.NodeClaim)).items
        expect(await session.harness.instances()).toHaveLength(claims.length)
      },
      'Take it down': async () => {
        expect(await session.harness.instances()).toEqual([])
        expect(session.account.proxy.count('DeleteLaunchTemplate')).toBeGreaterThan(0)
      },
    })
  })
})
