import type { Pod, Taint, Toleration } from '@kerf/apis'

const covers = ({ key, operator, value, effect }: Toleration, taint: Taint): boolean => {
  if (effect !== undefined && effect !== '' && effect !== taint.effect) return false
  if (key === undefined || key === '') return operator === 'Exists'
  if (key !== taint.key) return false
  return operator === 'Exists' || ((operator ?? 'Equal') === 'Equal' && (value ?? '') === (taint.value ?? ''))
}

/** Returns the taints that keep the pod away from the node. `PreferNoSchedule` does not. */
export const untolerated = (pod: Pod, taints: readonly Taint[]): readonly Taint[] =>
  taints.filter(
    (taint) =>
      taint.effect !== 'PreferNoSchedule' &&
      !(pod.spec.tolerations ?? []).some((toleration) => covers(toleration, taint)),
  )
