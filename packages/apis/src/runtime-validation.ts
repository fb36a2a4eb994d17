import { tryParseDuration } from './duration.ts'
import type { Taint } from './kubernetes/node.ts'
import type { LabelVocabulary } from './label-vocabulary.ts'
import { labels } from './labels.ts'
import { labelValueProblem, qualifiedNameProblem } from './qualified-name.ts'
import { tryParseQuantity } from './quantity.ts'
import type { NodeOverlay } from './resources/node-overlay.ts'
import type { NodePool } from './resources/node-pool.ts'
import { isSameTaint, taints as ownTaints } from './taints.ts'

/**
 * The result of validating a pool or overlay in the controllers, after the API server has accepted it
 * (`docs/spec/resources.md#runtime-validation`). The two validations differ intentionally: the API server refuses requests, and
 * the controllers set the ValidationSucceeded condition.
 */

export interface RuntimeFindings {
  /** Errors that make the object unusable. If there are none, ValidationSucceeded is True. */
  readonly errors: readonly string[]
  /** Values that have no effect and do no harm. They are logged. */
  readonly warnings: readonly string[]
}

interface RequirementLike {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[]
  readonly minValues?: number
}

const OPERATORS: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'])
const BOUNDS: ReadonlySet<string> = new Set(['Gt', 'Lt', 'Gte', 'Lte'])
const EFFECTS: ReadonlySet<string> = new Set(['NoSchedule', 'PreferNoSchedule', 'NoExecute', ''])

/**
 * A message shows at most this many characters of a value. The message of a condition may have 32,768 characters, and a value
 * may be longer.
 */
const LONGEST_SHOWN = 80

