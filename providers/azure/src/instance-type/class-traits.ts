import type { AKSNodeClass } from '../node-class/aks-node-class.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'

export type ImageFamily = 'Ubuntu' | 'Ubuntu2204' | 'Ubuntu2404' | 'AzureLinux'

/** The properties of a node class, and the settings, on which instance types depend. */
export interface ClassTraits {
  readonly imageFamily: ImageFamily
  readonly osDiskSizeGB: number
  readonly maxPods: number
  readonly encryptionAtHost: boolean
  readonly trustedLaunch: boolean
  readonly gpuDrivers: boolean
  readonly artifactStreaming: boolean
  readonly fips: boolean
  readonly localDns: boolean
}

const DEFAULT_DISK_GB = 128

/** The network configuration of the cluster. */
export type NetworkSettings = Pick<AzureSettings, 'networkPlugin' | 'networkPluginMode'>

const defaultMaxPods = ({ networkPlugin, networkPluginMode }: NetworkSettings): number => {
  if (networkPlugin === 'none') return 250
  return networkPluginMode === 'overlay' ? 250 : 30
}

/** Returns the traits of a node class (`providers/azure/docs/spec/azure.md#capacity`). LocalDNS comes from the status. */
export const classTraits = (
  { spec = {}, status }: Pick<AKSNodeClass, 'spec' | 'status'>,
  network: NetworkSettings,
): ClassTraits => {
  const { vtpm = false, secureBoot = false } = spec.security?.trustedLaunch ?? {}
  return {
    imageFamily: spec.imageFamily ?? 'Ubuntu',
    osDiskSizeGB: spec.osDiskSizeGB ?? DEFAULT_DISK_GB,
    maxPods: spec.maxPods ?? defaultMaxPods(network),
    encryptionAtHost: spec.security?.encryptionAtHost ?? false,
    trustedLaunch: vtpm || secureBoot,
    gpuDrivers: (spec.gpu?.mode ?? 'Driver') === 'Driver',
    artifactStreaming: spec.artifactStreaming?.enabled ?? false,
    fips: spec.fipsMode === 'FIPS',
    localDns: status?.localDNSState === 'Enabled',
  }
}
