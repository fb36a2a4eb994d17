import type { Ec2InstanceType } from '../../api/ec2-instance-type.ts'

/** Returns a price computed from the instance type, so that the price order of types is known. */
export const fakePrice = (type: Ec2InstanceType, capacityType: string): number => {
  const gibibytes = (type.MemoryInfo?.SizeInMiB ?? 0) / 1024
  const gpus = (type.GpuInfo?.Gpus ?? []).reduce((sum, { Count = 0 }) => sum + Count, 0)
  const price = (type.VCpuInfo?.DefaultVCpus ?? 0) * 0.025 + gibibytes * 0.001 + gpus * 0.5
  return Math.round(price * (capacityType === 'spot' ? 0.4 : 1) * 1e6) / 1e6
}
