import type { VmSize } from '../sizes/vm-size.ts'
import { gpuSizeOf } from '../tables/gpu-sizes.ts'
import type { ClassTraits } from './class-traits.ts'

const LOCAL_DNS_CPUS = 4
const LOCAL_DNS_MEMORY_GIB = 244 / 1024

const hasGpuSystem = ({ name }: VmSize, { imageFamily }: ClassTraits): boolean => {
  const systems = gpuSizeOf(name)?.systems
  if (systems === undefined) return true
  return imageFamily === 'AzureLinux'
    ? systems.includes('azurelinux') || systems.includes('azurelinux3')
    : systems.includes('ubuntu')
}

/** AKS installs the drivers of NVIDIA only. */
const hasGpuDrivers = ({ name }: VmSize, { gpuDrivers }: ClassTraits): boolean =>
  !gpuDrivers || gpuSizeOf(name)?.manufacturer !== 'amd'

/** There are no images for trusted launch on arm64, whatever the size could do (upstream offers it, and fails to launch). */
const canLaunchTrusted = ({ trustedLaunch, arch }: VmSize): boolean => trustedLaunch && arch !== 'arm64'

/** Whether nodes of the class can be of the size (`docs/spec/azure.md#per-nodeclass-filters`). */
export const fitsClass = (size: VmSize, traits: ClassTraits): boolean =>
  hasGpuSystem(size, traits) &&
  hasGpuDrivers(size, traits) &&
  (!traits.encryptionAtHost || size.encryptionAtHost) &&
  (!traits.localDns || (size.vcpus >= LOCAL_DNS_CPUS && size.memoryGiB >= LOCAL_DNS_MEMORY_GIB)) &&
  (!traits.artifactStreaming || size.arch !== 'arm64') &&
  (!traits.trustedLaunch || canLaunchTrusted(size))
