import { type LabelVocabulary, labelValueProblem, qualifiedNameProblem } from '@kerf/apis'

/** A requirement of a NodePool, of a NodeOverlay or of a pod's node affinity. */
export interface StatedRequirement {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[]
  readonly minValues?: number
}

const OPERATORS: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'])
const BOUNDS: ReadonlySet<string> = new Set(['Gt', 'Lt', 'Gte', 'Lte'])
const WHOLE_NUMBER = /^[0-9]+$/

const knownValueProblem = (
  key: string,
  values: readonly string[],
  stated: StatedRequirement,
  vocabulary: LabelVocabulary,
): string | undefined => {
  const known = vocabulary.knownValues(key)
  if (known === undefined || stated.operator !== 'In') return undefined
  const valid = values.filter((value) => known.includes(value))
  if (valid.length === 0) return `${key}: no listed value is possible (possible values: ${known.join(', ')})`
  if (valid.length < (stated.minValues ?? 0)) {
    return `${key} requires ${stated.minValues} values, but only ${valid.join(', ')} of the listed values are possible`
  }
  return undefined
}

/**
 * Returns all errors of a requirement that the schema does not detect, one sentence per error
 * (`docs/spec/resources.md#runtime-validation`). Returns none if the requirement is valid. Normalizes the key and the values first.
 */
export const requirementProblems = (stated: StatedRequirement, vocabulary: LabelVocabulary): readonly string[] => {
  const key = vocabulary.normalize(stated.key)
  const values = (stated.values ?? []).map((value) => vocabulary.valueOf(stated.key, value))
  const problems: string[] = []
  if (!OPERATORS.has(stated.operator)) problems.push(`key ${key} has an unsupported operator ${stated.operator}`)
  if (vocabulary.isRestricted(key)) problems.push(restrictedLabelProblem(key))
  const known = knownValueProblem(key, values, stated, vocabulary)
  if (known !== undefined) problems.push(known)
  const name = qualifiedNameProblem(key)
  if (name !== undefined) problems.push(`key ${JSON.stringify(key)}: ${name}`)
  for (const value of values) {
    const problem = labelValueProblem(value)
    if (problem !== undefined) problems.push(`value ${JSON.stringify(value)} of key ${key}: ${problem}`)
  }
  if (stated.operator === 'In' && values.length === 0) problems.push(`key ${key} with operator In has no value`)
  if (stated.operator === 'In' && values.length < (stated.minValues ?? 0)) {
    problems.push(`key ${key} with operator In has fewer values than its minValues ${stated.minValues}`)
  }
  const isNumber = values.length === 1 && WHOLE_NUMBER.test(values[0] ?? '')
  if (BOUNDS.has(stated.operator) && !isNumber) {
    problems.push(`key ${key} with operator ${stated.operator} needs exactly one non-negative integer`)
  }
  return problems
}

const restrictedLabelProblem = (key: string): string =>
  `label ${key} is restricted; use a well-known label, or a label of a domain that does not belong to Karpenter`
