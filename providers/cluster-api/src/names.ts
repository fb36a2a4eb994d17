import { noVocabulary, type ProviderVocabulary } from '@kerf/apis'

/** Labels and annotations of Cluster API's objects that Kerf reads, and Kerf's own (`docs/spec/cluster-api.md#labels`). */

export const CLUSTER_API_GROUP = 'cluster.x-k8s.io'

export const clusterApiLabels = {
  /** On MachineDeployments that take part (put there by users), and on Machines that a NodeClaim has taken. */
  member: 'node.cluster.x-k8s.io/karpenter-member',
  clusterName: 'cluster.x-k8s.io/cluster-name',
  deploymentName: 'cluster.x-k8s.io/deployment-name',
  setName: 'cluster.x-k8s.io/set-name',
} as const

const CAPACITY_PREFIX = 'capacity.cluster-autoscaler.kubernetes.io/'

export const clusterApiAnnotations = {
  paused: 'cluster.x-k8s.io/paused',
  /** On a NodeClaim: `namespace/name` of its Machine. Cluster API writes the same key on Nodes, with the name alone. */
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
  /** On a Machine: the UID of the NodeClaim that has taken it. */
  nodeClaimUid: 'kerf.sh/nodeclaim-uid',
  /** On a Machine, for people: name of that NodeClaim, … */
  nodeClaim: 'kerf.sh/nodeclaim',
  /** … and its NodePool. */
  nodePool: 'kerf.sh/nodepool',
  /** On a NodeClaim: `namespace/name` of the MachineDeployment that its Machine comes from. */
  machineDeployment: 'kerf.sh/machine-deployment',
  /** On a MachineDeployment: `spec.replicas` as Kerf last wrote it. */
  replicasWanted: 'kerf.sh/replicas-wanted',
  /** On a MachineDeployment: how many of its replicas somebody else asked for. */
  replicasOfOthers: 'kerf.sh/replicas-of-others',
} as const

/** Domain of ClusterAPINodeClass. Its labels are restricted, those of `clusterApiWellKnownLabels` excepted. */
const CLUSTER_API_NODE_CLASS_GROUP = 'karpenter.cluster.x-k8s.io'

/** What this provider adds to core's well-known labels. */
export const clusterApiWellKnownLabels: readonly string[] = [
  `capacity.${CLUSTER_API_NODE_CLASS_GROUP}/cpu`,
  `capacity.${CLUSTER_API_NODE_CLASS_GROUP}/memory`,
  `${CLUSTER_API_NODE_CLASS_GROUP}/instance-size`,
  `${CLUSTER_API_NODE_CLASS_GROUP}/instance-family`,
  `${CLUSTER_API_NODE_CLASS_GROUP}/instance-cpu`,
  `${CLUSTER_API_NODE_CLASS_GROUP}/instance-memory`,
]

/** What this provider adds to the labels that core knows (`docs/spec/cluster-api.md#labels`). */
export const clusterApiVocabulary: ProviderVocabulary = {
  ...noVocabulary,
  wellKnown: clusterApiWellKnownLabels,
  restrictedDomains: [CLUSTER_API_NODE_CLASS_GROUP],
}
