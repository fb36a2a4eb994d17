import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { karpenterKinds, kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { guideSteps } from '../../../../tests/integration/guides/guide-steps.ts'
import { upstreamChart } from '../../../../tests/integration/install/upstream-chart.ts'
import { follow, inHarness, isMissing, pool, runningPods, upTo } from './follow-guide.ts'

/** The reader's own repository, in the region of the emulated account. */
const REPOSITORY = '123456789012.dkr.ecr.us-east-1.amazonaws.com/kerf/controller'

test.skipIf(isMissing)(
  'the guide, command by command: taking over from upstream Karpenter, and going back',
  async () => {
    await inHarness('take-over', async (session) => {
      const chart = upstreamChart()
      const steps = guideSteps('take-over')
      const [image] = steps.filter(({ heading }) => heading === 'Alternative: replace only the image')
      if (image === undefined) throw new Error('the guide tells how to swap the image')
      const uids = async () =>
        (await session.client.list(karpenterKinds.NodeClaim)).items.map(({ metadata }) => metadata.uid).toSorted()
      const imageOf = async () =>
        (await session.client.get(kinds.Deployment, { name: 'karpenter', namespace: 'kube-system' })).spec?.template
          .spec?.containers[0]?.image
      try {
        await follow(session, upTo('4. Kerf'))
        const values = 'settings.clusterName=kerf-demo,settings.interruptionQueue=kerf-demo'
        await session.shell.run({
          heading: "Karpenter's own chart",
          commands: `helm install karpenter '${chart}' --namespace kube-system --set ${values}`,
        })
        // Only the image was replaced. With upstream's environment variables and permissions, Kerf launches nodes for the pods.
        await follow(session, [image, ...pool()])
        expect(await runningPods(session)).toBe(10)
        expect(session.controllerOutput).toContain('forbidden')
        const before = await uids()
        expect(before.length).toBeGreaterThan(0)
        await follow(
          session,
          steps.filter((step) => step !== image),
          {
            '3. Replace the controller': async () => expect(await imageOf()).toBe(`${REPOSITORY}:0.1.0`),
            '4. Check the cluster after the change': async () => expect(await uids()).toEqual(before),
            'Going back': async () => expect(await imageOf()).toBe('public.ecr.aws/karpenter/controller:1.14.1'),
          },
        )
        expect(await uids()).toEqual(before)
        expect(await runningPods(session)).toBe(10)
      } finally {
        rmSync(dirname(chart), { recursive: true, force: true })
      }
    })
  },
)
