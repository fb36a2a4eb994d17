import { ownValue } from '@kerf/apis'
import { isUnset, type Loose, positiveOf } from './loose.ts'

/** What became of one field or flag. Nothing of the source is without one. */
export interface Fate {
  /** `ASG web`, `Deployment kube-system/cluster-autoscaler`. */
  readonly object: string
  readonly field: string
  readonly fate: 'carried over' | 'changed' | 'not carried over'
  /** Where it is now: `NodePool spec.limits.nodes`. Absent for what is not carried over. */
  readonly to?: string
  /** Why it means something else now, or why it is not carried over. */
  readonly because?: string
}

/** What becomes of a field by its name. A function decides by the value; undefined when it says nothing. */
export type FieldRule =
  | { readonly to: string }
  | { readonly to: string; readonly because: string }
  | { readonly because: string }

export type FieldRules = Readonly<Record<string, FieldRule | ((value: unknown) => FieldRule | undefined)>>

export const fateOf = (object: string, field: string, rule: FieldRule): Fate =>
  'to' in rule
    ? { object, field, fate: 'because' in rule ? 'changed' : 'carried over', ...rule }
    : { object, field, fate: 'not carried over', because: rule.because }

const UNKNOWN: FieldRule = { because: 'Kerf does not know this field' }

/** A fate for each field of the object that is set. What has no rule is not carried over, and said to be. */
export const fatesOf = (object: string, source: Loose, rules: FieldRules, prefix = ''): readonly Fate[] =>
  Object.entries(source).flatMap(([field, value]) => {
    if (isUnset(value)) return []
    const rule = ownValue(rules, field) ?? UNKNOWN
    const found = typeof rule === 'function' ? rule(value) : rule
    return found === undefined ? [] : [fateOf(object, `${prefix}${field}`, found)]
  })

/** A rule for a number that says nothing when it is 0. */
export const onlyPositive =
  (rule: FieldRule) =>
  (value: unknown): FieldRule | undefined =>
    positiveOf(value) === undefined ? undefined : rule

/** Rules for fields that say which object it is or how it is, and set nothing. */
export const stateFields = (...fields: readonly string[]): FieldRules =>
  Object.fromEntries(fields.map((field) => [field, { because: 'names the object or is its state; it sets nothing' }]))
