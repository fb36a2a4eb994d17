import { formatTime, groupVersion, karpenterKinds, labels, type NodePool } from '@kerf/apis'
import {
  type AzureSettings,
  azureAnnotations,
  azureProviderId,
  claimVmName,
  inPlaceUpdateHash,
  parseNodeImageVersion,
  resourceTags,
  TAG,
} from '@kerf/provider-azure'
import { type AKSNodeClass, aksNodeClassKind } from '@kerf/provider-azure/node-class'
import type { FakeAzure } from '@kerf/provider-azure/testing'
import { type Clock, type KubeClient, mapLimit } from '@kerf/runtime'
import { createSettledNode } from '../../../tests/benchmarks/settled-node.ts'

const NAME = 'default'
const SIZE = 'Standard_D2_v5'
const ZONE = '1'
const DAY = 86_400_000
const AT_ONCE = 20

const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: NAME } as const

const amounts = { cpu: '2', memory: '7577Mi', 'ephemeral-storage': '120Gi', pods: '250' }
const free = { cpu: '1900m', memory: '5537Mi', 'ephemeral-storage': '115Gi', pods: '250' }

/** Creates a node class, and a NodePool that never consolidates. */
export const createPool = async (client: KubeClient): Promise<void> => {
  const metadata = { name: NAME }
  await client.create(aksNodeClassKind, {
    ...{ apiVersion: groupVersion(aksNodeClassKind), kind: 'AKSNodeClass', metadata, spec: {} },
  })
  await client.create(karpenterKinds.NodePool, {
    ...{ apiVersion: groupVersion(karpenterKinds.NodePool), kind: 'NodePool', metadata },
    spec: {
      template: { spec: { nodeClassRef, requirements: [], expireAfter: 'Never' } },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
    },
  })
}

const hashesOf = ({ metadata }: NodePool | AKSNodeClass): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => key.includes('-hash')))

const imageOf = ({ status }: AKSNodeClass): string => {
  const [image] = status?.images ?? []
  if (image === undefined) throw new Error('the class is not resolved')
  return image.id
}

const settingsTags = (settings: AzureSettings, nodeClass: AKSNodeClass) =>
  resourceTags(settings, nodeClass, { metadata: { name: NAME, labels: { [labels.nodePool]: NAME } } })

/** A VM or machine that is a day old, and the status of its NodeClaim. */
interface Planted {
  readonly providerID: string
  readonly imageID: string
  readonly hash: string
}

const plantVm = (azure: FakeAzure, settings: AzureSettings, nodeClass: AKSNodeClass, claimName: string): Planted => {
  const imageID = imageOf(nodeClass)
  const { nodeIdentities: identities } = settings
  const tags = settingsTags(settings, nodeClass)
  const name = claimVmName(claimName)
  const userAssignedIdentities = Object.fromEntries(identities.map((each) => [each, {}]))
  const id = azure.vms.plant(
    name,
    {
      ...{ tags, zones: [ZONE], identity: { type: 'UserAssigned', userAssignedIdentities } },
      properties: {
        hardwareProfile: { vmSize: SIZE },
        priority: 'Regular',
        storageProfile: {
          imageReference: { communityGalleryImageId: imageID },
          osDisk: { name, createOption: 'FromImage', deleteOption: 'Delete' },
        },
      },
    },
    DAY,
  )
  return { providerID: azureProviderId(id), imageID, hash: inPlaceUpdateHash({ identities, tags }) }
}

const plantMachine = (
  azure: FakeAzure,
  settings: AzureSettings,
  nodeClass: AKSNodeClass,
  claimName: string,
): Planted => {
  const imageID = parseNodeImageVersion(imageOf(nodeClass)) ?? ''
  const tags = settingsTags(settings, nodeClass)
  const properties = { hardware: { vmSize: SIZE }, tags: { ...tags, [TAG.machineClaim]: claimName } }
  const id = azure.machines.plant(claimName, { zones: [ZONE], properties }, DAY, imageID)
  return { providerID: azureProviderId(id), imageID, hash: inPlaceUpdateHash({ identities: [], tags }) }
}

/**
 * Creates nodes of the NodePool that are a day old, with the NodeClaim, Node, and VM or machine that Kerf creates. Nothing has drifted, and
 * no VM needs a change. The node class must have been resolved.
 */
export const plantNodes = async (
  client: KubeClient,
  { azure, settings }: { readonly azure: FakeAzure; readonly settings: AzureSettings },
  clock: Clock,
  count: number,
): Promise<void> => {
  const then = formatTime(clock.now() - DAY)
  const nodeClass = await client.get(aksNodeClassKind, { name: NAME })
  const pool = await client.get(karpenterKinds.NodePool, { name: NAME })
  const plantInstance = settings.provisionMode === 'aksmachineapi' ? plantMachine : plantVm
  const plant = async (claimName: string): Promise<void> => {
    const { providerID, imageID, hash } = plantInstance(azure, settings, nodeClass, claimName)
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
      ...{
        pool,
        claimName,
        nodeName: providerID.split('/').at(-1) ?? '',
        providerID,
        imageID,
        labels: own,
        since: then,
      },
      claimAnnotations: {
        ...hashesOf(pool),
        ...hashesOf(nodeClass),
        [azureAnnotations.inPlaceUpdateHash]: hash,
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
