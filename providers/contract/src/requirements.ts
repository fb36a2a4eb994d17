import { setOwnValue } from '@kerf/apis'
import type { RequirementSpec } from '@kerf/engine'

/** Returns true if the requirement allows the label value. As in Karpenter, `Gt`, `Lt`, `Gte` and `Lte` allow only integers. */
export const admitsValue = (requirement: RequirementSpec, value: string): boolean => {
  const values = requirement.values ?? []
  switch (requirement.operator) {
    case 'In':
      return values.includes(value)
    case 'NotIn':
      return !values.includes(value)
    case 'Exists':
      return true
    case 'DoesNotExist':
      return false
    case 'Gt':
      return isWhole(value) && BigInt(value) > requirementBound(requirement)
    case 'Lt':
      return isWhole(value) && BigInt(value) < requirementBound(requirement)
    case 'Gte':
      return isWhole(value) && BigInt(value) >= requirementBound(requirement)
    case 'Lte':
      return isWhole(value) && BigInt(value) <= requirementBound(requirement)
  }
}

const WHOLE = /^[+-]?[0-9]+$/
const isWhole = (text: string): boolean => WHOLE.test(text)
const requirementBound = (requirement: RequirementSpec): bigint => {
  const text = requirement.values?.[0] ?? ''
  return isWhole(text) ? BigInt(text) : 0n
}

/** Returns true if the requirement allows the label to be missing. */
export const admitsAbsence = (requirement: RequirementSpec): boolean =>
  requirement.operator === 'NotIn' || requirement.operator === 'DoesNotExist'

/**
 * Returns true if something with the labels `offered` can satisfy `wanted`. For each offered label, every requirement on that label must
 * allow one of the offered values or the absence of the label. Requirements on other labels are ignored, because a node gets those labels
 * from its NodeClaim.
 */
export const areCompatible = (wanted: readonly RequirementSpec[], offered: readonly RequirementSpec[]): boolean =>
  offered.every((offer) => {
    const concerned = wanted.filter((requirement) => requirement.key === offer.key)
    return concerned.length === 0 || meets(offer, concerned)
  })

const meets = (offer: RequirementSpec, wanted: readonly RequirementSpec[]): boolean => {
  switch (offer.operator) {
    case 'In':
      return (offer.values ?? []).some((value) => wanted.every((requirement) => admitsValue(requirement, value)))
    case 'DoesNotExist':
      return wanted.every(admitsAbsence)
    case 'NotIn':
    case 'Exists':
    case 'Gt':
    case 'Lt':
    case 'Gte':
    case 'Lte':
      // Without a list of values, the label may have any value, so only the requirement that the label is absent is violated.
      return wanted.every((requirement) => requirement.operator !== 'DoesNotExist')
  }
}

/** Returns the value of a label if exactly one value is possible, otherwise undefined. */
export const singleValue = (requirements: readonly RequirementSpec[], key: string): string | undefined => {
  const found = requirements.find((requirement) => requirement.key === key)
  return found?.operator === 'In' && found.values?.length === 1 ? found.values[0] : undefined
}

/** Returns all labels for which exactly one value is possible. */
export const singleValues = (requirements: readonly RequirementSpec[]): Readonly<Record<string, string>> => {
  const labels: Record<string, string> = {}
  for (const { key } of requirements) {
    const value = singleValue(requirements, key)
    if (value !== undefined) setOwnValue(labels, key, value)
  }
  return labels
}
