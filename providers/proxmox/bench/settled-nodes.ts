import { groupVersion } from '@kerf/apis'
import { formatDescription, providerId } from '@kerf/provider-proxmox'
import {
  proxmoxNodeClassDescriptor,
  proxmoxNodeClassKind,
  unmanagedTemplateKind,
} from '@kerf/provider-proxmox/node-class'
import { type FakeCluster, registeredNode } from '@kerf/provider-proxmox/testing'
import type { Clock, KubeClient } from '@kerf/runtime'
import { createIdlePool, NODE_AGE, POOL, plantSettledNodes } from '../../../tests/benchmarks/settled-nodes.ts'
import { templateFacts } from '../src/templates/template-facts.ts'

const TYPE = 's1.2VCPU-8GB'

/** The name of the Proxmox cluster. */
export const REGION = 'home'
/** The name of the Kubernetes cluster. */
export const CLUSTER = 'demo'
/** The first ID of guests. */
export const FIRST_ID = 20_000

/** Creates a class with a template, and a NodePool that never consolidates. */
export const createPool = async (client: KubeClient): Promise<void> => {
  await client.create(unmanagedTemplateKind, {
    ...{ apiVersion: groupVersion(unmanagedTemplateKind), kind: 'ProxmoxUnmanagedTemplate' },
    ...{ metadata: { name: POOL }, spec: { templateName: 'talos' } },
  })
  await client.create(proxmoxNodeClassKind, proxmoxNodeClassDescriptor.example)
  await createIdlePool(client, proxmoxNodeClassKind)
}

/** Creates nodes on three hypervisors, with their NodeClaims and guests. */
export const plantNodes = (client: KubeClient, cluster: FakeCluster, clock: Clock, count: number): Promise<void> =>
  plantSettledNodes({ client, clock, kind: proxmoxNodeClassKind }, count, ({ claimName: name, index, since }) => {
    const zone = `pve-${(index % 3) + 1}`
    const vmid = 9_000 + (index % 3)
    const facts = templateFacts(REGION, { node: zone, vmid }, cluster.guest(zone, vmid).config)
    const imageId = typeof facts === 'string' ? '' : facts.imageId
    const description = formatDescription({
      ...{ cluster: CLUSTER, nodeClass: POOL, nodePool: POOL, nodeClaim: name, nodeClaimUid: name },
      ...{ instanceType: TYPE, capacityType: 'on-demand', cpus: 2, memoryMiB: 8_192, imageId, createdAt: since },
    })
    const config = { name, description, cores: 2, memory: 8_192, tags: `karpenter;karpenter-${CLUSTER}` }
    const guest = cluster.put({ vmid: FIRST_ID + index, node: zone, config, status: 'running' }, NODE_AGE)
    return {
      ...{ nodeName: name, imageID: imageId, instanceType: TYPE, zone, region: REGION },
      providerID: providerId({ region: REGION, vmid: guest.vmid }),
      resources: registeredNode(REGION, guest).status,
    }
  })
