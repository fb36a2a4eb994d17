import { flag, listOf, maybe, one, type Random, some } from '@kerf/provider-kit/testing'
import type { ECSNodeClassSpec } from '../node-class/ecs-node-class.ts'

type Kubelet = NonNullable<ECSNodeClassSpec['kubeletConfiguration']>
type SystemDisk = NonNullable<ECSNodeClassSpec['systemDisk']>

/** Returns one to three items. */
const terms = <T>(random: Random, make: () => T): readonly T[] => [make(), ...listOf(random, 2, make)]

const TAGS = [{ team: 'web' }, { 'karpenter.sh/discovery': '*' }, { a: 'b', c: '' }] as const

/** Sizes that both CRDs accept. */
const SIZES = ['20Gi', '40Gi', '59000Gi', '100G', '64000G', '1Ti', '1024Gi', '20Ti', '2T'] as const
const CATEGORIES = ['cloud', 'cloud_ssd', 'cloud_essd', 'cloud_auto', 'cloud_efficiency', 'other'] as const

const systemDisk = (random: Random): SystemDisk => ({
  ...maybe(random, 'categories', () => some(random, CATEGORIES)),
  ...maybe(random, 'volumeSize', () => one(random, SIZES)),
  ...maybe(random, 'size', () => one(random, [20, 40, 500])),
  ...maybe(random, 'performanceLevel', () => one(random, ['PL0', 'PL1', 'PL2', 'PL3'] as const)),
})

const reserved = (random: Random): NonNullable<Kubelet['kubeReserved']> => ({
  ...maybe(random, 'cpu', () => one(random, ['100m', '0.5', 'abc'])),
  ...maybe(random, 'memory', () => one(random, ['1Gi', '1024Mi', '512M'])),
  ...maybe(random, 'ephemeral-storage', () => one(random, ['1Gi', '10G', '0'])),
  ...maybe(random, 'pid', () => one(random, ['100', '1k'])),
})

const SIGNALS = ['memory.available', 'nodefs.available', 'nodefs.inodesFree', 'imagefs.available', 'pid.available']

const thresholds = (random: Random): NonNullable<Kubelet['evictionHard']> =>
  Object.fromEntries(some(random, SIGNALS).map((signal) => [signal, one(random, ['5%', '10.25%', '100Mi', '0%'])]))

const softEviction = (random: Random): Pick<Kubelet, 'evictionSoft' | 'evictionSoftGracePeriod'> => {
  const evictionSoft = thresholds(random)
  const periods = Object.keys(evictionSoft).map((signal) => [signal, one(random, ['90s', '1m30s', '1h', '0s', '1.5m'])])
  return { evictionSoft, evictionSoftGracePeriod: Object.fromEntries(periods) }
}

const kubelet = (random: Random): Kubelet => ({
  ...maybe(random, 'clusterDNS', () => listOf(random, 2, () => one(random, ['172.21.0.10', '10.0.0.10']))),
  ...maybe(random, 'maxPods', () => one(random, [0, 30, 110])),
  ...maybe(random, 'podsPerCore', () => one(random, [0, 10])),
  ...maybe(random, 'systemReserved', () => reserved(random)),
  ...maybe(random, 'kubeReserved', () => reserved(random)),
  ...maybe(random, 'evictionHard', () => thresholds(random)),
  ...(flag(random) ? softEviction(random) : {}),
  ...maybe(random, 'evictionMaxPodGracePeriod', () => one(random, [0, 60])),
  ...maybe(random, 'imageGCHighThresholdPercent', () => one(random, [80, 85, 100])),
  ...maybe(random, 'imageGCLowThresholdPercent', () => one(random, [0, 50, 79])),
  ...maybe(random, 'cpuCFSQuota', () => flag(random)),
})

/** Returns a spec with random fields that both CRDs accept. */
export const randomNodeClassSpec = (random: Random): ECSNodeClassSpec => {
  const passwordInherit = maybe(random, 'passwordInherit', () => flag(random))
  return {
    vSwitchSelectorTerms: terms(random, () => (flag(random) ? { id: 'vsw-1' } : { tags: one(random, TAGS) })),
    securityGroupSelectorTerms: terms(random, () =>
      one<ECSNodeClassSpec['securityGroupSelectorTerms'][number]>(random, [
        { id: 'sg-1' },
        { name: 'nodes' },
        { tags: { team: 'web' } },
      ]),
    ),
    imageSelectorTerms: flag(random)
      ? [{ alias: one(random, ['AlibabaCloudLinux3', 'ContainerOS']) }]
      : terms(random, () => ({ id: one(random, ['m-1', 'aliyun_3']) })),
    ...maybe(random, 'vSwitchSelectionPolicy', () => one(random, ['balanced', 'cheapest'] as const)),
    ...maybe(random, 'kubeletConfiguration', () => kubelet(random)),
    ...maybe(random, 'systemDisk', () => systemDisk(random)),
    ...maybe(random, 'dataDisks', () =>
      listOf(random, 3, () => ({
        volumeSize: one(random, SIZES),
        ...maybe(random, 'device', () => one(random, ['/dev/xvdb', ''])),
      })),
    ),
    ...maybe(random, 'dataDiskCategories', () => listOf(random, 3, () => one(random, CATEGORIES))),
    ...maybe(random, 'formatDataDisk', () => flag(random)),
    ...maybe(random, 'tags', () => one(random, TAGS)),
    ...maybe(random, 'resourceGroupId', () => 'rg-1'),
    ...maybe(random, 'userData', () => one(random, ['', '#!/bin/sh\necho hi'])),
    ...maybe(random, 'keyPairName', () => 'nodes'),
    ...passwordInherit,
    ...(passwordInherit.passwordInherit === true ? {} : maybe(random, 'password', () => 'Secret-1234')),
  }
}
