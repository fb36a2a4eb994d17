import {
  isRestrictedLabel,
  type LabelVocabulary,
  labels,
  labelValueProblem,
  type NodePool,
  normalizeLabel,
  qualifiedNameProblem,
  type Taint,
} from '@kerf/apis'
import { requirementProblems, restrictedLabelProblem } from '../validation/requirement-problems.ts'

const EFFECTS: ReadonlySet<string> = new Set(['', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'])

const labelProblems = (pool: NodePool, vocabulary: LabelVocabulary): readonly string[] =>
  Object.entries(pool.spec.template.metadata?.labels ?? {}).flatMap(([key, value]) => {
    const problems: string[] = []
    if (key === labels.nodePool) problems.push(`label ${key} may not be set: it is the pool's own`)
    const name = qualifiedNameProblem(key)
    if (name !== undefined) problems.push(`label ${JSON.stringify(key)}: ${name}`)
    const wrong = labelValueProblem(value)
    if (wrong !== undefined) problems.push(`value ${JSON.stringify(value)} of label ${key}: ${wrong}`)
    if (key !== labels.nodePool && isRestrictedLabel(key, vocabulary)) problems.push(restrictedLabelProblem(key))
    return problems
  })

const taintProblems = (pool: NodePool): readonly string[] => {
  const seen = new Set<string>()
  const { taints = [], startupTaints = [] } = pool.spec.template.spec
  return [...taints, ...startupTaints].flatMap((taint: Taint) => {
    const problems: string[] = []
    const name = qualifiedNameProblem(taint.key)
    if (name !== undefined) problems.push(`taint ${JSON.stringify(taint.key)}: ${name}`)
    const value = taint.value ?? ''
    const wrong = value === '' ? undefined : qualifiedNameProblem(value)
    if (wrong !== undefined) problems.push(`value ${JSON.stringify(value)} of taint ${taint.key}: ${wrong}`)
    if (!EFFECTS.has(taint.effect)) problems.push(`taint ${taint.key} has the unknown effect ${taint.effect}`)
    const identity = `${taint.key}:${taint.effect}`
    if (seen.has(identity)) problems.push(`taint ${identity} stands twice in taints and startupTaints`)
    seen.add(identity)
    return problems
  })
}

/**
 * What is wrong with a NodePool beyond what its schema refuses (`spec/core-api.md` 1.8), as sentences; nothing when the
 * pool is right.
 */
export const nodePoolProblems = (pool: NodePool, vocabulary: LabelVocabulary): readonly string[] => [
  ...labelProblems(pool, vocabulary),
  ...taintProblems(pool),
  ...pool.spec.template.spec.requirements.flatMap((requirement) =>
    normalizeLabel(requirement.key, vocabulary) === labels.nodePool
      ? [`requirement on ${labels.nodePool}: a pool may not require itself`]
      : requirementProblems(requirement, vocabulary),
  ),
]
