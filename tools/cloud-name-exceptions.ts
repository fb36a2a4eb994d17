import type { CloudNameException, WellKnownName } from './cloud-name-rule.ts'

/** Names that contain the name of a cloud, but belong to Kubernetes or to a program that supports every cloud. */
export const wellKnownNames: readonly WellKnownName[] = [
  { name: 'awsElasticBlockStore', reason: 'a volume source of Kubernetes' },
  { name: 'azureDisk', reason: 'a volume source of Kubernetes' },
  { name: 'gcePersistentDisk', reason: 'a volume source of Kubernetes' },
  { name: 'gce-concurrent-refreshes', reason: 'a flag of Cluster Autoscaler' },
  { name: 'gce-mig-instances-min-refresh-wait-time', reason: 'a flag of Cluster Autoscaler' },
  { name: 'kubernetes.io/aws-ebs', reason: 'an in-tree volume plugin of Kubernetes' },
  { name: 'kubernetes.io/azure-disk', reason: 'an in-tree volume plugin of Kubernetes' },
  { name: 'kubernetes.io/azure-file', reason: 'an in-tree volume plugin of Kubernetes' },
  { name: 'ebs.csi.aws.com', reason: 'the driver that Kubernetes maps the in-tree plugin to' },
  { name: 'disk.csi.azure.com', reason: 'the driver that Kubernetes maps the in-tree plugin to' },
  { name: 'file.csi.azure.com', reason: 'the driver that Kubernetes maps the in-tree plugin to' },
  { name: 'kubernetes.io/gce-pd', reason: 'an in-tree volume plugin of Kubernetes' },
  { name: 'cloud.google.com/gke-nodepool', reason: 'a well-known label of nodes' },
  { name: 'pd.csi.storage.gke.io', reason: 'the driver that Kubernetes maps the in-tree plugin to' },
  { name: 'node.cluster.x-k8s.io/uninitialized', reason: 'a taint that upstream Karpenter knows with every provider' },
  {
    name: 'node.cluster.x-k8s.io/outdated-revision',
    reason: 'a taint that looks like the one that upstream Karpenter knows',
  },
  {
    name: 'eks-node-viewer',
    reason: 'a program for any cloud, whose price label Karpenter and Kerf set on every node',
  },
]

/** Files that name a cloud for a permanent reason. */
export const cloudNameExceptions: readonly CloudNameException[] = [
  { path: '.ci/run', reason: 'it names the tools that tests need, some of them after clouds' },
  { path: '.github/workflows/ci.yml', reason: 'it names the tools that tests need, some of them after clouds' },
  {
    path: '.github/workflows/nightly.yml',
    reason: 'it names the tools that tests need, and the one matrix that needs a job of its own',
  },
  { path: 'docs/site/reading-order.ts', reason: 'the navigation names the pages of clouds' },
  { path: 'packages/cli/src/provider-verbs.ts', reason: 'it fixes the place of the verbs of clouds in kerf --help' },
  { path: 'packages/cli/src/provider-list.ts', reason: 'it is the list of providers' },
  {
    path: 'packages/cli/src/refused-credentials.test.ts',
    reason: 'one command of a provider reads a cluster instead of a cloud',
  },
  {
    path: 'packages/runtime/src/connection/connection.test.ts',
    reason: 'kubeconfig files may name an authentication plugin after a cloud',
  },
  {
    path: 'tests/integration/kubectl/kubeconfig-features.ts',
    reason: 'kubeconfig files may name an authentication plugin after a cloud',
  },
  {
    path: 'tests/benchmarks/scheduling/many-workloads.ts',
    reason: 'a workload of the bench is named after the types that it uses',
  },
  {
    path: 'tests/integration/install/charts.helm.test.ts',
    reason: 'the chart has the values of upstream’s, some of them named after clouds',
  },
  { path: 'tests/integration/install/sizing.test.ts', reason: 'docs/sizing.md has a table of calls by cloud' },
  { path: 'tests/integration/install/upstream-chart.ts', reason: 'upstream’s chart, which is for one cloud' },
  {
    path: 'tests/integration/install/upstream-roles.ts',
    reason: 'the roles of upstream’s chart, which is for one cloud',
  },
  {
    path: 'tools/bundle/bundle.test.ts',
    reason: 'the modules of a cloud SDK that the bundle leaves out, and verbs that need them',
  },
  { path: 'tools/image/image-provider.ts', reason: 'the image and the chart begin with the cloud of upstream’s' },
  { path: 'tools/pictures/terminal-pictures.ts', reason: 'the pictures show a plan for the types of a cloud' },
  { path: 'tools/bundle/lean-imports.ts', reason: 'the modules of a cloud SDK that the bundle leaves out' },
]
