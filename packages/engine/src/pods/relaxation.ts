import type { Pod, Toleration } from '@kerf/apis'
import type { PodPreferences } from '../model/preferences.ts'
import { toleratePreferNoSchedule } from './tolerations.ts'

const byWeight = <T extends { readonly weight: number }>(terms: readonly T[] | undefined): readonly T[] =>
  (terms ?? []).toSorted((a, b) => b.weight - a.weight)

/**
 * Returns all preferences of a pod, before any is relaxed. `spread` contains the spread constraints that apply: the pod's own, or the
 * cluster's defaults.
 */
export const podPreferences = (pod: Pod, spread = pod.spec.topologySpreadConstraints ?? []): PodPreferences => {
  const { nodeAffinity, podAffinity, podAntiAffinity } = pod.spec.affinity ?? {}
  return {
    requiredNodeTerms: nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [],
    preferredNodeTerms: byWeight(nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution).map(
      (t) => t.preference,
    ),
    preferredAffinity: byWeight(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution).map(
      (term) => term.podAffinityTerm,
    ),
    preferredAntiAffinity: byWeight(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution).map(
      (term) => term.podAffinityTerm,
    ),
    spread,
    tolerations: pod.spec.tolerations ?? [],
  }
}

/**
 * Returns the preferences with one more of them relaxed, in the order of `docs/spec/scheduling.md#relaxation`; `undefined` if none is left.
 * Keeps the alternatives of the required node affinity, because all of them are equally good.
 */
export const relax = (
  preferences: PodPreferences,
  mayToleratePreferNoSchedule: boolean,
): PodPreferences | undefined => {
  const { preferredNodeTerms, preferredAffinity, preferredAntiAffinity, spread } = preferences
  if (preferredAffinity.length > 0) return { ...preferences, preferredAffinity: preferredAffinity.slice(1) }
  if (preferredAntiAffinity.length > 0) return { ...preferences, preferredAntiAffinity: preferredAntiAffinity.slice(1) }
  if (preferredNodeTerms.length > 0) return { ...preferences, preferredNodeTerms: preferredNodeTerms.slice(1) }
  const soft = spread.findIndex(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway')
  if (soft >= 0) {
    // As in Karpenter, the last constraint takes the position of the removed one. The order determines which constraint is relaxed next.
    const rest = spread.slice(0, -1)
    const last = spread.at(-1)
    if (soft < rest.length && last !== undefined) rest[soft] = last
    return { ...preferences, spread: rest }
  }
  if (!mayToleratePreferNoSchedule || preferences.tolerations.some(isPreferNoScheduleToleration)) return undefined
  return { ...preferences, tolerations: [...preferences.tolerations, toleratePreferNoSchedule] }
}

const isPreferNoScheduleToleration = ({ key, operator, value, effect }: Toleration): boolean =>
  !key && !value && operator === 'Exists' && effect === 'PreferNoSchedule'
