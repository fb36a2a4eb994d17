import { capacityTypes, labels, type ProviderVocabulary } from '@kerf/apis'
import type { HashAnnotations } from '@kerf/provider-kit'

/** The names that Bizfly Cloud's Karpenter provider also uses (`providers/bizfly/docs/spec/bizfly.md#names`), and Kerf's own names. */

export const BIZFLY_GROUP = 'karpenter.bizflycloud.com'
const PROVIDER_ID_PREFIX = 'bizflycloud://'

const own = <const Name extends string>(name: Name): `${typeof BIZFLY_GROUP}/${Name}` => `${BIZFLY_GROUP}/${name}`

/** Labels for which every instance type has a requirement. */
export const bizflyLabels = {
  category: own('node-category'),
  cpuVendor: own('cpu-vendor'),
  diskType: own('disk-type'),
  networkPlan: own('network-plan'),
  osType: own('os-type'),
  nodeClass: own('bizflycloudnodeclass'),
} as const

/** The capacity type of servers that are billed by the hour. Bizfly's own provider writes it with an underscore. */
export const ON_DEMAND_PLAN = 'on_demand'

/** The labels of Bizfly Cloud, in addition to the standard ones. */
export const bizflyVocabulary: ProviderVocabulary = {
  wellKnown: Object.values(bizflyLabels),
  restrictedDomains: [BIZFLY_GROUP],
  unrestricted: [],
  aliases: [],
  knownValues: [{ label: labels.capacityType, values: [...Object.values(capacityTypes), ON_DEMAND_PLAN] }],
  wellKnownResources: [],
}

/** The hash annotations, on BizflyCloudNodeClass and NodeClaim. Bizfly's own provider has no hash. */
export const nodeClassHashAnnotations: HashAnnotations = {
  hash: `${BIZFLY_GROUP}/bizflycloudnodeclass-hash`,
  version: `${BIZFLY_GROUP}/bizflycloudnodeclass-hash-version`,
}

/** The metadata with which Kerf identifies its servers. Bizfly's own provider also sets the first two. */
export const METADATA = {
  managed: 'karpenter-managed',
  cluster: 'bke_cluster_id',
  nodePool: 'karpenter-nodepool',
  nodeClaim: 'karpenter-nodeclaim',
  nodeClaimUid: 'karpenter-nodeclaim-uid',
  image: 'karpenter-image-id',
} as const

export const providerId = (serverId: string): string => `${PROVIDER_ID_PREFIX}${serverId}`

/** Returns the ID of the server in a provider ID, or undefined for any other text. */
export const serverIdIn = (providerID: string): string | undefined =>
  /^bizflycloud:\/\/([0-9A-Za-z-]+)$/.exec(providerID)?.[1]
