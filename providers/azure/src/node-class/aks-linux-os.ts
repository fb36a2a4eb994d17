import { enumField, object, optional, type Rule, text, whole, yesNo } from '@kerf/apis/schema'
import { WHOLE_BYTES } from './aks-kubelet-fields.ts'

const between = (sysctl: string, minimum: number, maximum: number) =>
  optional(whole({ description: `The sysctl ${sysctl}.`, format: 'int32', minimum, maximum }))

const atMost = (smaller: string, larger: string): Rule => ({
  rule: `!has(self.${smaller}) || !has(self.${larger}) || self.${smaller} <= self.${larger}`,
  message: `"${smaller}" must not exceed "${larger}"`,
})

const port = (index: 0 | 1): string => `int(self.netIPv4IPLocalPortRange.split(' ')[${index}])`
const portRule = (condition: string, message: string): Rule => ({
  rule: `!has(self.netIPv4IPLocalPortRange) || (${condition})`,
  message: `"netIPv4IPLocalPortRange": ${message}`,
})

const sysctls = object(
  {
    fsAioMaxNr: between('fs.aio-max-nr', 65_536, 6_553_500),
    fsFileMax: between('fs.file-max', 8192, 12_000_500),
    fsInotifyMaxUserWatches: between('fs.inotify.max_user_watches', 781_250, 2_097_152),
    fsNrOpen: between('fs.nr_open', 8192, 20_000_500),
    kernelThreadsMax: between('kernel.threads-max', 20, 513_785),
    netCoreNetdevMaxBacklog: between('net.core.netdev_max_backlog', 1000, 3_240_000),
    netCoreOptmemMax: between('net.core.optmem_max', 20_480, 4_194_304),
    netCoreRmemDefault: between('net.core.rmem_default', 212_992, 134_217_728),
    netCoreRmemMax: between('net.core.rmem_max', 212_992, 134_217_728),
    netCoreSomaxconn: between('net.core.somaxconn', 4096, 3_240_000),
    netCoreWmemDefault: between('net.core.wmem_default', 212_992, 134_217_728),
    netCoreWmemMax: between('net.core.wmem_max', 212_992, 134_217_728),
    netIPv4IPLocalPortRange: optional(
      text({ description: 'The sysctl net.ipv4.ip_local_port_range, as `first last`.', pattern: '^\\d+ \\d+$' }),
    ),
    netIPv4NeighDefaultGcThresh1: between('net.ipv4.neigh.default.gc_thresh1', 128, 80_000),
    netIPv4NeighDefaultGcThresh2: between('net.ipv4.neigh.default.gc_thresh2', 512, 90_000),
    netIPv4NeighDefaultGcThresh3: between('net.ipv4.neigh.default.gc_thresh3', 1024, 100_000),
    netIPv4TCPFinTimeout: between('net.ipv4.tcp_fin_timeout', 5, 120),
    netIPv4TCPKeepaliveProbes: between('net.ipv4.tcp_keepalive_probes', 1, 15),
    netIPv4TCPKeepaliveTime: between('net.ipv4.tcp_keepalive_time', 30, 432_000),
    netIPv4TCPMaxSynBacklog: between('net.ipv4.tcp_max_syn_backlog', 128, 3_240_000),
    netIPv4TCPMaxTwBuckets: between('net.ipv4.tcp_max_tw_buckets', 8000, 1_440_000),
    netIPv4TCPTwReuse: optional(yesNo({ description: 'The sysctl net.ipv4.tcp_tw_reuse.' })),
    netIPv4TCPKeepaliveIntvl: between('net.ipv4.tcp_keepalive_intvl', 10, 90),
    netNetfilterNfConntrackBuckets: between('net.netfilter.nf_conntrack_buckets', 65_536, 524_288),
    netNetfilterNfConntrackMax: between('net.netfilter.nf_conntrack_max', 131_072, 2_097_152),
    vmMaxMapCount: between('vm.max_map_count', 65_530, 262_144),
    vmSwappiness: between('vm.swappiness', 0, 100),
    vmVfsCachePressure: between('vm.vfs_cache_pressure', 0, 100),
  },
  {
    description: 'Kernel settings.',
    rules: [
      atMost('netCoreRmemDefault', 'netCoreRmemMax'),
      atMost('netCoreWmemDefault', 'netCoreWmemMax'),
      atMost('netIPv4NeighDefaultGcThresh1', 'netIPv4NeighDefaultGcThresh2'),
      atMost('netIPv4NeighDefaultGcThresh2', 'netIPv4NeighDefaultGcThresh3'),
      portRule(`${port(0)} >= 1024 && ${port(0)} <= 60999`, 'the first port must be in 1024-60999'),
      portRule(`${port(1)} >= 32768 && ${port(1)} <= 65535`, 'the last port must be in 32768-65535'),
      portRule(`${port(0)} <= ${port(1)}`, 'the first port must not exceed the last'),
    ],
  },
)

/** The Linux settings of a node (`providers/azure/docs/spec/azure.md#linuxosconfig`). */
export const aksLinuxOsConfig = () =>
  optional(
    object(
      {
        swapFileSize: optional(
          text({
            description: 'Size of the swap file in MB. Requires kubelet.failSwapOn: false.',
            pattern: WHOLE_BYTES,
          }),
        ),
        sysctls: optional(sysctls),
        transparentHugePageDefrag: optional(
          enumField(['always', 'defer', 'defer+madvise', 'madvise', 'never'], {
            description: 'Transparent huge page defragmentation.',
          }),
        ),
        transparentHugePageEnabled: optional(
          enumField(['always', 'madvise', 'never'], { description: 'Use of transparent huge pages.' }),
        ),
      },
      { description: 'Linux settings of the nodes.' },
    ),
  )
