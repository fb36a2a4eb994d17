import { flag, maybe, number, one, type Random, some } from '@kerf/provider-kit/testing'
import type { AKSNodeClassSpec } from '../node-class/aks-node-class.ts'

type Kubelet = NonNullable<AKSNodeClassSpec['kubelet']>
type LocalDns = NonNullable<AKSNodeClassSpec['localDNS']>
type LinuxOs = NonNullable<AKSNodeClassSpec['linuxOSConfig']>

const kubelet = (random: Random): Kubelet => ({
  ...maybe(random, 'cpuManagerPolicy', () => one(random, ['none', 'static'] as const)),
  ...maybe(random, 'cpuCFSQuota', () => flag(random)),
  ...maybe(random, 'cpuCFSQuotaPeriod', () => one(random, ['100ms', '0s', '5ms', '1s', '1m0.5s', '60s', '1m'])),
  ...maybe(random, 'imageGCHighThresholdPercent', () => number(random, 51, 100)),
  ...maybe(random, 'imageGCLowThresholdPercent', () => number(random, 0, 50)),
  ...maybe(random, 'topologyManagerPolicy', () =>
    one(random, ['restricted', 'best-effort', 'none', 'single-numa-node'] as const),
  ),
  ...maybe(random, 'allowedUnsafeSysctls', () => some(random, ['net.*', 'kernel.msg*', 'kernel.sem', 'net.*'])),
  ...maybe(random, 'containerLogMaxSize', () => one(random, ['50Mi', '1Gi', '1024Mi', '10M'])),
  ...maybe(random, 'containerLogMaxFiles', () => number(random, 2, 20)),
  ...maybe(random, 'podPidsLimit', () => one(random, [-1, 0, 100, 4_294_967_296, 9_007_199_254_740_991])),
  ...maybe(random, 'failSwapOn', () => flag(random)),
})

const override = (random: Random, zone: string): LocalDns['vnetDNSOverrides'][number] => ({
  zone,
  queryLogging: one(random, ['Error', 'Log'] as const),
  protocol: 'PreferUDP',
  forwardDestination: zone.endsWith('cluster.local') ? 'ClusterCoreDNS' : 'VnetDNS',
  forwardPolicy: one(random, ['Sequential', 'RoundRobin', 'Random'] as const),
  maxConcurrent: one(random, [0, 1, 1000, 2_147_483_647]),
  cacheDuration: one(random, ['0s', '1h', '60m', '1h30m', '90s']),
  serveStaleDuration: one(random, ['0s', '1h', '3600s', '10m']),
  serveStale: one(random, ['Verify', 'Immediate', 'Disable'] as const),
})

const overrides = (random: Random): LocalDns['vnetDNSOverrides'] =>
  ['.', 'cluster.local', ...some(random, ['a.example.com', 'b.example.com.', 'x.cluster.local'])].map((zone) =>
    override(random, zone),
  )

const localDns = (random: Random): LocalDns => ({
  mode: one(random, ['Preferred', 'Required', 'Disabled'] as const),
  vnetDNSOverrides: overrides(random),
  kubeDNSOverrides: overrides(random),
})

