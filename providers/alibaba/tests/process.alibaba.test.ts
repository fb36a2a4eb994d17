import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { ecsNodeClassDescriptor, ecsNodeClassKind } from '@kerf/provider-alibaba/node-class'
import { FakeAccount, FakeAlibaba, REGION, registeredNode } from '@kerf/provider-alibaba/testing'
import { SystemClock } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { playProcessStory } from '../../../tests/integration/story/process-story.ts'
import { alibabaEnv } from '../src/testing/fake-alibaba/alibaba-env.ts'
import { serveAlibaba } from '../src/testing/fake-alibaba/loopback.ts'
import { JOIN_TOKEN } from '../src/testing/fake-alibaba/names.ts'

const UID_TAG = 'karpenter.k8s.alibabacloud/nodeclaim-uid'

describeWithCustomResources('kerf run --provider=alibaba', (shared) => {
  test('ten pods get instances, and nothing remains after the pods are deleted', async () => {
    const account = new FakeAccount(new SystemClock(), { startsFor: 3_000, stopsFor: 1_000 })
    const cloud = new FakeAlibaba(account)
    const served = await serveAlibaba(cloud)
    onTestFinished(() => served.close())
    const living = () => account.instances.living()
    const output = await playProcessStory(shared(), {
      ...{ provider: 'alibaba', env: alibabaEnv(served), classKinds: [ecsNodeClassKind] },
      createClasses: async (client) => {
        await client.create(ecsNodeClassKind, ecsNodeClassDescriptor.example)
        await client.patch(
          ecsNodeClassKind,
          { name: 'default' },
          { type: 'merge', body: { spec: { tags: { team: 'web' } } } },
        )
      },
      nodes: () =>
        living()
          .filter((instance) => account.statusOf(instance) === 'Running')
          .map((instance) => registeredNode(account, instance)),
      instances: () => living().length,
      check: ({ metadata, status }) => {
        const instance = living().find(({ id }) => status?.providerID === `${REGION}.${id}`)
        expect(metadata.labels).toMatchObject({
          'node.kubernetes.io/instance-type': instance?.type,
          'topology.kubernetes.io/zone': instance?.zone,
        })
        expect(instance?.tags).toMatchObject({
          ...{ team: 'web', 'karpenter.sh/nodepool': 'general' },
          [UID_TAG]: metadata.uid,
        })
        expect(status?.imageID).toBe(instance?.image)
      },
    })
    expect(cloud.problems).toEqual([])
    expect(output).not.toContain(JOIN_TOKEN)
  })
})
