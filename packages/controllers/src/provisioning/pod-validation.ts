import { type LabelVocabulary, labels, type Pod } from '@kerf/apis'
import { requirementProblems } from '../nodepool/requirement-problems.ts'
import { type VolumeLookup, volumeProblems } from './volume-validation.ts'

/**
 * The result of the validation:
 * - `avoids`: the pod itself excludes Kerf's nodes; Kerf reports nothing
 * - `problems`: all reasons why Kerf cannot provide a node for the pod, one sentence per reason
 */
export type PodVerdict =
  | { readonly kind: 'valid' }
  | { readonly kind: 'avoids' }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }

/** Returns the preferred node affinity term with the highest weight, which is tried first. */
const heaviestPreference = (pod: Pod) => {
  const preferred = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
  return preferred.reduce<(typeof preferred)[number] | undefined>(
    (heaviest, term) => (heaviest === undefined || term.weight > heaviest.weight ? term : heaviest),
    undefined,
  )?.preference
}

const avoidsManagedNodes = (pod: Pod): boolean => {
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  const terms = [required?.nodeSelectorTerms[0], heaviestPreference(pod)]
  return terms.some((term) =>
    term?.matchExpressions?.some(({ key, operator }) => key === labels.nodePool && operator === 'DoesNotExist'),
  )
}

const affinityProblems = (pod: Pod, vocabulary: LabelVocabulary): readonly string[] => {
  const selected = Object.entries(pod.spec.nodeSelector ?? {}).flatMap(([key, value]) =>
    requirementProblems({ key, operator: 'In', values: [value] }, vocabulary),
  )
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  const terms = (required?.nodeSelectorTerms ?? []).flatMap((term) => [
    ...(term.matchFields === undefined ? [] : ['node affinity by matchFields is not supported']),
    ...(term.matchExpressions ?? []).flatMap((expression) => requirementProblems(expression, vocabulary)),
  ])
  return [...selected, ...terms]
}

/**
 * Returns whether Kerf can look for a node for this pod. If not, returns all reasons
 * (`docs/spec/pending-pods.md#validation-of-pending-pods`).
 */
export const validatePod = (pod: Pod, vocabulary: LabelVocabulary, volumes: VolumeLookup): PodVerdict => {
  if (avoidsManagedNodes(pod)) return { kind: 'avoids' }
  const problems = [...affinityProblems(pod, vocabulary), ...volumeProblems(pod, volumes)]
  return problems.length === 0 ? { kind: 'valid' } : { kind: 'invalid', problems }
}
