import { kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { follow, inWorld, isMissing, pool, runningPods, takeDown } from './follow-guide.ts'
import { guideSteps } from './guide-steps.ts'

test.skipIf(isMissing)('the guide, command by command: the controller on Fargate', { timeout: 600_000 }, async () => {
  await inWorld('fargate', async (world) => {
    await follow(world, guideSteps('fargate'), {
      Kerf: async () => {
        const pods = (await world.client.list(kinds.Pod, { namespace: 'kube-system' })).items
        expect(pods.map(({ spec }) => spec.nodeName).toSorted()).toEqual(
          pods.map(({ metadata }) => `fargate-${metadata.name}`).toSorted(),
        )
        expect(pods).toHaveLength(2)
        // The pool and the first pod, as the other guide has them, work from here.
        await follow(world, pool())
        expect(await runningPods(world)).toBe(10)
        await world.shell.run({ heading: 'down', commands: takeDown() })
      },
    })
  })
})
