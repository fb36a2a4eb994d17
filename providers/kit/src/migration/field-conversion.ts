import { ownValue } from '@kerf/apis'
import type { FieldConversion } from '@kerf/provider-contract'
import { asPositive, isUnset, type Loose } from '../documents/loose.ts'

/**
 * What happens to a field of a source. In `FieldRules`, a function can return the rule for a value. It returns undefined if the value has
 * no effect.
 */
export type FieldRule =
  | { readonly to: string }
  | { readonly to: string; readonly because: string }
  | { readonly because: string }

export type FieldRules = Readonly<Record<string, FieldRule | ((value: unknown) => FieldRule | undefined)>>

export const fieldConversion = (object: string, field: string, rule: FieldRule): FieldConversion =>
  'to' in rule
    ? { object, field, fate: 'because' in rule ? 'changed' : 'carried over', ...rule }
    : { object, field, fate: 'not carried over', because: rule.because }

const UNKNOWN: FieldRule = { because: 'unknown field' }

/** Returns what happens to each field that is set. A field without a rule is reported as not carried over. */
export const fieldConversions = (
  object: string,
  source: Loose,
  rules: FieldRules,
  prefix = '',
): readonly FieldConversion[] =>
  Object.entries(source).flatMap(([field, value]) => {
    if (isUnset(value)) return []
    const rule = ownValue(rules, field) ?? UNKNOWN
    const found = typeof rule === 'function' ? rule(value) : rule
    return found === undefined ? [] : [fieldConversion(object, `${prefix}${field}`, found)]
  })

/** Returns a rule for a number. The number has no effect if it is 0. */
export const onlyPositive =
  (rule: FieldRule) =>
  (value: unknown): FieldRule | undefined =>
    asPositive(value) === undefined ? undefined : rule

/** Splits a text into words. Used for long lists of names. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Returns rules for fields that only identify an object or show its state. `fields` are names separated by spaces. */
export const stateFields = (fields: string): FieldRules =>
  Object.fromEntries(
    words(fields).map((field) => [field, { because: 'identity or state of the object, not a setting' }]),
  )
