import type { HashAnnotations } from '@kerf/provider-kit'
import { ALIBABA_GROUP } from './label-names.ts'

/** The hash annotations, on ECSNodeClass and NodeClaim. */
export const nodeClassHashAnnotations: HashAnnotations = {
  hash: `${ALIBABA_GROUP}/ecsnodeclass-hash`,
  version: `${ALIBABA_GROUP}/ecsnodeclass-hash-version`,
}

/** Annotations that mark a NodeClaim as tagged: its instance has the tags that contain the Node's name. */
export const claimAnnotations: readonly string[] = [
  `${ALIBABA_GROUP}/tagged`,
  `compatibility.${ALIBABA_GROUP}/cluster-name-tagged`,
]

/** The finalizer of ECSNodeClasses. */
export const NODE_CLASS_FINALIZER = `${ALIBABA_GROUP}/termination`

/** The ConfigMap that preserves the last known prices for the next start of Kerf. */
export const PRICE_CONFIG_MAP = 'karpenter-alibabacloud-prices'

/** The tags of instances (`providers/alibaba/docs/spec/alibaba.md#labels-resources-tags`). */
export const TAG = {
  clusterId: 'ecs:ecs-cluster-id',
  nodePool: 'karpenter.sh/nodepool',
  nodeClaim: 'karpenter.sh/nodeclaim',
  nodeClass: `${ALIBABA_GROUP}/ecsnodeclass`,
  /** A tag that upstream does not set. It contains the uid of the NodeClaim, so that a repeated launch finds the instance. */
  nodeClaimUid: `${ALIBABA_GROUP}/nodeclaim-uid`,
  group: `${ALIBABA_GROUP}/autoprovisiongroup`,
} as const

/** Returns the key of the tag that marks instances of a cluster. Its value is `owned`. */
export const clusterTag = (clusterId: string): string => `kubernetes.io/cluster/${clusterId}`

/** Returns the provider ID that ACK's cloud controller manager writes on the Node. It has no scheme. */
export const providerId = (region: string, instanceId: string): string => `${region}.${instanceId}`

/** Returns the region and the instance ID in a provider ID, or undefined for any other text. The instance ID follows the last dot. */
export const parseProviderId = (
  providerID: string,
): { readonly region: string; readonly instanceId: string } | undefined => {
  const [, region, instanceId] = /^([a-z0-9-]+)\.(i-[0-9a-z-]+)$/.exec(providerID) ?? []
  return region === undefined || instanceId === undefined ? undefined : { region, instanceId }
}

/** Returns the instance ID in a provider ID of the region, or undefined for any other text. */
export const instanceIdIn = (providerID: string, region: string): string | undefined => {
  const parsed = parseProviderId(providerID)
  return parsed?.region === region ? parsed.instanceId : undefined
}
