import {
  type FieldHash,
  hashField,
  hashGiven,
  hashInt32,
  hashInteger,
  hashSet,
  hashStruct,
  hashText,
  parseDurationNanoseconds,
} from '@kerf/apis'
import type { AKSNodeClass, AKSNodeClassSpec } from './aks-node-class.ts'

/**
 * The version of the hash below. A NodeClaim with another version does not drift but gets the new hash
 * (`providers/azure/docs/spec/azure.md#hash`). Version and hash equal upstream's. Otherwise all nodes of a cluster that Kerf takes over
 * would drift.
 */
export const NODE_CLASS_HASH_VERSION = 'v3'

const { text, flag, int32, plainText } = hashField

type Kubelet = NonNullable<AKSNodeClassSpec['kubelet']>
type LocalDns = NonNullable<AKSNodeClassSpec['localDNS']>
type ZoneOverride = LocalDns['vnetDNSOverrides'][number]
type LinuxOs = NonNullable<AKSNodeClassSpec['linuxOSConfig']>
type Sysctls = NonNullable<LinuxOs['sysctls']>

/** Hashes the only duration that is not a pointer, so absent and zero are equal. */
const quotaPeriod = (period: string | undefined): FieldHash => {
  const nanoseconds = period === undefined ? 0n : parseDurationNanoseconds(period)
  return nanoseconds === 0n ? undefined : hashStruct('Duration', [['Duration', hashInteger(nanoseconds)]])
}

const hashKubelet = (kubelet: Kubelet): bigint =>
  hashStruct('KubeletConfiguration', [
    ['CPUManagerPolicy', text(kubelet.cpuManagerPolicy)],
    ['CPUCFSQuota', flag(kubelet.cpuCFSQuota)],
    ['CPUCFSQuotaPeriod', quotaPeriod(kubelet.cpuCFSQuotaPeriod)],
    ['ImageGCHighThresholdPercent', int32(kubelet.imageGCHighThresholdPercent)],
    ['ImageGCLowThresholdPercent', int32(kubelet.imageGCLowThresholdPercent)],
    ['TopologyManagerPolicy', text(kubelet.topologyManagerPolicy)],
    ['AllowedUnsafeSysctls', hashSet(kubelet.allowedUnsafeSysctls, hashText)],
    ['ContainerLogMaxSize', text(kubelet.containerLogMaxSize)],
    ['ContainerLogMaxFiles', int32(kubelet.containerLogMaxFiles)],
    ['PodPidsLimit', hashGiven(kubelet.podPidsLimit, hashInteger)],
    ['FailSwapOn', flag(kubelet.failSwapOn)],
  ])

const hashSecurity = ({ encryptionAtHost, trustedLaunch }: NonNullable<AKSNodeClassSpec['security']>): bigint =>
  hashStruct('Security', [
    ['EncryptionAtHost', flag(encryptionAtHost)],
    [
      'TrustedLaunch',
      hashGiven(trustedLaunch, ({ vtpm, secureBoot }) =>
        hashStruct('TrustedLaunch', [
          ['VTPM', flag(vtpm)],
          ['SecureBoot', flag(secureBoot)],
        ]),
      ),
    ],
  ])

/** Hashes a duration that may be absent. The CRD does not allow `Never` here. */
const nillable = (duration: string): FieldHash =>
  hashStruct('NillableDuration', [['Duration', hashInteger(parseDurationNanoseconds(duration))]])

const hashOverride = (override: ZoneOverride): bigint =>
  hashStruct('LocalDNSZoneOverride', [
    ['Zone', plainText(override.zone)],
    ['QueryLogging', plainText(override.queryLogging)],
    ['Protocol', plainText(override.protocol)],
    ['ForwardDestination', plainText(override.forwardDestination)],
    ['ForwardPolicy', plainText(override.forwardPolicy)],
    ['MaxConcurrent', hashInt32(override.maxConcurrent)],
    ['CacheDuration', nillable(override.cacheDuration)],
    ['ServeStaleDuration', nillable(override.serveStaleDuration)],
    ['ServeStale', plainText(override.serveStale)],
  ])

const hashLocalDns = ({ mode, vnetDNSOverrides, kubeDNSOverrides }: LocalDns): bigint =>
  hashStruct('LocalDNS', [
    ['Mode', plainText(mode)],
    ['VnetDNSOverrides', hashSet(vnetDNSOverrides, hashOverride)],
    ['KubeDNSOverrides', hashSet(kubeDNSOverrides, hashOverride)],
  ])

