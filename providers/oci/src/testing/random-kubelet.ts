import { flag, listOf, maybe, number, one, type Random, some } from '@kerf/provider-kit/testing'
import type { CommunityNodeClassSpec } from '../node-class/community-node-class.ts'
import type { OracleNodeClassSpec } from '../node-class/oracle-node-class.ts'

type CommunityKubelet = NonNullable<CommunityNodeClassSpec['kubelet']>
type OracleKubelet = NonNullable<OracleNodeClassSpec['kubeletConfig']>
type Common = Omit<CommunityKubelet, 'cpuCFSQuota'>

const SIGNALS = ['memory.available', 'nodefs.available', 'nodefs.inodesFree', 'imagefs.available', 'pid.available']

const reserved = (random: Random): NonNullable<Common['kubeReserved']> => ({
  ...maybe(random, 'cpu', () => one(random, ['100m', '0.5', '1e-1', '+2'])),
  ...maybe(random, 'memory', () => one(random, ['1Gi', '1024Mi', '512M', '1e9'])),
  ...maybe(random, 'ephemeral-storage', () => one(random, ['1Gi', '10G', '0'])),
  ...maybe(random, 'pid', () => one(random, ['100', '1k'])),
})

const thresholds = (random: Random): NonNullable<Common['evictionHard']> =>
  Object.fromEntries(
    some(random, SIGNALS).map((signal) => [signal, one(random, ['5%', '10.25%', '100Mi', '1Gi', '0%', '500M'])]),
  )

const softEviction = (random: Random): Pick<Common, 'evictionSoft' | 'evictionSoftGracePeriod'> => {
  const evictionSoft = thresholds(random)
  const periods = Object.keys(evictionSoft).map((signal) => [signal, one(random, ['90s', '1m30s', '1h', '0s', '1.5m'])])
  return { evictionSoft, evictionSoftGracePeriod: Object.fromEntries(periods) }
}

const common = (random: Random): Common => ({
  ...maybe(random, 'clusterDNS', () => listOf(random, 3, () => one(random, ['10.0.0.10', '10.0.0.11']))),
  ...maybe(random, 'maxPods', () => one(random, [20, 31, 110, 250])),
  ...maybe(random, 'podsPerCore', () => one(random, [0, 4, 20])),
  ...maybe(random, 'systemReserved', () => reserved(random)),
  ...maybe(random, 'kubeReserved', () => reserved(random)),
  ...maybe(random, 'evictionHard', () => thresholds(random)),
  ...(flag(random) ? softEviction(random) : {}),
  ...maybe(random, 'evictionMaxPodGracePeriod', () => one(random, [-1, 0, 60])),
  ...maybe(random, 'imageGCHighThresholdPercent', () => number(random, 51, 100)),
  ...maybe(random, 'imageGCLowThresholdPercent', () => number(random, 0, 50)),
})

/** Returns a random `spec.kubelet` that the CRD of OciNodeClass accepts. */
export const randomCommunityKubelet = (random: Random): CommunityKubelet => ({
  ...common(random),
  ...maybe(random, 'cpuCFSQuota', () => flag(random)),
})

/** Returns a random `spec.kubeletConfig` that the CRD of OCINodeClass accepts. */
export const randomOracleKubelet = (random: Random): OracleKubelet => ({
  ...common(random),
  ...maybe(random, 'nodeLabels', () => ({ team: one(random, ['a', '']), [`key-${number(random, 1, 9)}`]: 'value' })),
  ...maybe(random, 'extraArgs', () => one(random, ['', '--v=4', '--feature-gates=A=true --v=2'])),
})
