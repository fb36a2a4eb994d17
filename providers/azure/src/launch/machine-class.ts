import { parseDuration, parseQuantity } from '@kerf/apis'
import type { LocalDnsOverride, MachineRequestProperties } from '../api/machine-shapes.ts'
import type { AKSNodeClass, AKSNodeClassSpec } from '../node-class/aks-node-class.ts'

type Kubelet = NonNullable<AKSNodeClassSpec['kubelet']>
type LinuxOs = NonNullable<AKSNodeClassSpec['linuxOSConfig']>
type Override = NonNullable<AKSNodeClassSpec['localDNS']>['vnetDNSOverrides'][number]
type Value = string | number | boolean | readonly string[]

const MOST = 2_147_483_647
const BILLION = 1_000_000_000n
const MIB = 1_048_576n

const given = <T extends Value>(fields: Readonly<Record<string, T | undefined>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))

/** Returns the size in whole megabytes, the unit of AKS. */
const megabytes = (size: string): number => Number(parseQuantity(size) / BILLION / MIB)

/** Returns the process limit in AKS's format: 32 bits, with -1 for no limit. */
const pidsOf = (limit: number): number => (limit < 0 ? -1 : Math.min(limit, MOST))

/** Returns the kubelet settings under AKS's names (`providers/azure/docs/spec/azure.md#kubelet`). */
export const toKubeletConfig = (kubelet: Kubelet): Readonly<Record<string, Value>> =>
  given<Value>({
    cpuManagerPolicy: kubelet.cpuManagerPolicy,
    cpuCfsQuota: kubelet.cpuCFSQuota,
    cpuCfsQuotaPeriod: kubelet.cpuCFSQuotaPeriod,
    imageGcHighThreshold: kubelet.imageGCHighThresholdPercent,
    imageGcLowThreshold: kubelet.imageGCLowThresholdPercent,
    topologyManagerPolicy: kubelet.topologyManagerPolicy,
    allowedUnsafeSysctls: kubelet.allowedUnsafeSysctls,
    failSwapOn: kubelet.failSwapOn,
    containerLogMaxSizeMB:
      kubelet.containerLogMaxSize === undefined ? undefined : megabytes(kubelet.containerLogMaxSize),
    containerLogMaxFiles: kubelet.containerLogMaxFiles,
    podMaxPids: kubelet.podPidsLimit === undefined ? undefined : pidsOf(kubelet.podPidsLimit),
  })

/** Returns AKS's name of a sysctl. AKS spells one of these names irregularly. */
const sysctlName = (name: string): string =>
  name === 'netIPv4TCPKeepaliveIntvl'
    ? 'netIpv4TcpkeepaliveIntvl'
    : name.replace('IPv4', 'Ipv4').replace('TCP', 'Tcp').replace('IPLocal', 'IpLocal')

type OsConfig = NonNullable<
  NonNullable<NonNullable<MachineRequestProperties['operatingSystem']>['linuxProfile']>['linuxOSConfig']
>

/** Returns the operating system settings under AKS's names (`providers/azure/docs/spec/azure.md#linuxosconfig`). */
export const toLinuxOsConfig = (linux: LinuxOs): OsConfig => ({
  ...given({
    transparentHugePageEnabled: linux.transparentHugePageEnabled,
    transparentHugePageDefrag: linux.transparentHugePageDefrag,
  }),
  ...(linux.swapFileSize === undefined ? {} : { swapFileSizeMB: megabytes(linux.swapFileSize) }),
  ...(linux.sysctls === undefined
    ? {}
    : {
        sysctls: Object.fromEntries(Object.entries(linux.sysctls).map(([name, value]) => [sysctlName(name), value])),
      }),
})

const seconds = (duration: string): number => Math.trunc(parseDuration(duration) / 1000)

const overridesOf = (overrides: readonly Override[]): Readonly<Record<string, LocalDnsOverride>> =>
  Object.fromEntries(
    overrides.map(({ zone, cacheDuration, serveStaleDuration, ...rest }) => [
      zone,
      {
        ...rest,
        cacheDurationInSeconds: seconds(cacheDuration),
        serveStaleDurationInSeconds: seconds(serveStaleDuration),
      },
    ]),
  )

/** Returns the LocalDNS settings. AKS gets an explicit mode, because the node class status already contains the decision. */
export const toLocalDns = ({
  spec,
  status,
}: Pick<AKSNodeClass, 'spec' | 'status'>): MachineRequestProperties['localDNSProfile'] => {
  const own = spec?.localDNS
  if (own === undefined) return undefined
  return {
    mode: status?.localDNSState === 'Enabled' ? 'Required' : 'Disabled',
    vnetDNSOverrides: overridesOf(own.vnetDNSOverrides),
    kubeDNSOverrides: overridesOf(own.kubeDNSOverrides),
  }
}
