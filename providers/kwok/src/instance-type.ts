import { formatQuantity, ownValue, parseQuantity, parseResources, quantityFormat, toNumber } from '@kerf/apis'
import type { InstanceType, InstanceTypeOverhead, Offering, RequirementSpec } from '@kerf/engine'
import type { InstanceTypeEntry, OfferingEntry } from '@kerf/provider-kit'
import { INSTANCE_CPU_LABEL, INSTANCE_FAMILY_LABEL, INSTANCE_MEMORY_LABEL, INSTANCE_SIZE_LABEL } from './labels.ts'

const DEFAULT_PODS = '110'
/** KWOK supports reservations that cover all sizes of a family, so that tests and simulations can use them. */
const UNITS_PER_CPU = 2
const OVERHEAD: InstanceTypeOverhead = { kubeReserved: parseResources({ cpu: '100m', memory: '10Mi' }) }

/** Returns the instance family: the part of the name before the first dot or dash, or the first letter if there is no dot or dash. */
const familyOf = (name: string): string => {
  const end = name.search(/[.-]/)
  return end > 0 ? name.slice(0, end) : name.slice(0, 1)
}

/** Returns the instance size: `xlarge` for `m5.xlarge`, or the number of CPUs if the name has no dot. */
const sizeOf = (name: string, cpu: string): string => /^[^.]+\.(.+)$/.exec(name)?.[1] ?? cpu

const is = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })
const lacks = (key: string): RequirementSpec => ({ key, operator: 'DoesNotExist' })

const valuesOffered = (offerings: readonly OfferingEntry[], key: string): readonly string[] => [
  ...new Set(
    offerings.flatMap((offering) =>
      offering.Requirements.filter((requirement) => requirement.key === key).flatMap(({ values }) => values ?? []),
    ),
  ),
]

const offeringOf = (entry: OfferingEntry): Offering => ({
  requirements: entry.Requirements,
  price: entry.Price,
  // As in upstream, every offering in a file is available, regardless of its `Available` field.
  available: true,
  ...(entry.ReservationCapacity === undefined ? {} : { reservationCapacity: entry.ReservationCapacity }),
})

/**
 * Converts an entry to the engine's form. The defaults are 110 pods, and 100m CPU and 10Mi memory reserved for the system. The result has a
 * requirement for every label that nodes of this instance type may have, and for every label that they never have.
 */
export const kwokInstanceType = (entry: InstanceTypeEntry): InstanceType => {
  const capacity = parseResources({ pods: DEFAULT_PODS, ...entry.resources })
  const text = (name: string): string =>
    formatQuantity(ownValue(capacity, name) ?? parseQuantity(0), quantityFormat(name))
  const offeredKeys = [
    ...new Set(entry.offerings.flatMap((offering) => offering.Requirements.map(({ key }) => key))),
  ].filter((key) => valuesOffered(entry.offerings, key).length > 0)
  return {
    name: entry.name,
    requirements: [
      is('node.kubernetes.io/instance-type', entry.name),
      is('kubernetes.io/arch', entry.architecture),
      is('kubernetes.io/os', ...entry.operatingSystems),
      ...offeredKeys.map((key) => is(key, ...valuesOffered(entry.offerings, key))),
      is(INSTANCE_SIZE_LABEL, sizeOf(entry.name, text('cpu'))),
      is(INSTANCE_FAMILY_LABEL, familyOf(entry.name)),
      is(INSTANCE_CPU_LABEL, text('cpu')),
      is(INSTANCE_MEMORY_LABEL, text('memory')),
      ...['topology.kubernetes.io/region', 'topology.kubernetes.io/zone', 'node.kubernetes.io/windows-build']
        .filter((key) => !offeredKeys.includes(key))
        .map(lacks),
    ],
    offerings: entry.offerings.map(offeringOf),
    capacity,
    overhead: OVERHEAD,
    normalizedUnits: UNITS_PER_CPU * toNumber(ownValue(capacity, 'cpu') ?? parseQuantity(0)),
    ...(entry.dynamicResources === undefined ? {} : { dynamicResources: entry.dynamicResources }),
  }
}
