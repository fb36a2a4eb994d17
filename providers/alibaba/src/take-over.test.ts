import { karpenterKinds, kinds, labels } from '@kerf/apis'
import { node } from '@kerf/testing'
import { expect, test } from 'vitest'
import { writingActions } from './api/action-routes.ts'
import { clusterTag, nodeClassHashAnnotations, providerId, TAG } from './names.ts'
import { ecsNodeClassKind } from './node-class/ecs-node-class.ts'
import { nodeClassHash } from './node-class/hash.ts'
import { createAlibabaHarness } from './testing/alibaba-harness.ts'
import { CLUSTER, REGION } from './testing/fake-alibaba/names.ts'

const HOUR = 3_600_000

/** The tags and annotations that Karpenter's provider writes. It writes no tag with the NodeClaim's uid. */
test('in the first hour after the migration from Karpenter, no instance is touched and no NodeClaim is written', async () => {
  const harness = await createAlibabaHarness()
  try {
    const { client, clock, account, alibaba, claim } = harness
    const nodeClass = await harness.nodeClass()
    const hash = {
      [nodeClassHashAnnotations.hash]: nodeClassHash(nodeClass),
      [nodeClassHashAnnotations.version]: 'v3',
    }
    const names = ['a', 'b', 'c']
    for (const name of names) {
      const tags = {
        [clusterTag(CLUSTER)]: 'owned',
        [TAG.clusterId]: CLUSTER,
        [TAG.nodePool]: 'default',
        [TAG.nodeClass]: 'default',
        [TAG.nodeClaim]: name,
        Name: `node-${name}`,
      }
      const { id, zone, type } = account.put({ tags }, 24 * HOUR)
      await claim(name)
      const own = { [labels.instanceType]: type, [labels.zone]: zone, [labels.capacityType]: 'on-demand' }
      const annotations = {
        ...hash,
        'karpenter.k8s.alibabacloud/tagged': 'true',
        'compatibility.karpenter.k8s.alibabacloud/cluster-name-tagged': 'true',
      }
      const ref = { name }
      await client.patch(karpenterKinds.NodeClaim, ref, {
        type: 'merge',
        body: { metadata: { annotations, labels: own } },
      })
      const status = { providerID: providerId(REGION, id), nodeName: `node-${name}` }
      await client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body: { status } }, { subresource: 'status' })
      await client.create(kinds.Node, node(`node-${name}`, { providerID: status.providerID, labels: own }))
    }
    const body = { metadata: { annotations: hash } }
    await client.patch(ecsNodeClassKind, { name: 'default' }, { type: 'merge', body })
    const versions = async (): Promise<readonly string[]> =>
      (await client.list(karpenterKinds.NodeClaim)).items.map(({ metadata }) => metadata.resourceVersion ?? '')
    const before = await versions()
    const classVersion = (await client.get(ecsNodeClassKind, { name: 'default' })).metadata.resourceVersion
    await clock.advance(HOUR)
    for (const action of writingActions) expect(alibaba.count(action), action).toBe(0)
    expect(await versions()).toEqual(before)
    expect((await client.get(ecsNodeClassKind, { name: 'default' })).metadata.resourceVersion).toBe(classVersion)
    for (const { metadata } of (await client.list(karpenterKinds.NodeClaim)).items) {
      expect(metadata.annotations?.[nodeClassHashAnnotations.version]).toBe('v3')
      expect(
        await harness.provider.isDrifted(
          await client.get(karpenterKinds.NodeClaim, { name: metadata.name }),
          new AbortController().signal,
        ),
      ).toBeUndefined()
    }
    expect([account.instances.size, alibaba.problems]).toEqual([3, []])
  } finally {
    harness.stop()
  }
})