const quoted = (text: string): string =>
  JSON.stringify(text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`)

/** The fields of a pool that are validated. Editors also validate incomplete pools. */
export type ValidatedNodePool = Pick<NodePool, 'spec'> & { readonly metadata?: { readonly name?: string } }

/** Validates a NodePool: its name, quantities and durations, and the labels, taints and requirements of its template. */
export const validateNodePool = (nodePool: ValidatedNodePool, vocabulary: LabelVocabulary): RuntimeFindings => {
  const { metadata, spec } = nodePool.spec.template
  const warnings: string[] = []
  const errors = [
    ...checkNames(nodePool),
    ...checkLimits(nodePool.spec.limits),
    ...checkDurations(nodePool.spec),
    ...(spec.startupTaints ?? []).flatMap(checkStartupTaint),
    ...Object.entries(metadata?.labels ?? {}).flatMap(([key, value]) => checkLabel(key, value, vocabulary)),
    ...checkTaints([...(spec.taints ?? []), ...(spec.startupTaints ?? [])]),
    ...spec.requirements.flatMap((requirement) =>
      vocabulary.normalize(requirement.key) === labels.nodePool
        ? [`requirement ${quoted(requirement.key)} may not be used: the controller sets this label`]
        : checkRequirement(requirement, vocabulary, warnings),
    ),
  ]
  return { errors, warnings }
}

/** Validates a NodeOverlay: requirements, price and capacity. */
export const validateNodeOverlay = (
  overlay: Pick<NodeOverlay, 'spec'>,
  vocabulary: LabelVocabulary,
): RuntimeFindings => {
  const warnings: string[] = []
  const errors = overlay.spec.requirements.flatMap((requirement) => {
    const found = checkRequirement(requirement, vocabulary, warnings)
    const isEmpty = requirement.operator === 'NotIn' && (requirement.values ?? []).length === 0
    return isEmpty ? [...found, `requirement ${quoted(requirement.key)}: NotIn needs at least one value`] : found
  })
  errors.push(...checkPrices(overlay.spec))
  for (const [name, amount] of Object.entries(overlay.spec.capacity ?? {})) {
    if (vocabulary.wellKnownResources.has(name)) {
      errors.push(`capacity ${quoted(name)} may not be set: the provider reports it`)
    } else errors.push(...checkAmount(`spec.capacity.${name}`, amount))
  }
  return { errors, warnings }
}

/** Checks the names that become label values on every NodeClaim and Node of the pool. */
const checkNames = ({ metadata, spec }: ValidatedNodePool): string[] => {
  const errors: string[] = []
  const refuse = (field: string, name: string | undefined, label: string): void => {
    const problem = name === undefined ? undefined : labelValueProblem(name)
    if (problem !== undefined)
      errors.push(`${field} is also the value of the label ${label} of its nodes: ${problem}; use a shorter name`)
  }
  refuse('metadata.name', metadata?.name, labels.nodePool)
  const { group, kind, name } = spec.template.spec.nodeClassRef ?? {}
  if (kind !== undefined) refuse('spec.template.spec.nodeClassRef.name', name, `${group}/${kind.toLowerCase()}`)
  return errors
}

/** Checks the limits. An invalid limit must not be treated as no limit. */
const checkLimits = (limits: NodePool['spec']['limits'] = {}): string[] =>
  Object.entries(limits).flatMap(([resource, limit]) => checkAmount(`spec.limits.${resource}`, limit))

const checkAmount = (field: string, amount: unknown): string[] =>
  tryParseQuantity(amount) === undefined
    ? [`${field} must be a quantity, for example "100" or "500m", not ${quoted(String(amount))}`]
    : []

/** Checks the prices. A price that is not a number would make every comparison of prices false. */
const checkPrices = ({ price, priceAdjustment }: NodeOverlay['spec']): string[] => {
  const isNumber = (text: string): boolean => /\d/.test(text) && Number.isFinite(Number(text))
  const errors: string[] = []
  if (price !== undefined && price !== '' && (!isNumber(price) || Number(price) < 0))
    errors.push(`spec.price must be an amount of US dollars an hour, for example "0.25", not ${quoted(price)}`)
  const adjustment = priceAdjustment?.replace(/%$/, '')
  if (adjustment !== undefined && adjustment !== '' && (!/^[+-]/.test(adjustment) || !isNumber(adjustment)))
    errors.push(
      `spec.priceAdjustment must be a signed amount or share, for example "+0.5" or "-10%", not ${quoted(priceAdjustment ?? '')}`,
    )
  return errors
}

/** Checks the durations. The schema's pattern also accepts durations of more than 292 years, which cannot be used. */
const checkDurations = ({ template, disruption }: NodePool['spec']): string[] => {
  const { expireAfter, terminationGracePeriod } = template.spec
  const given = [
    ['spec.template.spec.expireAfter', expireAfter, ' or Never'],
    ['spec.template.spec.terminationGracePeriod', terminationGracePeriod, ''],
    ['spec.disruption.consolidateAfter', disruption?.consolidateAfter, ' or Never'],
  ] as const
  return given.flatMap(([field, value, alternative]) =>
    value === undefined || (alternative !== '' && value === 'Never') || tryParseDuration(value) !== undefined
      ? []
      : [`${field} must be a duration of at most 292 years, for example "720h"${alternative}, not ${quoted(value)}`],
  )
}

/**
 * Rejects startup taints with the key of a taint that Kerf adds and removes. If the effect or value differs, nothing would remove the taint
 * from the node.
 */
const checkStartupTaint = (taint: Taint): string[] => {
  const { unregistered, disrupted } = ownTaints
  const shown = `startup taint ${quoted(`${taint.key}${taint.value ? `=${taint.value}` : ''}:${taint.effect}`)}`
  if (taint.key === disrupted.key)
    return [`${shown} may not be used: nothing removes it from a starting node, so no pods would run there`]
  if (taint.key !== unregistered.key) return []
  const isOwn = isSameTaint(taint, unregistered) && (taint.value ?? '') === ''
  const remedy = `remove it, or use ${unregistered.key}:${unregistered.effect} without a value`
  return isOwn
    ? []
    : [`${shown} may not be used: nothing removes it from the node, so no pods would run there; ${remedy}`]
}

const checkLabel = (key: string, value: string, vocabulary: LabelVocabulary): string[] => {
  if (key === labels.nodePool) return [`label ${quoted(key)} may not be used: the controller sets it`]
  const errors: string[] = []
  const problem = qualifiedNameProblem(key)
  if (problem !== undefined) errors.push(`label ${quoted(key)}: ${problem}`)
  const valueProblem = labelValueProblem(value)
  if (valueProblem !== undefined) errors.push(`label ${quoted(key)} with value ${quoted(value)}: ${valueProblem}`)
  if (vocabulary.isRestricted(key)) errors.push(`label ${quoted(key)} is restricted`)
  return errors
}

const checkTaints = (
  taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[],
): string[] => {
  const seen = new Set<string>()
  return taints.flatMap(({ key, value, effect }) => {
    const errors: string[] = []
    const problem = key === '' ? 'the key may not be empty' : qualifiedNameProblem(key)
    if (problem !== undefined) errors.push(`taint ${quoted(key)}: ${problem}`)
    // As in upstream, the value must be a qualified name. Every label value is also a qualified name.
    const valueProblem = value === undefined || value === '' ? undefined : qualifiedNameProblem(value)
    if (valueProblem !== undefined)
      errors.push(`taint ${quoted(key)} with value ${quoted(value ?? '')}: ${valueProblem}`)
    if (!EFFECTS.has(effect)) errors.push(`taint ${quoted(key)}: ${quoted(effect)} is not an effect`)
    const identity = `${key}:${effect}`
    if (seen.has(identity)) errors.push(`taint ${quoted(identity)} is defined twice`)
    seen.add(identity)
    return errors
  })
}

const checkRequirement = (
  { key, operator, values: written = [], minValues }: RequirementLike,
  vocabulary: LabelVocabulary,
  warnings: string[],
): string[] => {
  const label = vocabulary.normalize(key)
  const values = written.map((value) => vocabulary.valueOf(key, value))
  const errors: string[] = []
  const refuse = (problem: string): void => {
    errors.push(`requirement ${quoted(key)}: ${problem}`)
  }
  if (!OPERATORS.has(operator)) refuse(`${quoted(operator)} is not an operator`)
  // Overlays and claims may have requirements on the label that contains the pool's name.
  if (label !== labels.nodePool && vocabulary.isRestricted(label)) refuse('the label is restricted')
  const problem = qualifiedNameProblem(label)
  if (problem !== undefined) refuse(problem)
  for (const value of values) {
    const valueProblem = labelValueProblem(value)
    if (valueProblem !== undefined) refuse(`value ${quoted(value)}: ${valueProblem}`)
  }
  if (operator === 'In') {
    if (values.length === 0) refuse('In needs at least one value')
    if (minValues !== undefined && values.length < minValues)
      refuse(`minValues is ${minValues}, but only ${values.length} values are listed`)
    const known = vocabulary.knownValues(label)
    if (known !== undefined && values.length > 0)
      checkKnownValues(values, known, minValues, refuse, (text) => warnings.push(`requirement ${quoted(key)}: ${text}`))
  }
  if (BOUNDS.has(operator) && (values.length !== 1 || !/^\+?[0-9]+$/.test(values[0] ?? ''))) {
    refuse(`${operator} needs exactly one value, a non-negative integer`)
  }
  return errors
}

const checkKnownValues = (
  values: readonly string[],
  known: readonly string[],
  minValues: number | undefined,
  refuse: (problem: string) => void,
  warn: (problem: string) => void,
): void => {
  const valid = values.filter((value) => known.includes(value))
  const choice = `${known.join(', ')} exist`
  if (valid.length === 0) refuse(`none of the values ${values.map(quoted).join(', ')} exists; ${choice}`)
  else if (minValues !== undefined && valid.length < minValues) {
    refuse(`minValues is ${minValues}, but only ${valid.length} of the values exist; ${choice}`)
  } else if (valid.length < values.length) {
    const odd = values.filter((value) => !known.includes(value))
    warn(`${odd.map(quoted).join(', ')} does not exist and is ignored; ${choice}`)
  }
}
