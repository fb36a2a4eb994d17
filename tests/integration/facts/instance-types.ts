import { parseQuantity } from '@kerf/apis'
import type { InstanceType, InstanceTypeOverhead, Offering, RequirementSpec, Resources } from '@kerf/engine'
import { key } from './keys.ts'

/** The zones of the example cloud. The third zone has only on-demand capacity. */
export const zones = ['test-zone-1', 'test-zone-2', 'test-zone-3'] as const
export const [zone1, zone2, zone3] = zones

export const amounts = (texts: Readonly<Record<string, string>>): Resources =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseQuantity(text)]))

const isIn = (name: string, ...values: readonly string[]): RequirementSpec => ({
  key: name,
  operator: 'In',
  values,
})
const lacks = (name: string): RequirementSpec => ({ key: name, operator: 'DoesNotExist' })

export interface OfferingTraits {
  readonly zone?: string
  readonly capacityType?: string
  readonly price?: number
  readonly available?: boolean
  readonly reservation?: string
  readonly capacity?: number
  readonly capacityOverride?: Readonly<Record<string, string>>
  readonly overheadOverride?: InstanceTypeOverhead
}

export interface TypeTraits {
  readonly cpu?: string
  readonly memory?: string
  readonly pods?: string
  readonly arch?: string
  readonly os?: readonly string[]
  /** Capacity of resources other than cpu, memory and pods. */
  readonly more?: Readonly<Record<string, string>>
  readonly price?: number
  readonly zones?: readonly string[]
  readonly offerings?: readonly OfferingTraits[]
  readonly overhead?: InstanceTypeOverhead
  readonly requirements?: readonly RequirementSpec[]
}

const everywhere: readonly OfferingTraits[] = [
  { capacityType: 'spot', zone: zone1 },
  { capacityType: 'spot', zone: zone2 },
  { capacityType: 'on-demand', zone: zone1 },
  { capacityType: 'on-demand', zone: zone2 },
  { capacityType: 'on-demand', zone: zone3 },
]

const parseNumber = (text: string): number => Number(parseQuantity(text)) / 1e9

const offeringOf = (traits: OfferingTraits, price: number): Offering => ({
  requirements: [
    isIn(key.capacityType, traits.capacityType ?? 'on-demand'),
    isIn(key.zone, traits.zone ?? zone1),
    traits.reservation === undefined ? lacks(key.reservation) : isIn(key.reservation, traits.reservation),
  ],
  price: traits.price ?? price,
  available: traits.available ?? true,
  ...(traits.capacity === undefined ? {} : { reservationCapacity: traits.capacity }),
  ...(traits.capacityOverride === undefined ? {} : { capacityOverride: amounts(traits.capacityOverride) }),
  ...(traits.overheadOverride === undefined ? {} : { overheadOverride: traits.overheadOverride }),
})

/** Returns an instance type of the example cloud from upstream's tests. The default is 4 cpu, 4Gi and 5 pods. */
export const type = (name: string, traits: TypeTraits = {}): InstanceType => {
  const { cpu = '4', memory = '4Gi', pods = '5', arch = 'amd64', os = ['linux', 'windows', 'darwin'] } = traits
  const isLarge = parseNumber(cpu) > 4 && parseNumber(memory) > 8 * 2 ** 30
  const extra = Object.keys(traits.more ?? {}).some((resource) => resource.includes('gpu')) ? 1 : 0
  const price = traits.price ?? 0.1 * parseNumber(cpu) + (0.1 * parseNumber(memory)) / 1e9 + extra
  const offerings = (
    traits.offerings ?? everywhere.filter(({ zone }) => traits.zones?.includes(zone ?? '') ?? true)
  ).map((each) => offeringOf(each, price))
  const valuesOf = (name: string): string[] => [
    ...new Set(
      offerings.flatMap(
        ({ requirements }) => requirements.find((each) => each.key === name && each.operator === 'In')?.values ?? [],
      ),
    ),
  ]
  const reservations = valuesOf(key.reservation)
  const own = new Set(traits.requirements?.map((requirement) => requirement.key))
  const usual: readonly RequirementSpec[] = [
    isIn(key.instanceType, name),
    isIn(key.arch, arch),
    isIn(key.os, ...os),
    isIn(key.zone, ...valuesOf(key.zone)),
    isIn(key.capacityType, ...valuesOf(key.capacityType)),
    reservations.length === 0 ? lacks(key.reservation) : isIn(key.reservation, ...reservations),
    isIn(key.size, isLarge ? 'large' : 'small'),
    isLarge ? isIn(key.special, 'optional') : lacks(key.special),
    isIn(key.integer, String(parseNumber(cpu))),
  ]
  return {
    name,
    requirements: [...usual.filter((each) => !own.has(each.key)), ...(traits.requirements ?? [])],
    offerings,
    capacity: amounts({ cpu, memory, pods, ...traits.more }),
    overhead: traits.overhead ?? { kubeReserved: amounts({ cpu: '100m', memory: '10Mi' }) },
  }
}

export const GPU_A = 'example.com/gpu-a'
export const GPU_B = 'example.com/gpu-b'

/** The instance types of the example cloud. */
export const usualTypes: readonly InstanceType[] = [
  type('default'),
  type('small', { cpu: '2', memory: '2Gi' }),
  type('gpu-a', { more: { [GPU_A]: '2' } }),
  type('gpu-b', { more: { [GPU_B]: '2' } }),
  type('arm', { cpu: '16', memory: '128Gi', arch: 'arm64' }),
  type('single-pod', { pods: '1' }),
]

/**
 * Returns one instance type with one offering for every combination of cpu, memory, zone, capacity type, os and arch. Prices rise from one
 * type to the next.
 */
export const everyCombination = (
  cpus: readonly number[] = [1, 2, 4, 8, 16, 32, 64],
  memories: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128],
): readonly InstanceType[] => {
  const types: InstanceType[] = []
  for (const cpu of cpus)
    for (const memory of memories)
      for (const zone of zones)
        for (const capacityType of ['spot', 'on-demand'])
          for (const os of ['linux', 'windows'])
            for (const arch of ['amd64', 'arm64']) {
              types.push(
                type(`${cpu}-cpu-${memory}-mem-${arch}-${os}-${zone}-${capacityType}`, {
                  cpu: `${cpu}`,
                  memory: `${memory}Gi`,
                  arch,
                  os: [os],
                  offerings: [{ zone, capacityType }],
                }),
              )
            }
  return types
}
