import type { Taint, TaintEffect, Toleration } from '@kerf/apis'

const compares = (operator: 'Lt' | 'Gt', taint: string | undefined, bound: string | undefined): boolean => {
  const [value, limit] = [Number(taint ?? Number.NaN), Number(bound ?? Number.NaN)]
  if (!Number.isInteger(value) || !Number.isInteger(limit)) return false
  return operator === 'Lt' ? value < limit : value > limit
}

/** An empty key with `Exists` tolerates every taint, an empty effect every effect. */
export const tolerates = (toleration: Toleration, taint: Taint): boolean => {
  if (toleration.effect && toleration.effect !== taint.effect) return false
  if (toleration.key && toleration.key !== taint.key) return false
  switch (toleration.operator ?? '') {
    case 'Exists':
      return true
    case 'Lt':
    case 'Gt':
      return compares(toleration.operator === 'Lt' ? 'Lt' : 'Gt', taint.value, toleration.value)
    default:
      return Boolean(toleration.key) && (toleration.value ?? '') === (taint.value ?? '')
  }
}

/** The first taint with one of the effects that nothing tolerates. */
export const untolerated = (
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly TaintEffect[],
): Taint | undefined =>
  taints?.find(
    (taint) =>
      effects.includes(taint.effect) && !(tolerations ?? []).some((toleration) => tolerates(toleration, taint)),
  )

/** The effects that keep a pod from being placed. */
export const SCHEDULING_EFFECTS: readonly TaintEffect[] = ['NoSchedule', 'NoExecute']
