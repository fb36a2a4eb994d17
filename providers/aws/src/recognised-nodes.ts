import { ownValue } from '@kerf/apis'
import type { NodeRecognition } from '@kerf/provider-contract'

/** Labels that name the group of a node: of EKS managed node groups, of eksctl, and of kOps. */
const GROUP_LABELS = ['eks.amazonaws.com/nodegroup', 'alpha.eksctl.io/nodegroup-name', 'kops.k8s.io/instancegroup']

/** How EKS, Karpenter and the tools before them say how an instance was bought. */
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

const firstOf = (labels: Readonly<Record<string, string>>, keys: readonly string[]): string | undefined =>
  keys.map((key) => ownValue(labels, key)).find((value) => value !== undefined && value !== '')

/** Nodes of EC2. */
export const recognisedNodes: NodeRecognition = {
  providerIdPrefix: 'aws://',
  capacityTypeOf: (labels) => ownValue(BOUGHT, firstOf(labels, BOUGHT_LABELS) ?? ''),
  groupOf: (labels) => firstOf(labels, GROUP_LABELS),
}
