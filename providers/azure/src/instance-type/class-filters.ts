import type { VmSize } from '../sizes/vm-size.ts'
import { findGpuSize } from '../tables/gpu-sizes.ts'
import type { ClassTraits } from './class-traits.ts'

const LOCAL_DNS_CPUS = 4
const LOCAL_DNS_MEMORY_GIB = 244 / 1024

const hasGpuSystem = ({ name }: VmSize, { imageFamily }: ClassTraits): boolean => {
  const systems = findGpuSize(name)?.systems
  if (systems === undefined) return true
  return imageFamily === 'AzureLinux'
    ? systems.includes('azurelinux') || systems.includes('azurelinux3')
    : systems.includes('ubuntu')
}

/** Returns false if AKS must install GPU drivers for the size but cannot. AKS installs only NVIDIA drivers. */
const hasGpuDrivers = ({ name }: VmSize, { gpuDrivers }: ClassTraits): boolean =>
  !gpuDrivers || findGpuSize(name)?.manufacturer !== 'amd'

/**
 * Returns true if nodes of the size can use trusted launch. Azure has no arm64 images for trusted launch, so arm64 sizes never can.
 * Upstream offers them, and their launch fails.
 */
const canLaunchTrusted = ({ trustedLaunch, arch }: VmSize): boolean => trustedLaunch && arch !== 'arm64'

/** Returns true if nodes of the node class can have the size (`providers/azure/docs/spec/azure.md#per-nodeclass-filters`). */
export const fitsClass = (size: VmSize, traits: ClassTraits): boolean =>
  hasGpuSystem(size, traits) &&
  hasGpuDrivers(size, traits) &&
  (!traits.encryptionAtHost || size.encryptionAtHost) &&
  (!traits.localDns || (size.vcpus >= LOCAL_DNS_CPUS && size.memoryGiB >= LOCAL_DNS_MEMORY_GIB)) &&
  (!traits.artifactStreaming || size.arch !== 'arm64') &&
  (!traits.trustedLaunch || canLaunchTrusted(size))
