import { formatTime, groupVersion, karpenterKinds, labels, type NodePool } from '@kerf/apis'
import { type Clock, type KubeClient, mapLimit } from '@kerf/runtime'
import { createSettledNode } from '../../../tests/benchmarks/settled-node.ts'
import { freeformTagKeys } from '../src/instances/tags.ts'
import { oracleNodeClassKind } from '../src/node-class/oracle-node-class.ts'
import type { FakeAccount } from '../src/testing/fake-oci/fake-account.ts'
import { IMAGE } from '../src/testing/fake-oci/names.ts'
import { CLASS, CLUSTER } from '../src/testing/oci-harness.ts'
import { registeredNode } from '../src/testing/oci-node.ts'

const DAY = 86_400_000
const AT_ONCE = 20
/** The size and the boot volume that the class asks for. */
const SIZE = {
  shape: 'VM.Standard.E4.Flex',
  shapeConfig: { ocpus: 2, memoryInGBs: 16 },
  sourceDetails: { sourceType: 'image', imageId: IMAGE, bootVolumeSizeInGBs: 100 },
} as const

const nodeClassRef = { group: oracleNodeClassKind.group, kind: oracleNodeClassKind.kind, name: CLASS } as const

/** Creates a NodePool that never consolidates. */
export const createPool = (client: KubeClient): Promise<NodePool> =>
  client.create(karpenterKinds.NodePool, {
    ...{ apiVersion: groupVersion(karpenterKinds.NodePool), kind: 'NodePool', metadata: { name: 'default' } },
    spec: {
      template: { spec: { nodeClassRef, requirements: [], expireAfter: 'Never' } },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
    },
  })

const hashes = ({ metadata }: { readonly metadata: NodePool['metadata'] }): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => key.includes('-hash')))

const texts = (amounts: object = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, `${amount}`]))

/** Creates day-old nodes of the NodePool: for each, the NodeClaim, Node and instance that Kerf would create. None of them has drifted. */
export const plantNodes = async (
  client: KubeClient,
  account: FakeAccount,
  clock: Clock,
  count: number,
): Promise<void> => {
  const since = formatTime(clock.now() - DAY)
  const nodeClass = await client.get(oracleNodeClassKind, { name: CLASS })
  const pool = await client.get(karpenterKinds.NodePool, { name: 'default' })
  const plant = async (claimName: string): Promise<void> => {
    const freeformTags = {
      [freeformTagKeys.cluster]: CLUSTER,
      [freeformTagKeys.nodePool]: 'default',
      [freeformTagKeys.nodeClaim]: claimName,
    }
    const instance = account.put({ ...SIZE, displayName: claimName, freeformTags }, DAY)
    const { metadata, status } = registeredNode(account, instance, 'oracle')
    const type = metadata.labels?.[labels.instanceType] ?? ''
    await createSettledNode(client, {
      ...{ pool, claimName, nodeName: claimName, providerID: instance.id, imageID: IMAGE, since },
      labels: { ...metadata.labels, [labels.nodePool]: 'default', [labels.capacityType]: 'on-demand' },
      claimAnnotations: { ...hashes(pool), ...hashes(nodeClass) },
      nodeAnnotations: hashes(pool),
      spec: {
        ...{ nodeClassRef, expireAfter: 'Never' },
        requirements: [{ key: labels.instanceType, operator: 'In', values: [type] }],
      },
      ...{ capacity: texts(status?.capacity), allocatable: texts(status?.allocatable) },
    })
  }
  const names = Array.from({ length: count }, (_, index) => `default-${index}`)
  await mapLimit(names, AT_ONCE, plant, new AbortController().signal)
}
