import type { RequirementSpec } from '@kerf/engine'

/**
 * Label values that distinguish any two sets that the operators over A, B, 1, 2 and 9 can form. This file evaluates requirements value by
 * value, and shares no code with the engine.
 */
export const witnesses: readonly string[] = [
  'A',
  'B',
  'C',
  ...Array.from({ length: 14 }, (_, n) => String(n - 2)),
  '1000',
]

const isInteger = (value: string): boolean => /^-?\d+$/.test(value)

/** Reports whether a label with this value satisfies the requirement. */
export const accepts = ({ operator, values = [] }: RequirementSpec, value: string): boolean => {
  const bound = Number(values[0])
  switch (operator) {
    case 'In':
      return values.includes(value)
    case 'NotIn':
      return !values.includes(value)
    case 'Exists':
      return true
    case 'DoesNotExist':
      return false
    case 'Gt':
      return isInteger(value) && Number(value) > bound
    case 'Gte':
      return isInteger(value) && Number(value) >= bound
    case 'Lt':
      return isInteger(value) && Number(value) < bound
    case 'Lte':
      return isInteger(value) && Number(value) <= bound
  }
}

/** Reports whether a node without the label satisfies the requirement. */
export const isNegative = ({ operator }: RequirementSpec): boolean =>
  operator === 'NotIn' || operator === 'DoesNotExist'

export const makeMeets =
  (a: RequirementSpec, b: RequirementSpec) =>
  (value: string): boolean =>
    accepts(a, value) && accepts(b, value)
