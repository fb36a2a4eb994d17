import { isTrue } from './conditions.ts'
import { servedNodeClassKinds } from './generated/node-class-kinds.ts'
import { refersTo, unhashedFields } from './node-class-kinds.ts'
import type { DriftingClaim } from './pool-change.ts'
import { launchedClaims } from './price.ts'
import { at, fieldsAt, isDeleting, listAt, nameOf, textAt } from './read.ts'

/**
 * What the edit of a field does to nodes that were launched before: `drift` replaces them, `may-drift` replaces those that differ from
 * what is selected now, or those of a provider whose hash is not known here, `none` leaves them as they are.
 */
export type EditEffect = 'drift' | 'may-drift' | 'none'

type Kind = (typeof servedNodeClassKinds)[number]
type Family = NonNullable<Kind['imageFamily']>

/** What changed in a class, field by field of its spec. */
export const changedFields = (before: unknown, after: unknown): readonly string[] => {
  const old = fieldsAt(before, 'spec')
  const now = fieldsAt(after, 'spec')
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]))
    .sort()
}

/** The family that is named, else that of an alias, else the one without either. */
const familyOf = (spec: unknown, { field, terms, aliases, otherwise }: Family): string => {
  const named = textAt(spec, field)
  if (named !== undefined) return named
  for (const term of listAt(spec, terms)) {
    const alias = textAt(term, 'alias')?.split('@')[0] ?? ''
    if (Object.hasOwn(aliases, alias)) return aliases[alias] ?? otherwise
  }
  return otherwise
}

const effectOf = (field: string, before: unknown, after: unknown, kind: Kind): EditEffect => {
  const { imageFamily, selectors, unhashed, isHashed } = kind
  if (imageFamily !== undefined && (field === imageFamily.field || field === imageFamily.terms)) {
    const spec = { ...fieldsAt(before, 'spec'), [field]: at(after, 'spec', field) }
    if (familyOf(fieldsAt(before, 'spec'), imageFamily) !== familyOf(spec, imageFamily)) return 'drift'
    if (field === imageFamily.field) return 'none'
  }
  if (selectors.includes(field)) return 'may-drift'
  return !isHashed || unhashed.includes(field) ? 'none' : 'drift'
}

export interface ClassChange {
  /** The fields that changed, by the strongest effect that any of them has; those without one are not among them. */
  readonly fields: readonly string[]
  readonly effect: EditEffect
  /** Claims that were launched with the class as it was, and that do not drift already. */
  readonly drifting: readonly Omit<DriftingClaim, 'cause'>[]
}

const STRONGEST: readonly EditEffect[] = ['drift', 'may-drift', 'none']

/**
 * Which nodes an edit of a node class concerns, by what the provider's descriptor says of its fields: hashed ones make every claim of
 * the class drift, selectors only where they find something else. Of other providers only that they may.
 */
export const classChange = (
  before: unknown,
  after: unknown,
  group: string,
  kind: string,
  claims: readonly unknown[],
): ClassChange => {
  const served = servedNodeClassKinds.find((each) => each.group === group && each.kind === kind)
  const effects = changedFields(before, after).map((field): readonly [string, EditEffect] => {
    if (served !== undefined) return [field, effectOf(field, before, after, served)]
    return [field, unhashedFields(group, kind).includes(field) ? 'none' : 'may-drift']
  })
  const effect = STRONGEST.find((each) => effects.some(([, own]) => own === each)) ?? 'none'
  const fields = effect === 'none' ? [] : effects.flatMap(([field, own]) => (own === effect ? [field] : []))
  const drifting = launchedClaims(claims)
    .filter((claim) => !isDeleting(claim) && !isTrue(claim, 'Drifted') && refersTo(claim, group, kind, nameOf(after)))
    .map((claim) => ({ claim: nameOf(claim), node: textAt(claim, 'status', 'nodeName') ?? '' }))
  return { fields, effect, drifting: effect === 'none' ? [] : drifting }
}
