import { METADATA, providerId } from '@kerf/provider-bizfly'
import { bizflyNodeClassDescriptor, bizflyNodeClassKind } from '@kerf/provider-bizfly/node-class'
import { CLUSTER, type FakeAccount, REGION, registeredNode, ZONES } from '@kerf/provider-bizfly/testing'
import type { Clock, KubeClient } from '@kerf/runtime'
import { createIdlePool, NODE_AGE, POOL, plantSettledNodes } from '../../../tests/benchmarks/settled-nodes.ts'

/** Creates a class, and a NodePool that never consolidates. */
export const createPool = async (client: KubeClient): Promise<void> => {
  await client.create(bizflyNodeClassKind, bizflyNodeClassDescriptor.example)
  await createIdlePool(client, bizflyNodeClassKind)
}

/** Creates nodes with their NodeClaims and servers. */
export const plantNodes = (client: KubeClient, account: FakeAccount, clock: Clock, count: number): Promise<void> =>
  plantSettledNodes({ client, clock, kind: bizflyNodeClassKind }, count, ({ claimName }) => {
    const metadata = {
      [METADATA.managed]: 'true',
      [METADATA.cluster]: CLUSTER,
      [METADATA.nodePool]: POOL,
      [METADATA.nodeClaim]: claimName,
    }
    const server = account.put({ name: claimName, metadata }, NODE_AGE)
    return {
      ...{ nodeName: claimName, providerID: providerId(server.id), imageID: server.image },
      ...{ instanceType: server.flavor, zone: ZONES[0], region: REGION },
      labels: { 'karpenter.bizflycloud.com/os-type': 'ubuntu' },
      resources: registeredNode(account, server).status,
    }
  })
