import { parseResources } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { GCENodeClassSpec } from '../node-class/gce-node-class.ts'
import { knownTypes } from '../tables/known-types.ts'
import { gceNodeClass } from '../testing/gce-node-class.ts'
import { instanceMetadata, type ServerBinaries } from './instance-metadata.ts'
import { parseKubeEnv } from './kube-env.ts'
import { labelsInArgs } from './kubelet-args.ts'
import { parseLabels } from './label-text.ts'
import { nodePlan } from './node-plan.ts'

/** An excerpt from the instance template metadata of a GKE node pool. */
const SOURCE: Readonly<Record<string, string>> = {
  'cluster-name': 'demo',
  'cluster-uid': 'abc',
  'startup-script': '',
  'instance-template': 'projects/1/zones/z/instanceTemplates/gke-demo-default-pool',
  'google-secret': 'not for nodes of Kerf',
  'kube-env': [
    'ALLOCATE_NODE_CIDRS: "true"',
    'CA_CERT: |',
    '  line one',
    'line: two',
    'continued without a colon',
    'ZONE: us-central1-a',
    'SECONDARY_BOOT_DISKS: /mnt/disks/old',
    'KUBELET_ARGS: --v=2 --max-pods=110 --node-labels=cloud.google.com/gke-nodepool=default-pool,cloud.google.com/gke-netd-ready=true,node.kubernetes.io/kube-proxy-ds-ready=true --register-with-taints=a=b:NoSchedule --cloud-provider=external',
    'ENABLE_NODE_BFQ_IO_SCHEDULER: "false"',
  ].join('\n'),
  'kube-labels': 'cloud.google.com/gke-nodepool=default-pool,iam.gke.io/gke-metadata-server-enabled=true',
  'kubelet-config':
    'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nnewField: kept\nevictionHard:\n  memory.available: 100Mi\nfeatureGates:\n  Other: true\n',
}

interface Change {
  readonly spec?: Partial<GCENodeClassSpec>
  readonly type?: string
  readonly isSpot?: boolean
  readonly binaries?: ServerBinaries
}

const metadataOf = ({ spec = {}, type = 'n2-standard-4', isSpot = false, binaries }: Change = {}) => {
  const facts = knownTypes.get(type)
  if (facts === undefined) throw new Error(`there is no ${type}`)
  const kubeReserved = parseResources({ cpu: '80m', memory: '2662Mi', 'ephemeral-storage': '41Gi' })
  const plan = nodePlan(gceNodeClass('general', { spec }), {
    ...{ project: 'demo', zone: 'us-central1-c', nodePool: 'default', facts, isSpot, kubeReserved },
  })
  const metadata = instanceMetadata(SOURCE, plan, binaries)
  const env = parseKubeEnv(metadata['kube-env'] ?? '')
  return {
    metadata,
    env,
    args: env.get('KUBELET_ARGS') ?? '',
    kubelet: parse(metadata['kubelet-config'] ?? ''),
    labels: parseLabels(metadata['kube-labels'] ?? ''),
  }
}

test('only known items of the template are kept, and the class adds its own', () => {
  const { metadata } = metadataOf({ spec: { metadata: { own: 'x', 'serial-port-logging-enable': 'true' } } })
  expect(Object.keys(metadata).toSorted()).toEqual([
    ...['cluster-name', 'cluster-uid', 'instance-template', 'kube-env', 'kube-labels', 'kubelet-config'],
    ...['own', 'serial-port-logging-enable', 'startup-script'],
  ])
  expect(metadata['startup-script']).toBe('')
})

describe('kube-env', () => {
  test('keys are sorted, the arguments of the kubelet are last, and continued values stay as they are', () => {
    const { metadata, env } = metadataOf()
    expect([...env.keys()]).toEqual([
      ...['ALLOCATE_NODE_CIDRS', 'CA_CERT', 'ENABLE_NODE_BFQ_IO_SCHEDULER', 'NODE_BFQ_IO_SCHEDULER_IO_WEIGHT'],
      ...['ZONE', 'line', 'KUBELET_ARGS'],
    ])
    expect(env.get('CA_CERT')).toBe('|\n  line one')
    expect(env.get('line')).toBe('two\ncontinued without a colon')
    expect(env.get('ZONE')).toBe('us-central1-c')
    expect(metadata['kube-env']?.split('\n').at(-1)).toMatch(/^KUBELET_ARGS: /)
  })

  test('the I/O scheduler depends on the image family', () => {
    const schedulerOf = (imageSelectorTerms: GCENodeClassSpec['imageSelectorTerms']) => {
      const { env } = metadataOf({ spec: { imageSelectorTerms } })
      return [env.get('ENABLE_NODE_BFQ_IO_SCHEDULER'), env.get('NODE_BFQ_IO_SCHEDULER_IO_WEIGHT')]
    }
    expect(schedulerOf([{ alias: 'ContainerOptimizedOS@latest' }])).toEqual(['"true"', '"1200"'])
    expect(schedulerOf([{ alias: 'Ubuntu@latest' }])).toEqual([undefined, undefined])
    expect(schedulerOf([{ id: 'projects/p/global/images/i' }])).toEqual(['"false"', undefined])
  })

  test('secondary boot disks are listed by their device names', () => {
    const image = 'projects/demo/global/images/cache-1'
    const disk = { secondaryBootImage: image, secondaryBootMode: 'CONTAINER_IMAGE_CACHE' } as const
    const { env, labels } = metadataOf({ spec: { disks: [disk, { ...disk, secondaryBootMode: 'MODE_UNSPECIFIED' }] } })
    expect(env.get('SECONDARY_BOOT_DISKS')).toBe('/mnt/disks/gke-secondary-disks/gke-cache-1-disk')
    expect(labels['cloud.google.com.node-restriction.kubernetes.io/gke-secondary-boot-disk-cache-1']).toBe(
      'CONTAINER_IMAGE_CACHE.demo',
    )
    expect(metadataOf().env.has('SECONDARY_BOOT_DISKS')).toBe(false)
  })

  test('binaries of another architecture', () => {
    const { env } = metadataOf({ binaries: { url: 'https://example.com/arm64', hash: 'abc' } })
    expect([env.get('SERVER_BINARY_TAR_URL'), env.get('SERVER_BINARY_TAR_HASH')]).toEqual([
      'https://example.com/arm64',
      'abc',
    ])
  })
})

