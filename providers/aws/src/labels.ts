import { AWS_GROUP, awsLabels, awsWellKnownLabels, labels, type ProviderVocabulary } from '@kerf/apis'
import type { HashAnnotations } from '@kerf/provider-kit'

/**
 * Names that the AWS provider puts on objects and reads from them
 * (`docs/spec/aws-node-class.md#annotations-and-tag-keys`, `docs/spec/aws.md#instance-types`).
 */

export const awsAnnotations = {
  /** EC2NodeClass and NodeClaim: the fingerprint of what instances are launched from. */
  nodeClassHash: `${AWS_GROUP}/ec2nodeclass-hash`,
  nodeClassHashVersion: `${AWS_GROUP}/ec2nodeclass-hash-version`,
  /** NodeClaim: the instance profile of the launch, which keeps it from being cleaned up. */
  instanceProfileName: `${AWS_GROUP}/instance-profile-name`,
  /** NodeClaim: `true` once the tags that need the node's name are on the instance. */
  tagged: `${AWS_GROUP}/tagged`,
  clusterNameTagged: `compatibility.${AWS_GROUP}/cluster-name-tagged`,
} as const

/** The annotations of the fingerprint, as the kit's controllers take them. */
export const nodeClassHashAnnotations: HashAnnotations = {
  hash: awsAnnotations.nodeClassHash,
  version: awsAnnotations.nodeClassHashVersion,
}

/** On an EC2NodeClass: its profiles and launch templates go before it does. */
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
  /** Requested, it launches the instance with Nitro Enclaves. */
  nitroSandbox: 'eks.amazonaws.com/nitro-sandbox',
} as const

/** What AWS adds to the well-known resources (`docs/spec/labels.md#aws-labels`). */
export const awsWellKnownResources: readonly string[] = [
  awsResources.podEni,
  awsResources.neuron,
  awsResources.neuronCore,
  awsResources.gaudi,
  awsResources.efa,
]

/**
 * What AWS adds to the labels and resources that core knows (`docs/spec/labels.md#aws-labels`,
 * `docs/spec/labels.md#restricted-keys`).
 */
export const awsVocabulary: ProviderVocabulary = {
  wellKnown: awsWellKnownLabels,
  restrictedDomains: [AWS_GROUP],
  unrestricted: [],
  // Volumes of the EBS driver name their zone so.
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
  /** Kerf's own, on instances from birth: digests of the uids of the claims that were launched together. */
  launchedFor: 'kerf.sh/nodeclaims',
} as const

/** The tag, with the value `owned`, of everything that belongs to the cluster. */
export const clusterTag = (clusterName: string): string => `kubernetes.io/cluster/${clusterName}`
