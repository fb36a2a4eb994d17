import { type NodeGroupLabel, ownValue } from '@kerf/apis'
import type { NodeRecognition } from '@kerf/provider-contract'

/**
 * Labels that contain the name of a node group. EKS sets the first one, and calls the Auto Scaling group `eks-NAME-ID`. eksctl sets the
 * others.
 */
const groupLabels: readonly NodeGroupLabel[] = [
  { label: 'eks.amazonaws.com/nodegroup', groupPrefix: 'eks-' },
  { label: 'alpha.eksctl.io/nodegroup-name' },
]

/** All labels that contain the name of a node's group, including that of kOps. */
const GROUP_LABELS = [...groupLabels.map(({ label }) => label), 'kops.k8s.io/instancegroup']

/** Labels with the capacity type of an instance, as set by EKS, Karpenter and older tools. */
const BOUGHT_LABELS = ['karpenter.sh/capacity-type', 'eks.amazonaws.com/capacityType', 'node.kubernetes.io/lifecycle']

const BOUGHT: Readonly<Record<string, string>> = {
  'on-demand': 'on-demand',
  ON_DEMAND: 'on-demand',
  normal: 'on-demand',
  spot: 'spot',
  SPOT: 'spot',
  reserved: 'reserved',
  CAPACITY_BLOCK: 'reserved',
}

const firstLabelValue = (labels: Readonly<Record<string, string>>, keys: readonly string[]): string | undefined =>
  keys.map((key) => ownValue(labels, key)).find((value) => value !== undefined && value !== '')

/** Recognises EC2 nodes. */
export const recognisedNodes: NodeRecognition = {
  isProviderId: (providerID) => providerID.startsWith('aws://'),
  exampleProviderId: 'aws:///us-west-2a/i-0123456789abcdef0',
  capacityTypeOf: (labels) => ownValue(BOUGHT, firstLabelValue(labels, BOUGHT_LABELS) ?? ''),
  groupOf: (labels) => firstLabelValue(labels, GROUP_LABELS),
  groupLabels,
  // AWS Node Termination Handler sets this taint on a node.
  spotInterruptionTaints: ['aws-node-termination-handler/spot-itn'],
}