const linuxOs = (random: Random): LinuxOs => ({
  ...maybe(random, 'swapFileSize', () => one(random, ['1500Mi', '2Gi', '2048Mi'])),
  ...maybe(random, 'sysctls', () => ({
    ...maybe(random, 'fsAioMaxNr', () => number(random, 65_536, 6_553_500)),
    ...maybe(random, 'fsFileMax', () => number(random, 8192, 12_000_500)),
    ...maybe(random, 'fsInotifyMaxUserWatches', () => number(random, 781_250, 2_097_152)),
    ...maybe(random, 'fsNrOpen', () => number(random, 8192, 20_000_500)),
    ...maybe(random, 'kernelThreadsMax', () => number(random, 20, 513_785)),
    ...maybe(random, 'netCoreNetdevMaxBacklog', () => number(random, 1000, 3_240_000)),
    ...maybe(random, 'netCoreOptmemMax', () => number(random, 20_480, 4_194_304)),
    ...maybe(random, 'netCoreRmemDefault', () => number(random, 212_992, 300_000)),
    ...maybe(random, 'netCoreRmemMax', () => number(random, 300_000, 134_217_728)),
    ...maybe(random, 'netCoreSomaxconn', () => number(random, 4096, 3_240_000)),
    ...maybe(random, 'netCoreWmemDefault', () => number(random, 212_992, 300_000)),
    ...maybe(random, 'netCoreWmemMax', () => number(random, 300_000, 134_217_728)),
    ...maybe(random, 'netIPv4IPLocalPortRange', () => one(random, ['1024 32768', '32768 60999'])),
    ...maybe(random, 'netIPv4NeighDefaultGcThresh1', () => number(random, 128, 512)),
    ...maybe(random, 'netIPv4NeighDefaultGcThresh2', () => number(random, 512, 1024)),
    ...maybe(random, 'netIPv4NeighDefaultGcThresh3', () => number(random, 1024, 100_000)),
    ...maybe(random, 'netIPv4TCPFinTimeout', () => number(random, 5, 120)),
    ...maybe(random, 'netIPv4TCPKeepaliveProbes', () => number(random, 1, 15)),
    ...maybe(random, 'netIPv4TCPKeepaliveTime', () => number(random, 30, 432_000)),
    ...maybe(random, 'netIPv4TCPMaxSynBacklog', () => number(random, 128, 3_240_000)),
    ...maybe(random, 'netIPv4TCPMaxTwBuckets', () => number(random, 8000, 1_440_000)),
    ...maybe(random, 'netIPv4TCPTwReuse', () => flag(random)),
    ...maybe(random, 'netIPv4TCPKeepaliveIntvl', () => number(random, 10, 90)),
    ...maybe(random, 'netNetfilterNfConntrackBuckets', () => number(random, 65_536, 524_288)),
    ...maybe(random, 'netNetfilterNfConntrackMax', () => number(random, 131_072, 2_097_152)),
    ...maybe(random, 'vmMaxMapCount', () => number(random, 65_530, 262_144)),
    ...maybe(random, 'vmSwappiness', () => number(random, 0, 100)),
    ...maybe(random, 'vmVfsCachePressure', () => number(random, 0, 100)),
  })),
  ...maybe(random, 'transparentHugePageDefrag', () =>
    one(random, ['always', 'defer', 'defer+madvise', 'madvise', 'never'] as const),
  ),
  ...maybe(random, 'transparentHugePageEnabled', () => one(random, ['always', 'madvise', 'never'] as const)),
})

const subnetId = (random: Random): string =>
  `/subscriptions/${number(random, 1, 9)}/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/vnet/subnets/nodes-${number(random, 1, 99)}`

/**
 * Returns a random spec that the CRD usually accepts, including empty objects, zeros and repeated items. The hash can be computed even if
 * the CRD would reject the spec.
 */
export const randomNodeClassSpec = (random: Random): AKSNodeClassSpec => ({
  ...maybe(random, 'vnetSubnetID', () => subnetId(random)),
  ...maybe(random, 'osDiskSizeGB', () => number(random, 30, 2048)),
  ...maybe(random, 'imageFamily', () => one(random, ['Ubuntu', 'Ubuntu2204', 'Ubuntu2404', 'AzureLinux'] as const)),
  ...maybe(random, 'fipsMode', () => one(random, ['FIPS', 'Disabled'] as const)),
  ...maybe(random, 'tags', () => ({ team: one(random, ['a', 'ü<&>', '']), [`key-${number(random, 1, 9)}`]: 'value' })),
  ...maybe(random, 'kubelet', () => kubelet(random)),
  ...maybe(random, 'maxPods', () => number(random, 10, 250)),
  ...maybe(random, 'security', () => ({
    ...maybe(random, 'encryptionAtHost', () => flag(random)),
    ...maybe(random, 'trustedLaunch', () => ({
      ...maybe(random, 'vtpm', () => flag(random)),
      ...maybe(random, 'secureBoot', () => flag(random)),
    })),
  })),
  ...maybe(random, 'localDNS', () => localDns(random)),
  ...maybe(random, 'gpu', () => ({ ...maybe(random, 'mode', () => one(random, ['Driver', 'None'] as const)) })),
  ...maybe(random, 'artifactStreaming', () => ({ ...maybe(random, 'enabled', () => flag(random)) })),
  ...maybe(random, 'linuxOSConfig', () => linuxOs(random)),
})
