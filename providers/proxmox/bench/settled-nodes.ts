import { formatTime, groupVersion, karpenterKinds, labels, type NodePool } from '@kerf/apis'
import { formatDescription, providerId } from '@kerf/provider-proxmox'
import {
  type ProxmoxNodeClass,
  proxmoxNodeClassDescriptor,
  proxmoxNodeClassKind,
  unmanagedTemplateKind,
} from '@kerf/provider-proxmox/node-class'
import { type FakeCluster, registeredNode } from '@kerf/provider-proxmox/testing'
import { type Clock, type KubeClient, mapLimit } from '@kerf/runtime'
import { createSettledNode } from '../../../tests/benchmarks/settled-node.ts'
import { templateFacts } from '../src/templates/template-facts.ts'

const NAME = 'default'
const DAY = 86_400_000
const AT_ONCE = 20
const TYPE = 's1.2VCPU-8GB'

/** The name of the Proxmox cluster. */
export const REGION = 'home'
/** The name of the Kubernetes cluster. */
export const CLUSTER = 'demo'
/** The first ID of guests. */
export const FIRST_ID = 20_000

const nodeClassRef = { group: proxmoxNodeClassKind.group, kind: proxmoxNodeClassKind.kind, name: NAME } as const

/** Creates a class with a template, and a NodePool that never consolidates. */
export const createPool = async (client: KubeClient): Promise<void> => {
  await client.create(unmanagedTemplateKind, {
    ...{ apiVersion: groupVersion(unmanagedTemplateKind), kind: 'ProxmoxUnmanagedTemplate' },
    ...{ metadata: { name: NAME }, spec: { templateName: 'talos' } },
  })
  await client.create(proxmoxNodeClassKind, proxmoxNodeClassDescriptor.example)
  await client.create(karpenterKinds.NodePool, {
    ...{ apiVersion: groupVersion(karpenterKinds.NodePool), kind: 'NodePool', metadata: { name: NAME } },
    spec: {
      template: { spec: { nodeClassRef, requirements: [], expireAfter: 'Never' } },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
    },
  })
}

const hashes = ({ metadata }: NodePool | ProxmoxNodeClass): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => key.includes('-hash')))

const texts = (amounts: object = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, `${amount}`]))

/** Creates day-old nodes of the NodePool: for each, the NodeClaim, Node and guest that Kerf would create. None of them has drifted. */
export const plantNodes = async (
  client: KubeClient,
  cluster: FakeCluster,
  clock: Clock,
  count: number,
): Promise<void> => {
  const since = formatTime(clock.now() - DAY)
  const nodeClass = await client.get(proxmoxNodeClassKind, { name: NAME })
  const pool = await client.get(karpenterKinds.NodePool, { name: NAME })
  const plant = async (index: number): Promise<void> => {
    const name = `${NAME}-${index}`
    const zone = `pve-${(index % 3) + 1}`
    const vmid = 9_000 + (index % 3)
    const facts = templateFacts(REGION, { node: zone, vmid }, cluster.guest(zone, vmid).config)
    const imageId = typeof facts === 'string' ? '' : facts.imageId
    const description = formatDescription({
      ...{ cluster: CLUSTER, nodeClass: NAME, nodePool: NAME, nodeClaim: name, nodeClaimUid: name },
      ...{ instanceType: TYPE, capacityType: 'on-demand', cpus: 2, memoryMiB: 8_192, imageId, createdAt: since },
    })
    const config = { name, description, cores: 2, memory: 8_192, tags: `karpenter;karpenter-${CLUSTER}` }
    const guest = cluster.put({ vmid: FIRST_ID + index, node: zone, config, status: 'running' }, DAY)
    const { status } = registeredNode(REGION, guest)
    const own = {
      [labels.nodePool]: NAME,
      [labels.capacityType]: 'on-demand',
      [labels.instanceType]: TYPE,
      [labels.zone]: zone,
      [labels.region]: REGION,
      [labels.arch]: 'amd64',
      [labels.os]: 'linux',
    }
    await createSettledNode(client, {
      ...{ pool, claimName: name, nodeName: name, imageID: imageId },
      providerID: providerId({ region: REGION, vmid: guest.vmid }),
      ...{ labels: own, since, claimAnnotations: { ...hashes(pool), ...hashes(nodeClass) } },
      nodeAnnotations: hashes(pool),
      spec: {
        nodeClassRef,
        expireAfter: 'Never',
        requirements: [{ key: labels.instanceType, operator: 'In', values: [TYPE] }],
      },
      ...{ capacity: texts(status?.capacity), allocatable: texts(status?.allocatable) },
    })
  }
  const indexes = Array.from({ length: count }, (_, index) => index)
  await mapLimit(indexes, AT_ONCE, plant, new AbortController().signal)
}
