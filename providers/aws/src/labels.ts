import { labels, type ProviderVocabulary } from '@kerf/apis'
import type { HashAnnotations } from '@kerf/provider-kit'
import { AWS_GROUP, awsLabels, awsWellKnownLabels } from './label-names.ts'

/**
 * Names that the AWS provider sets on objects and reads from them (`providers/aws/docs/spec/aws-node-class.md#annotations-and-tag-keys`,
 * `providers/aws/docs/spec/aws.md#instance-types`).
 */

export const awsAnnotations = {
  /** On EC2NodeClass and NodeClaim: the hash of the fields that instances are launched from. */
  nodeClassHash: `${AWS_GROUP}/ec2nodeclass-hash`,
  nodeClassHashVersion: `${AWS_GROUP}/ec2nodeclass-hash-version`,
  /** On NodeClaim: the instance profile of the launch, which protects the profile from garbage collection. */
  instanceProfileName: `${AWS_GROUP}/instance-profile-name`,
  /** On NodeClaim: `true` once the instance has the tags that need the node's name. */
  tagged: `${AWS_GROUP}/tagged`,
  clusterNameTagged: `compatibility.${AWS_GROUP}/cluster-name-tagged`,
} as const

/** The hash annotations, for the controllers that all providers share. */
export const nodeClassHashAnnotations: HashAnnotations = {
  hash: awsAnnotations.nodeClassHash,
  version: awsAnnotations.nodeClassHashVersion,
}

/**
 * The finalizer of EC2NodeClasses. Before the controller removes it, it deletes the instance profiles and launch templates of the node
 * class.
 */
export const NODE_CLASS_FINALIZER = `${AWS_GROUP}/termination`

export const awsResources = {
  podEni: 'vpc.amazonaws.com/pod-eni',
  /** Windows only. */
  privateIPv4Address: 'vpc.amazonaws.com/PrivateIPv4Address',
  efa: 'vpc.amazonaws.com/efa',
  nvidiaGpu: 'nvidia.com/gpu',
  amdGpu: 'amd.com/gpu',
  gaudi: 'habana.ai/gaudi',
  neuron: 'aws.amazon.com/neuron',
  neuronCore: 'aws.amazon.com/neuroncore',
  /** If pods request this resource, Kerf launches the instance with Nitro Enclaves. */
  nitroSandbox: 'eks.amazonaws.com/nitro-sandbox',
} as const

/** The well-known resources of AWS (`docs/spec/labels.md#aws-labels`). */
export const awsWellKnownResources: readonly string[] = [
  awsResources.podEni,
  awsResources.neuron,
  awsResources.neuronCore,
  awsResources.gaudi,
  awsResources.efa,
]

/**
 * The labels and resources of AWS, in addition to those of the core (`docs/spec/labels.md#aws-labels`,
 * `docs/spec/labels.md#restricted-keys`).
 */
export const awsVocabulary: ProviderVocabulary = {
  wellKnown: awsWellKnownLabels,
  restrictedDomains: [AWS_GROUP],
  unrestricted: [],
  // Volumes of the EBS driver use this label for their zone.
  aliases: [{ alias: 'topology.ebs.csi.aws.com/zone', label: labels.zone }],
  knownValues: [{ label: awsLabels.tenancy, values: ['dedicated', 'default'] }],
  wellKnownResources: awsWellKnownResources,
}

export const awsTags = {
  nodePool: labels.nodePool,
  nodeClaim: 'karpenter.sh/nodeclaim',
  nodeClass: awsLabels.nodeClass,
  clusterName: 'eks:eks-cluster-name',
  name: 'Name',
  /** A tag that Kerf sets on instances at launch. It contains digests of the uids of the NodeClaims that were launched together. */
  launchedFor: 'kerf.sh/nodeclaims',
} as const

/** Returns the key of the tag that all resources of the cluster have, with the value `owned`. */
export const clusterTag = (clusterName: string): string => `kubernetes.io/cluster/${clusterName}`