describe('the arguments of the kubelet', () => {
  test('pods, labels and taints come from the node, everything else comes from the source', () => {
    const { args } = metadataOf({ spec: { kubeletConfiguration: { maxPods: 32, podsPerCore: 1 } } })
    const words = args.split(' ')
    expect(words.slice(0, 3)).toEqual(['--v=2', '--cloud-provider=external', '--max-pods=32'])
    expect(words.at(-1)).toBe('--register-with-taints=karpenter.sh/unregistered=true:NoExecute')
    expect(labelsInArgs(args)).toMatchObject({
      'karpenter.sh/nodepool': 'default',
      'karpenter.k8s.gcp/gcenodeclass': 'general',
      'max-pods': '32',
      'max-pods-per-node': '32',
      'cloud.google.com/gke-os-distribution': 'cos',
      'cloud.google.com/machine-family': 'n2',
      'gke-provisioning': 'standard',
      'disk-type.gke.io/pd-balanced': 'true',
    })
  })

  test('each readiness label stays in the metadata item in which the source has it', () => {
    const { args, labels } = metadataOf()
    const ready = (each: Readonly<Record<string, string>>) =>
      Object.keys(each).filter((key) => /ready|metadata-server/.test(key))
    expect(ready(labelsInArgs(args))).toEqual([
      'cloud.google.com/gke-netd-ready',
      'node.kubernetes.io/kube-proxy-ds-ready',
    ])
    expect(ready(labels)).toEqual(['iam.gke.io/gke-metadata-server-enabled'])
    expect(labels['karpenter.sh/registered']).toBe('true')
    expect(labelsInArgs(args)['karpenter.sh/registered']).toBeUndefined()
    expect(labelsInArgs(args)['cloud.google.com/gke-nodepool']).toBeUndefined()
  })

  test('a GPU node has the GPU labels, and the GPU taint if the class requests it', () => {
    const { args } = metadataOf({ type: 'g2-standard-8', spec: { autoGPUTaint: true, gpuDriverVersion: 'latest' } })
    expect(labelsInArgs(args)).toMatchObject({
      'cloud.google.com/gke-accelerator': 'nvidia-l4',
      'cloud.google.com/gke-gpu-driver-version': 'latest',
      'cloud.google.com/gke-cpu-scaling-level': '8',
    })
    expect(args).toContain(':NoExecute,nvidia.com/gpu=present:NoSchedule')
    expect(metadataOf({ spec: { autoGPUTaint: true } }).args).not.toContain('nvidia.com/gpu')
    expect(metadataOf({ type: 'g2-standard-8' }).args).not.toContain('nvidia.com/gpu=')
  })
})

describe('the configuration of the kubelet', () => {
  test('the reserved resources of the instance type are added, and unknown fields are kept', () => {
    expect(metadataOf().kubelet).toEqual({
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      newField: 'kept',
      evictionHard: { 'memory.available': '100Mi' },
      featureGates: { Other: true },
      kubeReserved: { cpu: '80m', memory: '2662Mi', 'ephemeral-storage': '41Gi' },
    })
  })

  test('the class overrides it key by key', () => {
    const kubeletConfiguration = {
      maxPods: 32,
      clusterDNS: ['10.0.0.10'],
      kubeReserved: { cpu: '200m' },
      systemReserved: { memory: '1Gi' },
      evictionHard: { 'nodefs.available': '5%' },
      evictionSoft: { 'memory.available': '5%' },
      evictionSoftGracePeriod: { 'memory.available': '90s' },
      cpuCFSQuota: false,
    }
    expect(metadataOf({ spec: { kubeletConfiguration } }).kubelet).toMatchObject({
      maxPods: 32,
      clusterDNS: ['10.0.0.10'],
      kubeReserved: { cpu: '200m', memory: '2662Mi', 'ephemeral-storage': '41Gi' },
      systemReserved: { memory: '1Gi' },
      evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '5%' },
      evictionSoft: { 'memory.available': '5%' },
      evictionSoftGracePeriod: { 'memory.available': '1m30s' },
      cpuCFSQuota: false,
    })
  })

  test('a spot instance shuts down gracefully', () => {
    const { kubelet, labels } = metadataOf({ isSpot: true })
    expect(kubelet).toMatchObject({
      featureGates: { Other: true, GracefulNodeShutdown: true },
      shutdownGracePeriod: '30s',
      shutdownGracePeriodCriticalPods: '15s',
    })
    expect(labels['gke-provisioning']).toBe('spot')
  })
})
