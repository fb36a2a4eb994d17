import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import { vcpuCount } from './capacity.ts'

/** The factors of the sizes below xlarge. Larger sizes have a multiple of the factor of xlarge. */
const SMALL_SIZES: Readonly<Record<string, number>> = { nano: 0.25, micro: 0.5, small: 1, medium: 2, large: 4 }
const XLARGE = 8
/** The factor per vCPU for bare metal if the size name contains no multiple of xlarge. */
const METAL_PER_VCPU = 2

/**
 * Families whose reservations apply to one size only: those that the EC2 user guide names under "How Reserved Instance discounts are applied",
 * "Limitations". Reservations of other families apply to all sizes.
 */
const ONE_SIZE_FAMILIES: ReadonlySet<string> = new Set([
  ...['g4ad', 'g4dn', 'g5', 'g5g', 'g6', 'g6e', 'g6f', 'gr6', 'gr6f'],
  ...['hpc7a', 'p5', 'inf1', 'inf2', 'u7i-6tb', 'u7i-8tb'],
])

/** The factors of bare metal that are not two per vCPU (same page, "Normalization factor for bare metal instances"). */
const METAL_FACTORS: Readonly<Record<string, number>> = {
  'i3.metal': 128,
  'u-18tb1.metal': 448,
  'u-24tb1.metal': 448,
}

/**
 * Returns how much an instance counts against a regional reserved instance of its family
 * (`providers/aws/docs/spec/aws.md#normalised-units`). Returns undefined if reservations of the family apply to one size only.
 */
export const normalizedUnits = (type: Ec2InstanceType): number | undefined => {
  const name = type.InstanceType ?? ''
  const [family = '', size = ''] = name.split('.')
  if (ONE_SIZE_FAMILIES.has(family)) return undefined
  const small = Object.entries(SMALL_SIZES).find(([each]) => each === size)?.[1]
  if (small !== undefined) return small
  const [, multiple] = /^(\d*)xlarge$/.exec(size) ?? /^metal-(\d+)xl$/.exec(size) ?? []
  if (multiple !== undefined) return XLARGE * (multiple === '' ? 1 : Number(multiple))
  if (size !== 'metal') return undefined
  return Object.entries(METAL_FACTORS).find(([each]) => each === name)?.[1] ?? METAL_PER_VCPU * vcpuCount(type)
}
