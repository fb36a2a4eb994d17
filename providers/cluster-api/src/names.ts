import { noVocabulary, type ProviderVocabulary } from '@kerf/apis'

/** Labels and annotations of Cluster API's objects that Kerf reads, and Kerf's own (`providers/cluster-api/docs/spec/cluster-api.md#labels`). */

export const CLUSTER_API_GROUP = 'cluster.x-k8s.io'

export const clusterApiLabels = {
  /** Users set this label on the MachineDeployments that participate. Kerf sets it on Machines that a NodeClaim holds. */
  member: 'node.cluster.x-k8s.io/karpenter-member',
  clusterName: 'cluster.x-k8s.io/cluster-name',
  deploymentName: 'cluster.x-k8s.io/deployment-name',
  setName: 'cluster.x-k8s.io/set-name',
} as const

const CAPACITY_PREFIX = 'capacity.cluster-autoscaler.kubernetes.io/'

export const clusterApiAnnotations = {
  paused: 'cluster.x-k8s.io/paused',
  /** On NodeClaims: `namespace/name` of the Machine. Cluster API sets the same key on Nodes, with only the name. */
  machine: 'cluster.x-k8s.io/machine',
  deleteMachine: 'cluster.x-k8s.io/delete-machine',
  revision: 'machinedeployment.clusters.x-k8s.io/revision',
  maxSize: 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size',
  cpu: `${CAPACITY_PREFIX}cpu`,
  memory: `${CAPACITY_PREFIX}memory`,
  ephemeralDisk: `${CAPACITY_PREFIX}ephemeral-disk`,
  maxPods: `${CAPACITY_PREFIX}maxPods`,
  gpuCount: `${CAPACITY_PREFIX}gpu-count`,
  gpuType: `${CAPACITY_PREFIX}gpu-type`,
  labels: `${CAPACITY_PREFIX}labels`,
  taints: `${CAPACITY_PREFIX}taints`,
  /** The price of one machine in US dollars per hour. */
  hourlyPrice: 'kerf.sh/hourly-price',
  /** On Machines: the UID of the NodeClaim that holds the Machine. */
  nodeClaimUid: 'kerf.sh/nodeclaim-uid',
  /** On Machines, for information: the name of the NodeClaim that holds the Machine. */
  nodeClaim: 'kerf.sh/nodeclaim',
  /** On Machines, for information: the NodePool of the NodeClaim that holds the Machine. */
  nodePool: 'kerf.sh/nodepool',
  /** On NodeClaims: `namespace/name` of the MachineDeployment of its Machine. */
  machineDeployment: 'kerf.sh/machine-deployment',
  /** On MachineDeployments: the `spec.replicas` that Kerf last wrote. */
  replicasWanted: 'kerf.sh/replicas-wanted',
  /** On MachineDeployments: how many replicas others requested. */
  replicasOfOthers: 'kerf.sh/replicas-of-others',
} as const

/** The domain of ClusterAPINodeClass. Its labels are restricted, except `clusterApiWellKnownLabels`. */
const CLUSTER_API_NODE_CLASS_GROUP = 'karpenter.cluster.x-k8s.io'

/** The well-known labels of this provider, in addition to those of the core. */
export const clusterApiWellKnownLabels: readonly string[] = [
  `capacity.${CLUSTER_API_NODE_CLASS_GROUP}/cpu`,
  `capacity.${CLUSTER_API_NODE_CLASS_GROUP}/memory`,
  `${CLUSTER_API_NODE_CLASS_GROUP}/instance-size`,
  `${CLUSTER_API_NODE_CLASS_GROUP}/instance-family`,
  `${CLUSTER_API_NODE_CLASS_GROUP}/instance-cpu`,
  `${CLUSTER_API_NODE_CLASS_GROUP}/instance-memory`,
]

/** The labels of this provider, in addition to those of the core (`providers/cluster-api/docs/spec/cluster-api.md#labels`). */
export const clusterApiVocabulary: ProviderVocabulary = {
  ...noVocabulary,
  wellKnown: clusterApiWellKnownLabels,
  restrictedDomains: [CLUSTER_API_NODE_CLASS_GROUP],
}
