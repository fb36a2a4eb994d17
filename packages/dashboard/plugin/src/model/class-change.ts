import { ownValue } from '@kerf/apis'
import type { ClassDriftRule, ImageFamilyRule } from '@kerf/provider-contract/dashboard'
import { isTrue } from './conditions.ts'
import { hashedForm, selectedForm, sortedJson } from './hashed-form.ts'
import { displayedKind, refersTo } from './node-class-kinds.ts'
import type { DriftingClaim } from './pool-drift.ts'
import { launchedClaims } from './price.ts'
import { at, type Fields, fieldsAt, isDeleting, listAt, objectName, textAt } from './read.ts'

/**
 * The effect of an edit of a node class on existing nodes. `drift`: the nodes are replaced. `may-drift`: only the nodes
 * that do not match the edited selection are replaced, or this plugin cannot compute the provider's hash. `none`: no
 * node is replaced.
 */
export type EditEffect = 'drift' | 'may-drift' | 'none'

/** Returns the changed fields of a node class's spec. */
export const changedFields = (before: unknown, after: unknown): readonly string[] => {
  const old = fieldsAt(before, 'spec')
  const now = fieldsAt(after, 'spec')
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((field) => sortedJson(ownValue(old, field)) !== sortedJson(ownValue(now, field)))
    .sort()
}

/**
 * Returns the image family: the explicit family, otherwise the family of an alias, otherwise the family of a term,
 * otherwise the default.
 */
const familyOf = (spec: Fields, { field, terms, aliases, termFamilies = {}, otherwise }: ImageFamilyRule): string => {
  const named = textAt(spec, field)
  if (named !== undefined) return named
  const all = listAt(spec, terms)
  const found = [
    ...all.map((term) => at(aliases, textAt(term, 'alias')?.split('@')[0] ?? '')),
    ...all.map((term) => at(termFamilies, textAt(term, 'family') ?? '')),
  ]
  return found.find((each): each is string => typeof each === 'string') ?? otherwise
}

const effectOf = (field: string, before: Fields, after: Fields, rule: ClassDriftRule): EditEffect => {
  const { imageFamily, selectors, isHashed } = rule
  if (imageFamily !== undefined && (field === imageFamily.field || field === imageFamily.terms)) {
    if (familyOf(before, imageFamily) !== familyOf(after, imageFamily)) return 'drift'
    if (field === imageFamily.field && imageFamily.isFieldHashed !== true) return 'none'
  }
  if (isHashed && hashedForm(ownValue(before, field), field, rule) !== hashedForm(ownValue(after, field), field, rule))
    return 'drift'
  const isSelectedAnew = selectors
    .filter((path) => path === field || path.startsWith(`${field}.`))
    .some((path) => selectedForm(before, path) !== selectedForm(after, path))
  return isSelectedAnew ? 'may-drift' : 'none'
}

export interface ClassChange {
  /** The changed fields with the strongest effect. Fields without an effect are omitted. */
  readonly fields: readonly string[]
  readonly effect: EditEffect
  /** NodeClaims that were launched with the stored node class and have not drifted yet. */
  readonly drifting: readonly Omit<DriftingClaim, 'cause'>[]
}

const STRONGEST: readonly EditEffect[] = ['drift', 'may-drift', 'none']

/**
 * Returns which nodes an edit of a node class affects, according to the provider's declaration of its fields. If a hashed field changes,
 * every claim of the node class drifts. If a selector changes, claims drift only if it selects different resources. For unknown providers,
 * claims may drift. Both classes must include the schema's defaults, so that writing out a default is not a change.
 */
export const classChange = (
  before: unknown,
  after: unknown,
  group: string,
  kind: string,
  claims: readonly unknown[],
): ClassChange => {
  const rule = displayedKind(group, kind)?.drift
  const [old, now] = [fieldsAt(before, 'spec'), fieldsAt(after, 'spec')]
  const effects = changedFields(before, after).map((field): readonly [string, EditEffect] => [
    field,
    rule === undefined ? 'may-drift' : effectOf(field, old, now, rule),
  ])
  const effect = STRONGEST.find((each) => effects.some(([, own]) => own === each)) ?? 'none'
  const fields = effect === 'none' ? [] : effects.flatMap(([field, own]) => (own === effect ? [field] : []))
  const drifting = launchedClaims(claims)
    .filter(
      (claim) => !isDeleting(claim) && !isTrue(claim, 'Drifted') && refersTo(claim, group, kind, objectName(after)),
    )
    .map((claim) => ({ claim: objectName(claim), node: textAt(claim, 'status', 'nodeName') ?? '' }))
  return { fields, effect, drifting: effect === 'none' ? [] : drifting }
}
