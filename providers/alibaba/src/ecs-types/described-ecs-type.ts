import type { DescribedType } from '../api/actions.ts'
import type { EcsType } from './ecs-type.ts'

/** Converts the API's description of an instance type. */
export const describedEcsType = (described: DescribedType): EcsType => {
  const { InstanceTypeId, CpuCoreCount, MemorySize, GPUAmount = 0, GPUSpec = '', GPUMemorySize } = described
  const { PhysicalProcessorModel, EniQuantity, EniPrivateIpAddressQuantity } = described
  return {
    name: InstanceTypeId,
    vcpus: CpuCoreCount,
    memoryGiB: MemorySize,
    arch: described.CpuArchitecture === 'ARM' ? 'arm64' : 'amd64',
    ...(PhysicalProcessorModel === undefined ? {} : { processorModel: PhysicalProcessorModel }),
    ...(EniQuantity === undefined ? {} : { enis: EniQuantity }),
    ...(EniPrivateIpAddressQuantity === undefined ? {} : { ipsPerEni: EniPrivateIpAddressQuantity }),
    ...(GPUAmount === 0
      ? {}
      : {
          gpus: {
            count: GPUAmount,
            ...(GPUSpec === '' ? {} : { model: GPUSpec }),
            ...(GPUMemorySize === undefined ? {} : { memoryGB: GPUMemorySize }),
          },
        }),
  }
}
