import { formatTime, groupVersion, karpenterKinds, labels, type NodePool } from '@kerf/apis'
import { METADATA, providerId } from '@kerf/provider-bizfly'
import {
  type BizflyCloudNodeClass,
  bizflyNodeClassDescriptor,
  bizflyNodeClassKind,
} from '@kerf/provider-bizfly/node-class'
import { CLUSTER, type FakeAccount, REGION, registeredNode, ZONES } from '@kerf/provider-bizfly/testing'
import { type Clock, type KubeClient, mapLimit } from '@kerf/runtime'
import { createSettledNode } from '../../../tests/benchmarks/settled-node.ts'

const NAME = 'default'
const DAY = 86_400_000
const AT_ONCE = 20

const nodeClassRef = { group: bizflyNodeClassKind.group, kind: bizflyNodeClassKind.kind, name: NAME } as const

/** Creates a class, and a NodePool that never consolidates. */
export const createPool = async (client: KubeClient): Promise<void> => {
  await client.create(bizflyNodeClassKind, bizflyNodeClassDescriptor.example)
  await client.create(karpenterKinds.NodePool, {
    ...{ apiVersion: groupVersion(karpenterKinds.NodePool), kind: 'NodePool', metadata: { name: NAME } },
    spec: {
      template: { spec: { nodeClassRef, requirements: [], expireAfter: 'Never' } },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
    },
  })
}

const hashes = ({ metadata }: NodePool | BizflyCloudNodeClass): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => key.includes('-hash')))

const texts = (amounts: object = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, `${amount}`]))

/** Creates day-old nodes of the NodePool: for each, the NodeClaim, Node and server that Kerf would create. None of them has drifted. */
export const plantNodes = async (
  client: KubeClient,
  account: FakeAccount,
  clock: Clock,
  count: number,
): Promise<void> => {
  const since = formatTime(clock.now() - DAY)
  const nodeClass = await client.get(bizflyNodeClassKind, { name: NAME })
  const pool = await client.get(karpenterKinds.NodePool, { name: NAME })
  const plant = async (claimName: string): Promise<void> => {
    const metadata = {
      [METADATA.managed]: 'true',
      [METADATA.cluster]: CLUSTER,
      [METADATA.nodePool]: NAME,
      [METADATA.nodeClaim]: claimName,
    }
    const server = account.put({ name: claimName, metadata }, DAY)
    const { status } = registeredNode(account, server)
    const own = {
      [labels.nodePool]: NAME,
      [labels.capacityType]: 'on-demand',
      [labels.instanceType]: server.flavor,
      [labels.zone]: ZONES[0],
      [labels.region]: REGION,
      [labels.arch]: 'amd64',
      [labels.os]: 'linux',
      'karpenter.bizflycloud.com/os-type': 'ubuntu',
    }
    await createSettledNode(client, {
      ...{ pool, claimName, nodeName: claimName, providerID: providerId(server.id), imageID: server.image },
      ...{ labels: own, since, claimAnnotations: { ...hashes(pool), ...hashes(nodeClass) } },
      nodeAnnotations: hashes(pool),
      spec: {
        nodeClassRef,
        expireAfter: 'Never',
        requirements: [{ key: labels.instanceType, operator: 'In', values: [server.flavor] }],
      },
      ...{ capacity: texts(status?.capacity), allocatable: texts(status?.allocatable) },
    })
  }
  const names = Array.from({ length: count }, (_, index) => `${NAME}-${index}`)
  await mapLimit(names, AT_ONCE, plant, new AbortController().signal)
}
