import type { Taint, Toleration } from '@kerf/apis'

/** Kubernetes' rule: an empty key with `Exists` matches every key, an empty effect every effect. */
const matches = (toleration: Toleration, taint: Taint): boolean => {
  if ((toleration.effect ?? '') !== '' && toleration.effect !== taint.effect) return false
  if ((toleration.key ?? '') !== '' && toleration.key !== taint.key) return false
  switch (toleration.operator ?? '') {
    case 'Exists':
      return true
    case '':
    case 'Equal':
      return (toleration.key ?? '') !== '' && (toleration.value ?? '') === (taint.value ?? '')
    case 'Gt':
    case 'Lt':
      return compares(toleration, taint)
    default:
      return false
  }
}

/** Numeric tolerations (Kubernetes 1.35): the taint's value against the toleration's, both whole numbers. */
const compares = (toleration: Toleration, taint: Taint): boolean => {
  const bound = Number(toleration.value)
  const value = Number(taint.value)
  if (!Number.isInteger(bound) || !Number.isInteger(value)) return false
  return toleration.operator === 'Gt' ? value > bound : value < bound
}

export const tolerates = (tolerations: readonly Toleration[] | undefined, taint: Taint): boolean =>
  tolerations?.some((toleration) => matches(toleration, taint)) ?? false

export const toleratesAll = (tolerations: readonly Toleration[] | undefined, taints: readonly Taint[]): boolean =>
  taints.every((taint) => tolerates(tolerations, taint))

/** The same taint as far as presence goes: key and effect; values are not compared. */
export const isSameTaint = (a: Pick<Taint, 'key' | 'effect'>, b: Pick<Taint, 'key' | 'effect'>): boolean =>
  a.key === b.key && a.effect === b.effect
