import { addQuantities, formatResources, labels, ownValue, parseResources, type Quantity } from '@kerf/apis'
import type { InstanceType, RequirementSpec, Resources } from '@kerf/engine'
import { offeringAllocatable, singleValue } from '@kerf/provider-contract'
import type { InstanceTypeEntry, RequirementEntry } from '@kerf/provider-kit'

/** The amounts reserved for the system by the provider that reads the file (`providers/kwok/docs/spec/kwok.md#catalogue`). */
const KEPT = parseResources({ cpu: '100m', memory: '10Mi' })

/** Keys that have separate fields in the file, or whose values follow from the name. */
const OWN_FIELDS: ReadonlySet<string> = new Set([labels.instanceType, labels.arch, labels.os])

/**
 * Returns instance types in the format of Karpenter's KWOK provider, which `--instance-types` reads. The capacity for pods stays the
 * same. Unknown prices are left out.
 */
export const instanceTypeEntries = (types: readonly InstanceType[]): readonly InstanceTypeEntry[] =>
  types.map((type) => {
    const ofType = type.requirements.filter(({ key, operator }) => operator === 'In' && !OWN_FIELDS.has(key))
    return {
      name: type.name,
      architecture: singleValue(type.requirements, labels.arch) ?? '',
      operatingSystems: [singleValue(type.requirements, labels.os) ?? ''],
      resources: formatResources(withKept(offeringAllocatable(type))),
      offerings: type.offerings.map((offering) => ({
        ...(offering.price === undefined ? {} : { Price: offering.price }),
        Available: offering.available,
        Requirements: [
          ...offering.requirements.map(entryOf),
          ...ofType.filter(({ key }) => !offering.requirements.some((each) => each.key === key)).map(entryOf),
        ],
      })),
    }
  })

const withKept = (amounts: Resources): Resources =>
  Object.fromEntries(
    Object.entries(amounts).map(([name, amount]): [string, Quantity] => {
      const kept = ownValue(KEPT, name)
      return [name, kept === undefined ? amount : addQuantities(amount, kept)]
    }),
  )

const entryOf = ({ key, operator, values }: RequirementSpec): RequirementEntry =>
  values === undefined ? { key, operator } : { key, operator, values }
