import { gceNodeClassKind } from '@kerf/provider-gcp/node-class'
import { type FakeGcp, instanceRequest } from '@kerf/provider-gcp/testing'
import { gceNodeClass } from '@kerf/provider-gcp/testing/node-class'
import type { Clock, KubeClient } from '@kerf/runtime'
import { createIdlePool, NODE_AGE, POOL, plantSettledNodes } from '../../../tests/benchmarks/settled-nodes.ts'

const TYPE = 'n2-standard-4'
const ZONES = ['us-central1-a', 'us-central1-b', 'us-central1-c'] as const

const amounts = { cpu: '4', memory: '15237Mi', 'ephemeral-storage': '100Gi', pods: '110' }
const free = { cpu: '3820m', memory: '12475Mi', 'ephemeral-storage': '49Gi', pods: '110' }

/** Creates a node class, and a NodePool that never consolidates. */
export const createPool = async (client: KubeClient): Promise<void> => {
  await client.create(gceNodeClassKind, gceNodeClass(POOL))
  await createIdlePool(client, gceNodeClassKind)
}

/** Creates nodes in three zones, with their NodeClaims and instances. */
export const plantNodes = (client: KubeClient, gcp: FakeGcp, clock: Clock, count: number): Promise<void> =>
  plantSettledNodes({ client, clock, kind: gceNodeClassKind }, count, ({ claimName, index, nodeClass }) => {
    const zone = ZONES[index % ZONES.length] ?? ZONES[0]
    const nodeName = `karpenter-${claimName}`
    const imageID = nodeClass.status?.images?.[0]?.sourceImage
    if (imageID === undefined) throw new Error('the class is not resolved')
    const instanceLabels = {
      'karpenter-sh-nodepool': POOL,
      'karpenter-k8s-gcp-gcenodeclass': POOL,
      'goog-k8s-cluster-name': 'demo',
      'goog-k8s-cluster-location': 'us-central1',
    }
    gcp.instances.plant(zone, instanceRequest(nodeName, zone, { labels: instanceLabels }), NODE_AGE)
    return {
      ...{ nodeName, imageID, zone, instanceType: TYPE, region: 'us-central1' },
      providerID: `gce://demo/${zone}/${nodeName}`,
      labels: { 'karpenter.k8s.gcp/gcenodeclass': POOL },
      resources: { capacity: amounts, allocatable: free },
    }
  })
