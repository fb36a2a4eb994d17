import { formatTime, groupVersion, karpenterKinds, labels, type NodePool } from '@kerf/apis'
import { type GCENodeClass, gceNodeClassKind } from '@kerf/provider-gcp/node-class'
import { type FakeGcp, instanceRequest } from '@kerf/provider-gcp/testing'
import { gceNodeClass } from '@kerf/provider-gcp/testing/node-class'
import { type Clock, type KubeClient, mapLimit } from '@kerf/runtime'
import { createSettledNode } from '../../../tests/benchmarks/settled-node.ts'

const NAME = 'default'
const TYPE = 'n2-standard-4'
const ZONES = ['us-central1-a', 'us-central1-b', 'us-central1-c'] as const
const DAY = 86_400_000
const AT_ONCE = 20

const nodeClassRef = { group: 'karpenter.k8s.gcp', kind: 'GCENodeClass', name: NAME } as const

const amounts = { cpu: '4', memory: '15237Mi', 'ephemeral-storage': '100Gi', pods: '110' }
const free = { cpu: '3820m', memory: '12475Mi', 'ephemeral-storage': '49Gi', pods: '110' }

/** Creates a node class, and a NodePool that never consolidates. */
export const createPool = async (client: KubeClient): Promise<void> => {
  const metadata = { name: NAME }
  await client.create(gceNodeClassKind, gceNodeClass(NAME))
  await client.create(karpenterKinds.NodePool, {
    ...{ apiVersion: groupVersion(karpenterKinds.NodePool), kind: 'NodePool', metadata },
    spec: {
      template: { spec: { nodeClassRef, requirements: [], expireAfter: 'Never' } },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
    },
  })
}

const hashesOf = ({ metadata }: NodePool | GCENodeClass): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => key.includes('-hash')))

/**
 * Creates nodes of the NodePool that are a day old, with the NodeClaim, Node and instance that Kerf creates. Nothing has drifted. The node
 * class must have been resolved.
 */
export const plantNodes = async (client: KubeClient, gcp: FakeGcp, clock: Clock, count: number): Promise<void> => {
  const then = formatTime(clock.now() - DAY)
  const nodeClass = await client.get(gceNodeClassKind, { name: NAME })
  const pool = await client.get(karpenterKinds.NodePool, { name: NAME })
  const imageID = nodeClass.status?.images?.[0]?.sourceImage
  if (imageID === undefined) throw new Error('the class is not resolved')
  const plant = async (claimName: string, zone: (typeof ZONES)[number]): Promise<void> => {
    const name = `karpenter-${claimName}`
    const instanceLabels = {
      'karpenter-sh-nodepool': NAME,
      'karpenter-k8s-gcp-gcenodeclass': NAME,
      'goog-k8s-cluster-name': 'demo',
      'goog-k8s-cluster-location': 'us-central1',
    }
    gcp.instances.plant(zone, instanceRequest(name, zone, { labels: instanceLabels }), DAY)
    const own = {
      [labels.nodePool]: NAME,
      'karpenter.k8s.gcp/gcenodeclass': NAME,
      [labels.capacityType]: 'on-demand',
      [labels.instanceType]: TYPE,
      [labels.zone]: zone,
      [labels.region]: 'us-central1',
      [labels.arch]: 'amd64',
      [labels.os]: 'linux',
    }
    await createSettledNode(client, {
      ...{
        pool,
        claimName,
        nodeName: name,
        providerID: `gce://demo/${zone}/${name}`,
        imageID,
        labels: own,
        since: then,
      },
      claimAnnotations: { ...hashesOf(pool), ...hashesOf(nodeClass) },
      nodeAnnotations: hashesOf(pool),
      spec: {
        nodeClassRef,
        expireAfter: 'Never',
        requirements: [{ key: labels.instanceType, operator: 'In', values: [TYPE] }],
      },
      ...{ capacity: amounts, allocatable: free },
    })
  }
  const claims = Array.from({ length: count }, (_, index) => index)
  await mapLimit(
    claims,
    AT_ONCE,
    (index) => plant(`${NAME}-${index}`, ZONES[index % ZONES.length] ?? ZONES[0]),
    new AbortController().signal,
  )
}
