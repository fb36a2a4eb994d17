import { SelectorError } from './label-selector.ts'

/** A condition on a field. Field selectors support only equality. */
export interface FieldRequirement {
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

/** Splits the string at commas, except those that are escaped with a backslash. */
const termsOf = (text: string): string[] => text.match(/(?:\\.|[^,\\])+|\\$/gs) ?? []

const TERM = /^([^=!]*)(==|!=|=)(.*)$/s

const unescapeValue = (text: string, value: string): string => {
  if (/(?<!\\)(?:\\\\)*=/.test(value))
    throw new SelectorError(text, `write \\= for the "=" in ${JSON.stringify(value)}`)
  return value.replaceAll(/\\(.?)/gs, (_, character: string) => {
    if (character !== '\\' && character !== ',' && character !== '=') {
      throw new SelectorError(text, `only "\\\\", "\\," and "\\=" may follow a backslash`)
    }
    return character
  })
}

/**
 * Parses a field selector such as `spec.nodeName=a,status.phase!=Running`. In values, `\,`, `\=` and `\\` are escapes.
 * @throws SelectorError
 */
export const parseFieldSelector = (text: string): FieldRequirement[] =>
  termsOf(text).map((term) => {
    const parts = TERM.exec(term)
    if (parts === null) throw new SelectorError(text, `${JSON.stringify(term)} is not of the form field=value`)
    const [, field = '', operator, value = ''] = parts
    return { field, operator: operator === '!=' ? '!=' : '=', value: unescapeValue(text, value) }
  })

export const formatFieldSelector = (requirements: readonly FieldRequirement[]): string =>
  requirements
    .map(({ field, operator, value }) => `${field}${operator}${value.replaceAll(/[\\,=]/g, '\\$&')}`)
    .join(',')

/** Returns whether all conditions are met. `readField` returns a field as text, which is empty if the field is not set. */
export const matchesFields = (
  requirements: readonly FieldRequirement[],
  readField: (field: string) => string,
): boolean => requirements.every(({ field, operator, value }) => (readField(field) === value) === (operator === '='))
