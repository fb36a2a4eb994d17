import { labels, type NodeClaim } from '@kerf/apis'
import type { RequirementSpec } from '@kerf/engine'
import { singleValues } from '@kerf/provider-contract'
import { kubernetesMinor } from '../bootstrap/kubernetes-minor.ts'
import { type ResolvedFamily, resolvedFamily } from '../images/image-family.ts'
import { classTraits } from '../instance-type/class-traits.ts'
import { clusterLabelValue } from '../instance-type/type-labels.ts'
import { azureLabels } from '../label-names.ts'
import type { AKSNodeClass } from '../node-class/aks-node-class.ts'
import { parseSubnetId } from '../resource-ids/subnet-id.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'

const aks = (name: string): string => `kubernetes.azure.com/${name}`

/** The names of operating systems in AKS's node labels. */
const EFFECTIVE: Readonly<Record<ResolvedFamily, string>> = {
  Ubuntu2004: 'Ubuntu',
  Ubuntu2204: 'Ubuntu2204',
  Ubuntu2404: 'Ubuntu2404',
  AzureLinux: 'AzureLinux2',
  AzureLinux3: 'AzureLinux3',
}

export interface LabelFacts {
  readonly nodeClass: AKSNodeClass
  readonly settings: AzureSettings
  /** The subnet of the nodes. */
  readonly subnetId: string
  /** The GUID of the virtual network. Empty if unknown. */
  readonly vnetGuid: string
  readonly arch: string
}

const overlayLabels = ({ subnetId, vnetGuid }: LabelFacts, version: string): Readonly<Record<string, string>> => ({
  [aks('network-subnet')]: parseSubnetId(subnetId)?.subnet ?? '',
  [aks('nodenetwork-vnetguid')]: vnetGuid,
  [aks('azure-cni-overlay')]: 'true',
  [aks('podnetwork-type')]: 'overlay',
  [aks('network-stateless-cni')]: `${kubernetesMinor(version) >= 34}`,
})

/**
 * Returns the labels of every new node of the node class, regardless of its NodeClaim
 * (`providers/azure/docs/spec/azure.md#labels-and-tags`).
 */
const classLabels = (facts: LabelFacts): Readonly<Record<string, string>> => {
  const { nodeClass, settings, arch } = facts
  const traits = classTraits(nodeClass, settings)
  const version = nodeClass.status?.kubernetesVersion ?? ''
  const isOverlay = settings.networkPlugin === 'azure' && settings.networkPluginMode === 'overlay'
  return {
    [aks('role')]: 'agent',
    [azureLabels.cluster]: clusterLabelValue(settings.azureNodeResourceGroup),
    // Kerf sets the label even if its value is empty. Without this label, the core would conclude that the node lost its taints.
    [aks('kubelet-identity-client-id')]: settings.kubeletIdentityClientID,
    [azureLabels.mode]: 'user',
    'karpenter.sh/do-not-sync-taints': 'true',
    [azureLabels.scaleSetPriority]: 'regular',
    [azureLabels.priority]: 'regular',
    [azureLabels.osSku]: traits.imageFamily === 'AzureLinux' ? 'AzureLinux' : 'Ubuntu',
    [aks('os-sku-requested')]: traits.imageFamily,
    [aks('os-sku-effective')]: EFFECTIVE[resolvedFamily(traits, version)],
    [aks('localdns-state')]: traits.localDns ? 'enabled' : 'disabled',
    ...(traits.fips ? { [azureLabels.fipsEnabled]: 'true' } : {}),
    ...(isOverlay ? overlayLabels(facts, version) : {}),
    ...(settings.networkDataplane === 'cilium' ? { [aks('ebpf-dataplane')]: 'cilium' } : {}),
    ...(traits.artifactStreaming && arch !== 'arm64' ? { [aks('artifactstreaming-enabled')]: 'true' } : {}),
  }
}

/** The labels in Kubernetes domains that NodeRestriction allows a kubelet to set. */
const KUBELET_LABELS: ReadonlySet<string> = new Set([
  ...['kubernetes.io/hostname', labels.zone, labels.region, labels.instanceType, labels.os, labels.arch],
  ...['failure-domain.beta.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/region'],
  ...['beta.kubernetes.io/instance-type', 'beta.kubernetes.io/os', 'beta.kubernetes.io/arch'],
])

const isOrBelow = (domain: string, parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`)

const kubeletMaySet = (key: string): boolean => {
  if (KUBELET_LABELS.has(key)) return true
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : ''
  if (!isOrBelow(domain, 'kubernetes.io') && !isOrBelow(domain, 'k8s.io')) return true
  return isOrBelow(domain, 'kubelet.kubernetes.io') || isOrBelow(domain, 'node.kubernetes.io')
}

/** Labels that AKS sets on every node of an AKS pool. */
const LABELS_OF_AKS: ReadonlySet<string> = new Set(['agentpool', 'storageprofile', 'storagetier', 'accelerator'])

/** Returns true if a request for a machine may contain the label. AKS and the kubelet set their own labels. */
const machineMayHave = (key: string): boolean => {
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : ''
  return !isOrBelow(domain, 'kubernetes.azure.com') && !LABELS_OF_AKS.has(key) && !KUBELET_LABELS.has(key)
}

/** Returns the labels to request for a machine of an AKS pool. AKS adds its own labels. */
export const machineLabels = (all: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(all).filter(([key]) => machineMayHave(key)))

/**
 * Returns the labels that a new node's kubelet sets: those of the node class, of the NodeClaim, and of the chosen offering. If labels
 * conflict, the later ones take precedence. Omits labels that a kubelet is not allowed to set. The core adds them at registration.
 */
export const nodeLabels = (
  { metadata, spec }: NodeClaim,
  type: readonly RequirementSpec[],
  offering: readonly RequirementSpec[],
  facts: LabelFacts,
): Readonly<Record<string, string>> => {
  const chosen = singleValues(offering)
  const ofOffering = [labels.capacityType, azureLabels.placementScope, azureLabels.ultraSsd].flatMap((key) =>
    chosen[key] === undefined ? [] : [[key, chosen[key]] as const],
  )
  const all = {
    ...classLabels(facts),
    ...metadata.labels,
    ...singleValues(spec.requirements),
    ...singleValues(type),
    ...Object.fromEntries(ofOffering),
  }
  return Object.fromEntries(Object.entries(all).filter(([key]) => kubeletMaySet(key)))
}
