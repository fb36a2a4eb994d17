import { flag, listOf, maybe, number, one, type Random, some } from '@kerf/provider-kit/testing'
import type { GCENodeClassSpec } from '../node-class/gce-node-class.ts'

type Disk = NonNullable<GCENodeClassSpec['disks']>[number]
type Kubelet = NonNullable<GCENodeClassSpec['kubeletConfiguration']>
type Term = GCENodeClassSpec['imageSelectorTerms'][number]
type Network = NonNullable<GCENodeClassSpec['networkConfig']>

const ACCOUNTS = ['nodes@demo.iam.gserviceaccount.com', '1234-compute@developer.gserviceaccount.com']
const KEY = 'projects/p/locations/europe-west1/keyRings/r/cryptoKeys/k'

const disk = (random: Random): Disk => {
  const category = one(random, ['pd-balanced', 'pd-ssd', 'pd-extreme', 'hyperdisk-balanced', 'hyperdisk-ml'] as const)
  return {
    ...maybe(random, 'sizeGiB', () => one(random, [10, 50, 100, 375, 65_536])),
    ...maybe(random, 'boot', () => flag(random)),
    ...maybe(random, 'secondaryBootImage', () => one(random, ['', 'projects/p/global/images/cache-1', 'cache-2'])),
    ...maybe(random, 'secondaryBootMode', () => one(random, ['MODE_UNSPECIFIED', 'CONTAINER_IMAGE_CACHE'] as const)),
    ...maybe(random, 'kmsKeyName', () => one(random, [KEY, `${KEY}/cryptoKeyVersions/1`])),
    ...maybe(random, 'kmsKeyServiceAccount', () => one(random, ACCOUNTS)),
    ...(category === 'hyperdisk-balanced' && flag(random)
      ? { category, provisionedIOPS: number(random, 3000, 50_000), provisionedThroughput: number(random, 140, 2400) }
      : {}),
    ...(category === 'pd-extreme' ? { category, provisionedIOPS: one(random, [0, 10_000, 120_000]) } : {}),
    ...(category === 'pd-balanced' || category === 'pd-ssd' ? { category } : {}),
  }
}

const term = (random: Random): Term =>
  one<Term>(random, [
    { alias: 'ContainerOptimizedOS@latest' },
    { alias: 'ContainerOptimizedOS@125.19216.104.126' },
    { alias: 'Ubuntu@v20260416' },
    { alias: 'Ubuntu@latest' },
    { id: 'projects/p/global/images/i' },
    { family: 'ContainerOptimizedOS', version: '125.19216.104.126' },
    { family: 'ContainerOptimizedOS', channel: 'stable' },
    { family: 'ContainerOptimizedOS', channel: 'cluster' },
    { family: 'ContainerOptimizedOS', version: 'latest' },
    { family: 'Ubuntu2404', version: 'latest' },
    { family: 'Ubuntu2204', version: 'v20260416' },
  ])

/** Returns at least one term. A spec cannot have both a channel and the version `latest`. */
const terms = (random: Random): GCENodeClassSpec['imageSelectorTerms'] => {
  const drawn = [term(random), ...listOf(random, 2, () => term(random))]
  return drawn.some(({ channel }) => channel !== undefined) && drawn.some(({ version }) => version === 'latest')
    ? drawn.slice(0, 1)
    : drawn
}

const reserved = (random: Random): NonNullable<Kubelet['kubeReserved']> => ({
  ...maybe(random, 'cpu', () => one(random, ['100m', '0.5', '1e-1', '+2'])),
  ...maybe(random, 'memory', () => one(random, ['1Gi', '1024Mi', '512M', '1e9'])),
  ...maybe(random, 'ephemeral-storage', () => one(random, ['1Gi', '10G', '0'])),
  ...maybe(random, 'pid', () => one(random, ['100', '1k'])),
})

const SIGNALS = ['memory.available', 'nodefs.available', 'nodefs.inodesFree', 'imagefs.available', 'pid.available']

