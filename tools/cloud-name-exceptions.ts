import type { CloudNameException, WellKnownName } from './cloud-name-rule.ts'

/** Names that contain the name of a cloud, and belong to Kubernetes or to a program for every cloud. */
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

/** Files that name a cloud for a reason that stays. */
const lasting: readonly CloudNameException[] = [
  { path: 'docs/site/reading-order.ts', reason: 'the navigation names the pages of clouds' },
  { path: 'packages/cli/src/provider-verbs.ts', reason: 'it fixes the place of the verbs of clouds in kerf --help' },
  { path: 'packages/cli/src/provider-list.ts', reason: 'it is the list of providers' },
  {
    path: 'packages/runtime/src/connection/connection.test.ts',
    reason: 'kubeconfig files may name an authentication plugin after a cloud',
  },
  {
    path: 'tests/integration/kubectl/kubeconfig-features.ts',
    reason: 'kubeconfig files may name an authentication plugin after a cloud',
  },
  { path: 'tools/bundle/lean-imports.ts', reason: 'the modules of a cloud SDK that the bundle leaves out' },
  { path: 'tools/cloud-name-exceptions.ts', reason: 'it is this list' },
]

/** Files whose parts about a cloud still have to move into its folder. The list only gets shorter. */
const stillToMove: readonly string[] = [
  'packages/apis/src/node-group-label.ts',
  'packages/cli/src/migrate/groups/refused-clouds.ts',
  'packages/cli/src/refused-credentials.test.ts',
  'packages/cli/src/simulate/prepare-manifests.ts',
  'packages/dashboard/server/src/dashboard-server.test.ts',
  'packages/engine/src/volumes/storage.ts',
  'tests/benchmarks/cli/cluster-dump.ts',
  'tests/benchmarks/cli/run.ts',
  'tests/benchmarks/scheduling/many-workloads.ts',
  'tests/benchmarks/start/run.ts',
  'tests/benchmarks/start/small-cluster.ts',
  'tests/integration/browser/pages.browser.test.ts',
  'tests/integration/browser/walk/odd-objects.ts',
  'tests/integration/browser/walk/walked-paths.ts',
  'tests/integration/doctor/broken-clusters/cloud.ts',
  'tests/integration/doctor/broken-clusters/coexistence.ts',
  'tests/integration/doctor/broken-clusters/controller.ts',
  'tests/integration/doctor/broken-clusters/node-pools.ts',
  'tests/integration/doctor/broken-clusters/workloads.ts',
  'tests/integration/doctor/checks.test.ts',
  'tests/integration/doctor/doctor-command.test.ts',
  'tests/integration/doctor/on-cluster.test.ts',
  'tests/integration/editor/dry-run.test.ts',
  'tests/integration/editor/edits.ts',
  'tests/integration/facts/metrics.ts',
  'tests/integration/facts/quirks/scheduling.ts',
  'tests/integration/first-hour/new.test.ts',
  'tests/integration/guides/controller-pod.ts',
  'tests/integration/guides/every-command.test.ts',
  'tests/integration/install/all-options-story.ts',
  'tests/integration/install/charts.helm.test.ts',
  'tests/integration/install/image-name.test.ts',
  'tests/integration/install/management.helm.test.ts',
  'tests/integration/install/release.helm.test.ts',
  'tests/integration/install/sizing.test.ts',
  'tests/integration/install/upstream-chart.ts',
  'tests/integration/install/upstream-roles.test.ts',
  'tests/integration/install/upstream-roles.ts',
  'tests/integration/release/install.rehearsal.test.ts',
  'tests/integration/report/report-on-cluster.test.ts',
  'tests/integration/story/bad-input.test.ts',
  'tests/integration/story/simulate-docs.test.ts',
  'tests/integration/story/up.test.ts',
  'tests/integration/surface/documents.ts',
  'tests/integration/surface/running.ts',
  'tests/integration/surface/surface.test.ts',
  'tests/integration/volumes/zone-keys-of-drivers.test.ts',
  'tools/bundle/bundle.test.ts',
  'tools/generators/metrics.ts',
  'tools/image/image.test.ts',
  'tools/pictures/terminal-pictures.ts',
  'tools/release/released-manifests.ts',
]

export const cloudNameExceptions: readonly CloudNameException[] = [
  ...lasting,
  ...stillToMove.map((path) => ({ path, reason: 'still to move' })),
]
