import type { Namespace, Pod } from '@kerf/apis'
import type { PodPreferences } from '../model/preferences.ts'
import type { TopologyTerm } from '../model/topology-term.ts'
import type { LabelRules } from '../requirements/label-rules.ts'
import { affinityTerm, affinityTermsTogether, spreadTerm } from '../topology/term.ts'

/** The inputs for reading the topology terms of a pod, in addition to the pod itself. */
export interface TermContext {
  readonly rules: LabelRules
  readonly namespaces: readonly Namespace[]
  /** Whether to ignore preferred affinities and `ScheduleAnyway` constraints. */
  readonly ignoresPreferences: boolean
}

/** Returns the spread constraints and (anti-)affinity terms of a pod, including the preferences that have not been relaxed. */
export const readTopologyTerms = (
  pod: Pod,
  preferences: PodPreferences,
  context: TermContext,
): readonly TopologyTerm[] => {
  const { rules, namespaces, ignoresPreferences } = context
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {}
  const terms: TopologyTerm[] = []
  for (const constraint of preferences.spread) {
    const term = spreadTerm(pod, constraint, rules)
    if (term.required || !ignoresPreferences) terms.push(term)
  }
  const affinity = (podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map((term) =>
    affinityTerm('affinity', pod, term, true, namespaces, rules),
  )
  terms.push(...affinityTermsTogether(affinity))
  for (const term of podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
    terms.push(affinityTerm('anti-affinity', pod, term, true, namespaces, rules))
  }
  if (ignoresPreferences) return terms
  for (const term of preferences.preferredAffinity) {
    terms.push(affinityTerm('affinity', pod, term, false, namespaces, rules))
  }
  for (const term of preferences.preferredAntiAffinity) {
    terms.push(affinityTerm('anti-affinity', pod, term, false, namespaces, rules))
  }
  return terms
}
