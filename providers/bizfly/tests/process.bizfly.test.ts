import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { METADATA, providerId } from '@kerf/provider-bizfly'
import { bizflyNodeClassDescriptor, bizflyNodeClassKind } from '@kerf/provider-bizfly/node-class'
import { FakeAccount, FakeBizfly, PASSWORD, registeredNode } from '@kerf/provider-bizfly/testing'
import { SystemClock } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { playProcessStory } from '../../../tests/integration/story/process-story.ts'
import { bizflyEnv, serveBizfly } from '../src/testing/fake-bizfly/loopback.ts'
import { CLUSTER_TOKEN } from '../src/testing/fake-bizfly/names.ts'

describeWithCustomResources('kerf run --provider=bizfly', (shared) => {
  test('ten pods get servers, and nothing remains after the pods are deleted', async () => {
    const account = new FakeAccount(new SystemClock(), { buildsFor: 3_000, stopsFor: 1_000 })
    const cloud = new FakeBizfly(account)
    const served = await serveBizfly(cloud)
    onTestFinished(() => served.close())
    const own = () => account.servers.living().filter(({ metadata }) => METADATA.nodePool in metadata)
    const output = await playProcessStory(shared(), {
      ...{ provider: 'bizfly', env: bizflyEnv(served), classKinds: [bizflyNodeClassKind] },
      createClasses: async (client) => {
        await client.create(bizflyNodeClassKind, bizflyNodeClassDescriptor.example)
      },
      nodes: () =>
        own()
          .filter((server) => account.statusOf(server) === 'ACTIVE')
          .map((server) => registeredNode(account, server)),
      instances: () => own().length,
      check: ({ metadata, status }) => {
        const server = own().find(({ id }) => status?.providerID === providerId(id))
        expect(metadata.labels).toMatchObject({
          'node.kubernetes.io/instance-type': server?.flavor,
          'topology.kubernetes.io/zone': server?.zone,
        })
        expect(server?.metadata).toMatchObject({ [METADATA.nodePool]: 'general' })
        expect(status?.imageID).toBe(server?.image)
      },
    })
    expect(account.disks.size).toBe(0)
    expect(cloud.problems).toEqual([])
    for (const secret of [PASSWORD, CLUSTER_TOKEN]) expect(output).not.toContain(secret)
  })
})
