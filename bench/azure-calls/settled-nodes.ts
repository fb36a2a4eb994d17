import { type AKSNodeClass, apiVersionOf, formatTime, karpenterKinds, labels, type NodePool } from '@kerf/apis'
import { azureAnnotations, inPlaceUpdateHash, providerIdOf, resourceTags, vmNameOf } from '@kerf/provider-azure'
import { azureTestSettings, type FakeAzure } from '@kerf/provider-azure/testing'
import { type Clock, type KubeClient, mapLimit } from '@kerf/runtime'
import { createSettledNode } from '../settled-node.ts'

const NAME = 'default'
const SIZE = 'Standard_D2_v5'
const ZONE = '1'
const DAY = 86_400_000
const AT_ONCE = 20

const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: NAME } as const

const amounts = { cpu: '2', memory: '7577Mi', 'ephemeral-storage': '120Gi', pods: '250' }
const free = { cpu: '1900m', memory: '5537Mi', 'ephemeral-storage': '115Gi', pods: '250' }

/** A class, and a pool that never consolidates. */
export const createPool = async (client: KubeClient): Promise<void> => {
  const metadata = { name: NAME }
  await client.create(karpenterKinds.AKSNodeClass, {
    ...{ apiVersion: apiVersionOf(karpenterKinds.AKSNodeClass), kind: 'AKSNodeClass', metadata, spec: {} },
  })
  await client.create(karpenterKinds.NodePool, {
    ...{ apiVersion: apiVersionOf(karpenterKinds.NodePool), kind: 'NodePool', metadata },
    spec: {
      template: { spec: { nodeClassRef, requirements: [], expireAfter: 'Never' } },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
    },
  })
}

const hashesOf = ({ metadata }: NodePool | AKSNodeClass): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => key.includes('-hash')))

/**
 * Nodes of the pool that have stood for a day, each with NodeClaim, Node, VM and network interface, as Kerf leaves them: nothing has
 * drifted, and no VM is to be changed. The class must have been resolved.
 */
export const plantNodes = async (client: KubeClient, azure: FakeAzure, clock: Clock, count: number): Promise<void> => {
  const then = formatTime(clock.now() - DAY)
  const nodeClass = await client.get(karpenterKinds.AKSNodeClass, { name: NAME })
  const pool = await client.get(karpenterKinds.NodePool, { name: NAME })
  const [image] = nodeClass.status?.images ?? []
  if (image === undefined) throw new Error('the class is not resolved')
  const settings = azureTestSettings()
  const identities = settings.nodeIdentities
  const tags = resourceTags(settings, nodeClass, { metadata: { name: NAME, labels: { [labels.nodePool]: NAME } } })
  const plant = async (claimName: string): Promise<void> => {
    const vm = vmNameOf(claimName)
    const id = azure.vms.plant(
      vm,
      {
        tags,
        zones: [ZONE],
        identity: {
          type: 'UserAssigned',
          userAssignedIdentities: Object.fromEntries(identities.map((each) => [each, {}])),
        },
        properties: {
          hardwareProfile: { vmSize: SIZE },
          priority: 'Regular',
          storageProfile: {
            imageReference: { communityGalleryImageId: image.id },
            osDisk: { name: vm, createOption: 'FromImage', deleteOption: 'Delete' },
          },
        },
      },
      DAY,
    )
    const providerID = providerIdOf(id)
    const own = {
      [labels.nodePool]: NAME,
      'karpenter.azure.com/aksnodeclass': NAME,
      [labels.capacityType]: 'on-demand',
      [labels.instanceType]: SIZE,
      [labels.zone]: `southcentralus-${ZONE}`,
      [labels.region]: 'southcentralus',
      [labels.arch]: 'amd64',
      [labels.os]: 'linux',
    }
    await createSettledNode(client, {
      ...{ pool, claimName, nodeName: vm, providerID, imageID: image.id, labels: own, since: then },
      claimAnnotations: {
        ...hashesOf(pool),
        ...hashesOf(nodeClass),
        [azureAnnotations.inPlaceUpdateHash]: inPlaceUpdateHash({ identities, tags }),
      },
      nodeAnnotations: hashesOf(pool),
      spec: {
        nodeClassRef,
        expireAfter: 'Never',
        requirements: [{ key: labels.instanceType, operator: 'In', values: [SIZE] }],
      },
      ...{ capacity: amounts, allocatable: free },
    })
  }
  const names = Array.from({ length: count }, (_, index) => `${NAME}-${index}`)
  await mapLimit(names, AT_ONCE, plant, new AbortController().signal)
}
