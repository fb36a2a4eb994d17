import type { DescribedType } from '../../api/actions.ts'
import { ZONES } from './names.ts'

const type = (name: string, vcpus: number, memoryGiB: number, more: Partial<DescribedType> = {}): DescribedType => ({
  InstanceTypeId: name,
  CpuCoreCount: vcpus,
  MemorySize: memoryGiB,
  CpuArchitecture: 'X86',
  PhysicalProcessorModel: 'Intel(R) Xeon(R) Platinum 8369B',
  GPUAmount: 0,
  GPUSpec: '',
  EniQuantity: 4,
  EniPrivateIpAddressQuantity: 15,
  ...more,
})

/** The instance types that the fake sells, in the format of DescribeInstanceTypes. */
export const fakeTypes: readonly DescribedType[] = [
  type('ecs.c7.large', 2, 4, { EniQuantity: 2, EniPrivateIpAddressQuantity: 6 }),
  type('ecs.g7.large', 2, 8),
  type('ecs.g7.xlarge', 4, 16),
  type('ecs.g7.2xlarge', 8, 32),
  type('ecs.g7.4xlarge', 16, 64),
  type('ecs.r7.4xlarge', 16, 128),
  type('ecs.g8y.xlarge', 4, 16, { CpuArchitecture: 'ARM', PhysicalProcessorModel: 'YiTian 710' }),
  type('ecs.gn6i-c4g1.xlarge', 4, 15, { GPUAmount: 1, GPUSpec: 'NVIDIA T4', GPUMemorySize: 16 }),
]

/** Returns the on-demand price per hour in CNY. It depends on vCPUs and memory, and includes a surcharge for GPUs. */
export const onDemandPrice = ({ CpuCoreCount, MemorySize, GPUAmount = 0 }: DescribedType): number =>
  Math.round((CpuCoreCount * 0.15 + MemorySize * 0.03 + GPUAmount * 8) * 10_000) / 10_000

/** Returns the spot price in a zone: a quarter of the on-demand price in the first zone, and a larger share in the others. */
export const spotPrice = (described: DescribedType, zone: string): number => {
  const share = 0.25 + 0.05 * ZONES.filter((each) => each < zone).length
  return Math.round(onDemandPrice(described) * share * 10_000) / 10_000
}
