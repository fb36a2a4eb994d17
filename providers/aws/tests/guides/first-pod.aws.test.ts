import { karpenterKinds, kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { guideSteps } from '../../../../tests/integration/guides/guide-steps.ts'
import { follow, inWorld, isMissing, runningPods } from './follow-guide.ts'

test.skipIf(isMissing)('the guide, command by command: from an empty account to the first pod', async () => {
  await inWorld('first-pod', async (world) => {
    await follow(world, guideSteps('first-pod'), {
      '4. Kerf': async () => {
        const pods = (await world.client.list(kinds.Pod, { namespace: 'kube-system' })).items
        // The pods run the pushed image.
        expect(pods.flatMap(({ spec }) => spec.containers.map(({ image }) => image))).toEqual([
          world.pushed,
          world.pushed,
        ])
        expect(pods.map(({ spec }) => spec.nodeName).toSorted()).toEqual([
          'system-0.ec2.internal',
          'system-1.ec2.internal',
        ])
      },
      '6. The first pod': async (output) => {
        expect(output).toMatch(/default-\w+ +[cmr]5\.\S+ +(spot|on-demand)/)
        expect(await runningPods(world)).toBe(10)
        const claims = (await world.client.list(karpenterKinds.NodeClaim)).items
        expect(await world.harness.instances()).toHaveLength(claims.length)
      },
      'Take it down': async () => {
        expect(await world.harness.instances()).toEqual([])
        expect(world.account.proxy.count('DeleteLaunchTemplate')).toBeGreaterThan(0)
      },
    })
  })
})