const thresholds = (random: Random): NonNullable<Kubelet['evictionHard']> =>
  Object.fromEntries(
    some(random, SIGNALS).map((signal) => [signal, one(random, ['5%', '10.25%', '100Mi', '1Gi', '0%', '500M'])]),
  )

const softEviction = (random: Random): Pick<Kubelet, 'evictionSoft' | 'evictionSoftGracePeriod'> => {
  const evictionSoft = thresholds(random)
  const periods = Object.keys(evictionSoft).map((signal) => [signal, one(random, ['90s', '1m30s', '1h', '0s', '1.5m'])])
  return { evictionSoft, evictionSoftGracePeriod: Object.fromEntries(periods) }
}

const kubelet = (random: Random): Kubelet => ({
  ...maybe(random, 'clusterDNS', () => listOf(random, 3, () => one(random, ['10.0.0.10', '10.0.0.11']))),
  ...maybe(random, 'maxPods', () => one(random, [0, 8, 32, 110, 256])),
  ...maybe(random, 'podsPerCore', () => one(random, [0, 4, 20])),
  ...maybe(random, 'systemReserved', () => reserved(random)),
  ...maybe(random, 'kubeReserved', () => reserved(random)),
  ...maybe(random, 'evictionHard', () => thresholds(random)),
  ...(flag(random) ? softEviction(random) : {}),
  ...maybe(random, 'evictionMaxPodGracePeriod', () => one(random, [-1, 0, 60])),
  ...maybe(random, 'imageGCHighThresholdPercent', () => number(random, 51, 100)),
  ...maybe(random, 'imageGCLowThresholdPercent', () => number(random, 0, 50)),
  ...maybe(random, 'cpuCFSQuota', () => flag(random)),
})

const network = (random: Random): Network => ({
  ...maybe(random, 'enablePrivateNodes', () => flag(random)),
  ...maybe(random, 'subnetwork', () => one(random, ['', 'nodes', 'projects/p/regions/r/subnetworks/nodes'])),
  ...maybe(random, 'additionalNetworkInterfaces', () =>
    listOf(random, 3, () => ({ ...maybe(random, 'network', () => 'other'), subnetwork: one(random, ['a', 'b']) })),
  ),
})

/** Returns a random spec that the CRD accepts, with empty objects, zeros and repeated items. */
export const randomNodeClassSpec = (random: Random): GCENodeClassSpec => ({
  imageSelectorTerms: terms(random),
  ...maybe(random, 'serviceAccount', () => one(random, ACCOUNTS)),
  ...maybe(random, 'disks', () => listOf(random, 3, () => disk(random))),
  ...maybe(random, 'imageFamily', () => one(random, ['Ubuntu', 'ContainerOptimizedOS'] as const)),
  ...maybe(random, 'subnetRangeName', () => one(random, ['pods', 'pods-2'])),
  ...maybe(random, 'kubeletConfiguration', () => kubelet(random)),
  ...maybe(random, 'labels', () => ({
    team: one(random, ['a', 'ü<&>', '']),
    [`key-${number(random, 1, 9)}`]: 'value',
  })),
  ...maybe(random, 'metadata', () => ({ ...maybe(random, 'own', () => one(random, ['', 'a\nb', '<&>'])) })),
  ...maybe(random, 'networkTags', () => listOf(random, 4, () => one(random, ['a', 'b-1', 'c']))),
  ...maybe(random, 'shieldedInstanceConfig', () => ({
    ...maybe(random, 'enableSecureBoot', () => flag(random)),
    ...maybe(random, 'enableVtpm', () => flag(random)),
    ...maybe(random, 'enableIntegrityMonitoring', () => flag(random)),
  })),
  ...maybe(random, 'confidentialInstanceType', () => one(random, ['SEV', 'SEV_SNP', 'TDX'] as const)),
  ...maybe(random, 'networkConfig', () => network(random)),
  ...maybe(random, 'autoGPUTaint', () => flag(random)),
  ...maybe(random, 'gpuDriverVersion', () => one(random, ['default', 'latest', 'disabled'] as const)),
})
