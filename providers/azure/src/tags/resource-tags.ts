import { labels, type NodeClaim } from '@kerf/apis'
import type { AKSNodeClass } from '../node-class/aks-node-class.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'

export type Tags = Readonly<Record<string, string>>

/** Returns a valid tag key. Azure does not allow a slash in it. */
const tagKey = (label: string): string => label.replaceAll('/', '_')

/** The ownership tags of Kerf. Users cannot override them. */
export const TAG = {
  cluster: tagKey('karpenter.azure.com/cluster'),
  nodePool: tagKey(labels.nodePool),
  billing: 'compute.aks.billing',
  /** Only on machines of an AKS pool: the name of their NodeClaim. */
  machineClaim: tagKey('karpenter.azure.com/aksmachine_nodeclaim'),
} as const

const withTagKeys = (tags: Tags): Tags =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [tagKey(key), value]))

/** Returns the tags of everything that Kerf creates for a NodeClaim (`providers/azure/docs/spec/azure.md#azure-tags`). */
export const resourceTags = (
  settings: Pick<AzureSettings, 'clusterName' | 'additionalTags'>,
  nodeClass: Pick<AKSNodeClass, 'spec'>,
  claim: Pick<NodeClaim, 'metadata'>,
): Tags => {
  const nodePool = claim.metadata.labels?.[labels.nodePool]
  return {
    ...withTagKeys(settings.additionalTags),
    ...withTagKeys(nodeClass.spec?.tags ?? {}),
    [TAG.cluster]: settings.clusterName,
    [TAG.billing]: 'linux',
    ...(nodePool === undefined ? {} : { [TAG.nodePool]: nodePool }),
  }
}
