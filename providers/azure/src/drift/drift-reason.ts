import { findCondition, type NodeClaim, type Node as NodeObject } from '@kerf/apis'
import { NotKnownYetError } from '@kerf/provider-contract'
import { isStaticallyDrifted } from '@kerf/provider-kit'
import { parseNodeImageVersion } from '../images/image-version.ts'
import { nodeClassHashAnnotations } from '../names.ts'
import type { AKSNodeClass } from '../node-class/aks-node-class.ts'

const KUBELET_IDENTITY = 'kubernetes.azure.com/kubelet-identity-client-id'

/** The state of a machine in its AKS pool. */
export interface MachineState {
  /** The image's name in AKS. Undefined while AKS does not return it. */
  readonly nodeImageVersion?: string
  /** Empty or `Synced` while the machine matches the cluster. */
  readonly driftAction?: string
}

export interface DriftFacts {
  /** The NodeClaim's node. Undefined while there is none. */
  readonly node: NodeObject | undefined
  /** The kubelet identity of new nodes. Empty if the settings do not contain it. */
  readonly kubeletIdentityClientID: string
  /** The state of the machine. Set only for a node that is a machine of an AKS pool. */
  readonly machine?: MachineState
}

/** Returns true if the status that the condition summarizes was computed for the node class's current generation. */
const isCurrent = (nodeClass: AKSNodeClass, type: string): boolean => {
  const condition = findCondition(nodeClass, type)
  return condition?.status === 'True' && condition.observedGeneration === nodeClass.metadata.generation
}

/** Returns true if the object is being deleted. Kerf does not replace such an object because of drift. */
const isEnding = ({ metadata }: NodeClaim | NodeObject): boolean => metadata.deletionTimestamp !== undefined

const hasOtherVersion = ({ node }: DriftFacts, nodeClass: AKSNodeClass): boolean => {
  const wanted = nodeClass.status?.kubernetesVersion ?? ''
  if (!isCurrent(nodeClass, 'KubernetesVersionReady') || wanted === '') return false
  if (node === undefined) return false
  const own = (node.status?.nodeInfo?.kubeletVersion ?? '').replace(/^v/, '')
  return own !== '' && own !== wanted
}

/** Compares IDs case-insensitively, because Azure changes their case. */
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * Returns true if the node's kubelet identity differs from the setting. If its label is empty, the node was created without the
 * setting, so its identity is unknown.
 */
const hasOtherIdentity = ({ node, kubeletIdentityClientID, machine }: DriftFacts): boolean => {
  const own = machine === undefined ? (node?.metadata.labels?.[KUBELET_IDENTITY] ?? '') : ''
  return own !== '' && kubeletIdentityClientID !== '' && !same(own, kubeletIdentityClientID)
}

const hasOtherImage = (claim: NodeClaim, nodeClass: AKSNodeClass, { machine }: DriftFacts): boolean => {
  if (!isCurrent(nodeClass, 'ImagesReady')) return false
  const images = (nodeClass.status?.images ?? []).map(({ id }) => id)
  const { name } = claim.metadata
  if (images.length === 0) throw new NotKnownYetError(`AKSNodeClass ${nodeClass.metadata.name} has no images yet`)
  if (machine === undefined) {
    const own = claim.status?.imageID ?? ''
    if (own === '') throw new NotKnownYetError(`nodeclaim ${name} has no image in its status yet`)
    return !images.some((id) => same(id, own))
  }
  const own = machine.nodeImageVersion ?? ''
  if (own === '') throw new NotKnownYetError(`AKS does not report the image of the machine of nodeclaim ${name} yet`)
  const versions = images.flatMap((id) => parseNodeImageVersion(id) ?? [])
  // Images of community galleries have no name in AKS, so Kerf cannot compare them.
  return versions.length > 0 && !versions.some((version) => same(version, own))
}

const isOutOfSync = ({ machine }: DriftFacts): boolean => {
  const action = machine?.driftAction ?? ''
  return action !== '' && action !== 'Synced'
}

/**
 * Returns the reason why a NodeClaim's node has drifted (`providers/azure/docs/spec/azure.md#drift-reasons`), or undefined if it has not. A
 * value that is unknown or was not recorded never counts as drift. An object that is being deleted does not drift.
 *
 * @throws NotKnownYetError while the reason cannot be determined.
 */
export const driftReason = (claim: NodeClaim, nodeClass: AKSNodeClass, facts: DriftFacts): string | undefined => {
  const { name } = claim.metadata
  if (isEnding(claim) || (facts.node !== undefined && isEnding(facts.node))) return undefined
  if ((claim.status?.providerID ?? '') === '') throw new NotKnownYetError(`nodeclaim ${name} has no instance yet`)
  if (isStaticallyDrifted(nodeClassHashAnnotations, claim.metadata, nodeClass.metadata)) return 'NodeClassDrift'
  if (hasOtherVersion(facts, nodeClass)) return 'K8sVersionDrift'
  if (hasOtherIdentity(facts)) return 'KubeletIdentityDrift'
  if (hasOtherImage(claim, nodeClass, facts)) return 'ImageDrift'
  return isOutOfSync(facts) ? 'ClusterConfigDrift' : undefined
}
