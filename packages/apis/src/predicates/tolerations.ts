import type { Taint } from '../kubernetes/node.ts'
import type { Toleration } from '../kubernetes/pod.ts'

const INTEGER = /^(0|-?[1-9][0-9]*)$/
const LARGEST = 2n ** 63n - 1n
const SMALLEST = -(2n ** 63n)

/** Parses a 64-bit integer in canonical form, that is, without a plus sign or leading zeros. */
const parseInteger = (text: string): bigint | undefined => {
  if (!INTEGER.test(text)) return undefined
  const value = BigInt(text)
  return value > LARGEST || value < SMALLEST ? undefined : value
}

const comparesNumbers = (operator: 'Lt' | 'Gt', toleration: Toleration, taint: Taint): boolean => {
  const value = parseInteger(taint.value ?? '')
  const limit = parseInteger(toleration.value ?? '')
  if (value === undefined || limit === undefined) return false
  return operator === 'Lt' ? value < limit : value > limit
}

/**
 * Returns whether the toleration tolerates the taint, like Kubernetes' `Toleration.ToleratesTaint`. Effect and key must be equal,
 * or empty in the toleration. Then the operator decides: `Exists` accepts any value, `Equal` (the default) only the same value, and
 * `Lt` and `Gt` an integer below or above the toleration's value. An unknown operator tolerates nothing.
 */
export const tolerationMatches = (toleration: Toleration, taint: Taint): boolean => {
  if (toleration.effect && toleration.effect !== taint.effect) return false
  if (toleration.key && toleration.key !== taint.key) return false
  switch (toleration.operator ?? '') {
    case '':
    case 'Equal':
      return (toleration.value ?? '') === (taint.value ?? '')
    case 'Exists':
      return true
    case 'Lt':
      return comparesNumbers('Lt', toleration, taint)
    case 'Gt':
      return comparesNumbers('Gt', toleration, taint)
    default:
      return false
  }
}

/** Returns whether any of the tolerations tolerates the taint. */
export const toleratesTaint = (tolerations: readonly Toleration[] | undefined, taint: Taint): boolean =>
  tolerations?.some((toleration) => tolerationMatches(toleration, taint)) ?? false

/** Returns the first taint that is not tolerated. The effects of taints do not matter. */
export const untoleratedTaint = (
  taints: readonly Taint[],
  tolerations: readonly Toleration[] | undefined,
): Taint | undefined => taints.find((taint) => !toleratesTaint(tolerations, taint))

/** Returns whether every taint is tolerated. The effects of taints do not matter. */
export const toleratesTaints = (taints: readonly Taint[], tolerations: readonly Toleration[] | undefined): boolean =>
  taints.length === 0 || untoleratedTaint(taints, tolerations) === undefined
