import { number, one, type Random } from '@kerf/provider-kit/testing'
import { SeededRandom } from '@kerf/runtime'
import type { GCENodeClassSpec } from '../node-class/gce-node-class.ts'
import type { TypeFacts } from '../type-facts.ts'
import { randomNodeClassSpec } from './random-node-class-spec.ts'
import { typesOfVectors } from './type-cases.ts'

/** The inputs for bootstrapping a node. */
export interface BootstrapCase {
  /** The metadata of the instance template of the source node pool. */
  readonly source: Readonly<Record<string, string>>
  readonly spec: GCENodeClassSpec
  readonly facts: TypeFacts
  readonly zone: string
  readonly isSpot: boolean
  readonly arePrivateNodes: boolean
}

const BINARIES = (arch: string): readonly string[] => [
  `SERVER_BINARY_TAR_URL: https://storage.googleapis.com/gke-release/kubernetes/release/v1.35.1-gke.7/kubernetes-server-linux-${arch}.tar.gz,https://other.example.com/kubernetes/release/v1.35.1-gke.7/kubernetes-server-linux-${arch}.tar.gz`,
  `SERVER_BINARY_TAR_HASH: ${arch}-of-the-source`,
]

/** Metadata of three templates: a typical one, one for Arm with many unusual items, and a nearly empty one. */
const SOURCES: readonly Readonly<Record<string, string>>[] = [
  {
    'cluster-name': 'demo',
    'cluster-location': 'us-central1',
    'cluster-uid': 'abc',
    'configure-sh': '#! /bin/bash\nset -o errexit\n',
    'startup-script': '',
    'google-secret': 'not for nodes of Kerf',
    'kube-env': [
      'ALLOCATE_NODE_CIDRS: "true"',
      'CA_CERT: bGluZQ==',
      'ZONE: us-central1-a',
      'ENABLE_NODE_BFQ_IO_SCHEDULER: "false"',
      ...BINARIES('amd64'),
      'KUBELET_ARGS: --v=2 --cloud-provider=external --max-pods=110 --node-labels=cloud.google.com/gke-nodepool=default-pool,cloud.google.com/gke-netd-ready=true,node.kubernetes.io/kube-proxy-ds-ready=true,max-pods=110 --register-with-taints=a=b:NoSchedule',
      'KUBE_PROXY_TOKEN: token',
    ].join('\n'),
    'kube-labels':
      'cloud.google.com/gke-nodepool=default-pool,iam.gke.io/gke-metadata-server-enabled=true,cloud.google.com/gke-netd-ready=true',
    'kubelet-config': [
      'apiVersion: kubelet.config.k8s.io/v1beta1',
      'kind: KubeletConfiguration',
      'maxPods: 110',
      'clusterDomain: cluster.local',
      'evictionHard:\n  memory.available: 100Mi\n  nodefs.available: 10%',
      'kubeReserved:\n  cpu: 60m\n  memory: 1Gi',
      'featureGates:\n  Other: true',
      'authentication:\n  anonymous:\n    enabled: false\n',
    ].join('\n'),
  },
  {
    'cluster-name': 'demo',
    'instance-template': 'projects/1/zones/z/instanceTemplates/gke-demo-arm',
    'kube-env': [
      'CA_CERT: |',
      '  line one',
      '\tline two',
      'continued without a colon',
      'KUBELET_ARGS: --node-labels=a=b  --v=2 --max-pods 5 --node-labels=cloud.google.com/gke-netd-ready=false',
      'SECONDARY_BOOT_DISKS: /mnt/disks/old',
      ...BINARIES('arm64'),
      'NODE_BFQ_IO_SCHEDULER_IO_WEIGHT: "7"',
      'CA_CERT_2: a: b',
    ].join('\n'),
    'kube-labels': ' addon.gke.io/node-local-dns-ds-ready=true, =x,broken,node.kubernetes.io/masq-agent-ds-ready=',
    'kubelet-config': '{"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration","podsPerCore":3}',
  },
  { 'cluster-name': 'demo', 'kube-env': 'KUBELET_ARGS: --v=2\n', 'kube-labels': '' },
]

type Disks = NonNullable<GCENodeClassSpec['disks']>

/** Returns disks with which upstream's request is valid: exactly one boot disk, and a size and a category for each disk. */
const completeDisks = (random: Random): Disks => {
  const { disks = [] } = randomNodeClassSpec(random)
  const boot = number(random, 0, disks.length)
  return [...disks.slice(0, boot), {}, ...disks.slice(boot)].map((disk, index) => ({
    ...{ sizeGiB: 20, category: 'pd-ssd' },
    ...disk,
    boot: index === boot,
  }))
}

/** Returns 30 nodes to bootstrap, with random node classes. */
export const bootstrapCases = (): readonly BootstrapCase[] => {
  const random = new SeededRandom('bootstrap')
  const types = typesOfVectors().filter((_, index) => index % 2 === 0)
  return types.map((facts) => ({
    facts,
    source: one(random, SOURCES),
    spec: { ...randomNodeClassSpec(random), disks: completeDisks(random) },
    zone: `us-central1-${'abcf'[number(random, 0, 3)]}`,
    isSpot: number(random, 0, 1) === 1,
    arePrivateNodes: number(random, 0, 1) === 1,
  }))
}