const hashSysctls = (sysctls: Sysctls): bigint =>
  hashStruct('SysctlConfiguration', [
    ['FsAioMaxNr', int32(sysctls.fsAioMaxNr)],
    ['FsFileMax', int32(sysctls.fsFileMax)],
    ['FsInotifyMaxUserWatches', int32(sysctls.fsInotifyMaxUserWatches)],
    ['FsNrOpen', int32(sysctls.fsNrOpen)],
    ['KernelThreadsMax', int32(sysctls.kernelThreadsMax)],
    ['NetCoreNetdevMaxBacklog', int32(sysctls.netCoreNetdevMaxBacklog)],
    ['NetCoreOptmemMax', int32(sysctls.netCoreOptmemMax)],
    ['NetCoreRmemDefault', int32(sysctls.netCoreRmemDefault)],
    ['NetCoreRmemMax', int32(sysctls.netCoreRmemMax)],
    ['NetCoreSomaxconn', int32(sysctls.netCoreSomaxconn)],
    ['NetCoreWmemDefault', int32(sysctls.netCoreWmemDefault)],
    ['NetCoreWmemMax', int32(sysctls.netCoreWmemMax)],
    ['NetIPv4IPLocalPortRange', text(sysctls.netIPv4IPLocalPortRange)],
    ['NetIPv4NeighDefaultGcThresh1', int32(sysctls.netIPv4NeighDefaultGcThresh1)],
    ['NetIPv4NeighDefaultGcThresh2', int32(sysctls.netIPv4NeighDefaultGcThresh2)],
    ['NetIPv4NeighDefaultGcThresh3', int32(sysctls.netIPv4NeighDefaultGcThresh3)],
    ['NetIPv4TCPFinTimeout', int32(sysctls.netIPv4TCPFinTimeout)],
    ['NetIPv4TCPKeepaliveProbes', int32(sysctls.netIPv4TCPKeepaliveProbes)],
    ['NetIPv4TCPKeepaliveTime', int32(sysctls.netIPv4TCPKeepaliveTime)],
    ['NetIPv4TCPMaxSynBacklog', int32(sysctls.netIPv4TCPMaxSynBacklog)],
    ['NetIPv4TCPMaxTwBuckets', int32(sysctls.netIPv4TCPMaxTwBuckets)],
    ['NetIPv4TCPTwReuse', flag(sysctls.netIPv4TCPTwReuse)],
    ['NetIPv4TCPKeepaliveIntvl', int32(sysctls.netIPv4TCPKeepaliveIntvl)],
    ['NetNetfilterNfConntrackBuckets', int32(sysctls.netNetfilterNfConntrackBuckets)],
    ['NetNetfilterNfConntrackMax', int32(sysctls.netNetfilterNfConntrackMax)],
    ['VMMaxMapCount', int32(sysctls.vmMaxMapCount)],
    ['VMSwappiness', int32(sysctls.vmSwappiness)],
    ['VMVfsCachePressure', int32(sysctls.vmVfsCachePressure)],
  ])

const hashLinuxOs = (config: LinuxOs): bigint =>
  hashStruct('LinuxOSConfiguration', [
    ['SwapFileSize', text(config.swapFileSize)],
    ['Sysctls', hashGiven(config.sysctls, hashSysctls)],
    ['TransparentHugePageDefrag', text(config.transparentHugePageDefrag)],
    ['TransparentHugePageEnabled', text(config.transparentHugePageEnabled)],
  ])

/**
 * Returns the hash, in decimal, of the node class fields that determine how nodes are launched. Tags are not part of the hash, because Kerf
 * updates them in place.
 */
export const nodeClassHash = ({ spec = {} }: Pick<AKSNodeClass, 'spec'>): string =>
  hashStruct('AKSNodeClassSpec', [
    ['VNETSubnetID', text(spec.vnetSubnetID)],
    ['OSDiskSizeGB', int32(spec.osDiskSizeGB)],
    ['ImageFamily', text(spec.imageFamily)],
    ['FIPSMode', text(spec.fipsMode)],
    ['Kubelet', hashGiven(spec.kubelet, hashKubelet)],
    ['MaxPods', int32(spec.maxPods)],
    ['Security', hashGiven(spec.security, hashSecurity)],
    ['LocalDNS', hashGiven(spec.localDNS, hashLocalDns)],
    ['GPU', hashGiven(spec.gpu, ({ mode }) => hashStruct('GPU', [['Mode', text(mode)]]))],
    [
      'ArtifactStreaming',
      hashGiven(spec.artifactStreaming, ({ enabled }) => hashStruct('ArtifactStreaming', [['Enabled', flag(enabled)]])),
    ],
    ['LinuxOSConfig', hashGiven(spec.linuxOSConfig, hashLinuxOs)],
  ]).toString()
