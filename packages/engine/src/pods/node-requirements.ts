import type { NodeSelectorTerm, Pod } from '@kerf/apis'
import type { PodPreferences } from '../model/preferences.ts'
import type { LabelRules } from '../requirements/label-rules.ts'
import type { Requirements } from '../requirements/requirements.ts'

const podSelector = (pod: Pod, rules: LabelRules): Requirements => rules.ofLabels(pod.spec.nodeSelector ?? {})

const termRequirements = (term: NodeSelectorTerm, rules: LabelRules): Requirements =>
  rules.requirements(term.matchExpressions ?? [])

/**
 * Returns the requirements of the node selector and of the first alternative of the required node affinity
 * (`docs/spec/requirements.md#requirements-of-a-pod`).
 */
export const strictRequirements = (pod: Pod, preferences: PodPreferences, rules: LabelRules): Requirements => {
  const [term] = preferences.requiredNodeTerms
  const selector = podSelector(pod, rules)
  return term === undefined ? selector : selector.merge(termRequirements(term, rules))
}

/** Returns the strict requirements together with the preference that has the highest weight and is not relaxed yet. */
export const fullRequirements = (
  strict: Requirements,
  preferences: PodPreferences,
  rules: LabelRules,
): Requirements => {
  const [preference] = preferences.preferredNodeTerms
  return preference === undefined ? strict : strict.merge(termRequirements(preference, rules))
}

/** Returns the alternative sets of requirements that the pod has for its node, without preferences. Never empty. */
export const requirementAlternatives = (pod: Pod, rules: LabelRules): readonly Requirements[] => {
  const selector = podSelector(pod, rules)
  const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  return terms.length === 0 ? [selector] : terms.map((term) => selector.merge(termRequirements(term, rules)))
}
