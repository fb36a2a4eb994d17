import { formatTime, groupVersion, karpenterKinds, labels, type NodePool } from '@kerf/apis'
import { nodeClassHashAnnotations, providerId, TAG } from '@kerf/provider-alibaba'
import { type ECSNodeClass, ecsNodeClassDescriptor, ecsNodeClassKind } from '@kerf/provider-alibaba/node-class'
import { CLUSTER, type FakeAccount, nodeName, REGION, ZONES } from '@kerf/provider-alibaba/testing'
import { type Clock, type KubeClient, mapLimit } from '@kerf/runtime'
import { createSettledNode } from '../../../tests/benchmarks/settled-node.ts'

const NAME = 'default'
const TYPE = 'ecs.g7.large'
const DAY = 86_400_000
const AT_ONCE = 20

const nodeClassRef = { group: ecsNodeClassKind.group, kind: ecsNodeClassKind.kind, name: NAME } as const

const amounts = { cpu: '2', memory: '7659Mi', 'ephemeral-storage': '40Gi', pods: '110' }
const free = { cpu: '1930m', memory: '5994Mi', 'ephemeral-storage': '40Gi', pods: '110' }

/** Creates a node class, and a NodePool that never consolidates. */
export const createPool = async (client: KubeClient): Promise<void> => {
  await client.create(ecsNodeClassKind, ecsNodeClassDescriptor.example)
  await client.create(karpenterKinds.NodePool, {
    ...{ apiVersion: groupVersion(karpenterKinds.NodePool), kind: 'NodePool', metadata: { name: NAME } },
    spec: {
      template: { spec: { nodeClassRef, requirements: [], expireAfter: 'Never' } },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
    },
  })
}

const hashes = ({ metadata }: NodePool | ECSNodeClass): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => key.includes('-hash')))

/**
 * Creates nodes of the NodePool that are a day old, with the NodeClaim, Node and instance that Kerf creates. Nothing has drifted, and no
 * instance needs a tag. The node class must have been resolved.
 */
export const plantNodes = async (
  client: KubeClient,
  account: FakeAccount,
  clock: Clock,
  count: number,
): Promise<void> => {
  const since = formatTime(clock.now() - DAY)
  const nodeClass = await client.get(ecsNodeClassKind, { name: NAME })
  const pool = await client.get(karpenterKinds.NodePool, { name: NAME })
  const plant = async (claimName: string): Promise<void> => {
    const tags = {
      [`kubernetes.io/cluster/${CLUSTER}`]: 'owned',
      [TAG.clusterId]: CLUSTER,
      [TAG.nodePool]: NAME,
      [TAG.nodeClass]: NAME,
      [TAG.nodeClaim]: claimName,
    }
    const { id, image } = account.put({ tags, type: TYPE }, DAY)
    const own = {
      [labels.nodePool]: NAME,
      'karpenter.k8s.alibabacloud/ecsnodeclass': NAME,
      [labels.capacityType]: 'on-demand',
      [labels.instanceType]: TYPE,
      [labels.zone]: ZONES[0],
      [labels.region]: REGION,
      [labels.arch]: 'amd64',
      [labels.os]: 'linux',
    }
    await createSettledNode(client, {
      ...{
        pool,
        claimName,
        nodeName: nodeName(id),
        providerID: providerId(REGION, id),
        imageID: image,
        labels: own,
        since,
      },
      claimAnnotations: {
        ...hashes(pool),
        ...hashes(nodeClass),
        'karpenter.k8s.alibabacloud/tagged': 'true',
        'compatibility.karpenter.k8s.alibabacloud/cluster-name-tagged': 'true',
        [nodeClassHashAnnotations.version]: 'v3',
      },
      nodeAnnotations: hashes(pool),
      spec: {
        nodeClassRef,
        expireAfter: 'Never',
        requirements: [{ key: labels.instanceType, operator: 'In', values: [TYPE] }],
      },
      ...{ capacity: amounts, allocatable: free },
    })
  }
  const names = Array.from({ length: count }, (_, index) => `${NAME}-${index}`)
  await mapLimit(names, AT_ONCE, plant, new AbortController().signal)
}
