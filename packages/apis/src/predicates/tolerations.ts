import type { Taint } from '../kubernetes/node.ts'
import type { Toleration } from '../kubernetes/pod.ts'
import { parseInteger } from './integer.ts'

const CANONICAL = /^(0|-?[1-9][0-9]*)$/

/** Parses a 64-bit integer in canonical form, that is, without a plus sign or leading zeros. */
const parseCanonical = (text: string): bigint | undefined => (CANONICAL.test(text) ? parseInteger(text) : undefined)

const comparesNumbers = (operator: 'Lt' | 'Gt', toleration: Toleration, taint: Taint): boolean => {
  const value = parseCanonical(taint.value ?? '')
  const limit = parseCanonical(toleration.value ?? '')
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
