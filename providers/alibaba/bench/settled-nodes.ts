import { nodeClassHashAnnotations, providerId, TAG } from '@kerf/provider-alibaba'
import { ecsNodeClassDescriptor, ecsNodeClassKind } from '@kerf/provider-alibaba/node-class'
import { CLUSTER, type FakeAccount, nodeName, REGION, ZONES } from '@kerf/provider-alibaba/testing'
import type { Clock, KubeClient } from '@kerf/runtime'
import { createIdlePool, NODE_AGE, POOL, plantSettledNodes } from '../../../tests/benchmarks/settled-nodes.ts'

const TYPE = 'ecs.g7.large'

const amounts = { cpu: '2', memory: '7659Mi', 'ephemeral-storage': '40Gi', pods: '110' }
const free = { cpu: '1930m', memory: '5994Mi', 'ephemeral-storage': '40Gi', pods: '110' }

/** Creates a node class, and a NodePool that never consolidates. */
export const createPool = async (client: KubeClient): Promise<void> => {
  await client.create(ecsNodeClassKind, ecsNodeClassDescriptor.example)
  await createIdlePool(client, ecsNodeClassKind)
}

/** Creates nodes with their NodeClaims and instances. No instance needs a tag. */
export const plantNodes = (client: KubeClient, account: FakeAccount, clock: Clock, count: number): Promise<void> =>
  plantSettledNodes({ client, clock, kind: ecsNodeClassKind }, count, ({ claimName }) => {
    const tags = {
      [`kubernetes.io/cluster/${CLUSTER}`]: 'owned',
      [TAG.clusterId]: CLUSTER,
      [TAG.nodePool]: POOL,
      [TAG.nodeClass]: POOL,
      [TAG.nodeClaim]: claimName,
    }
    const { id, image } = account.put({ tags, type: TYPE }, NODE_AGE)
    return {
      ...{ nodeName: nodeName(id), providerID: providerId(REGION, id), imageID: image },
      ...{ instanceType: TYPE, zone: ZONES[0], region: REGION },
      labels: { 'karpenter.k8s.alibabacloud/ecsnodeclass': POOL },
      claimAnnotations: {
        'karpenter.k8s.alibabacloud/tagged': 'true',
        'compatibility.karpenter.k8s.alibabacloud/cluster-name-tagged': 'true',
        [nodeClassHashAnnotations.version]: 'v3',
      },
      resources: { capacity: amounts, allocatable: free },
    }
  })
