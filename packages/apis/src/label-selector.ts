import type { LabelSelector } from './kubernetes/object.ts'
import { ownValue } from './own-value.ts'
import { parseInteger } from './predicates/integer.ts'
import { labelValueProblem, qualifiedNameProblem } from './qualified-name.ts'

/** A condition on labels. `Gt` and `Lt` exist only in selectors in text form (`cpu>4`). */
export interface SelectorRequirement {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt'
  readonly values: readonly string[]
}

type Labels = Readonly<Record<string, string>>

/** Thrown for a string that is not a valid selector. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError'
  readonly text: string

  constructor(text: string, problem: string) {
    super(`selector ${JSON.stringify(text)}: ${problem}`)
    this.text = text
  }
}

const matchesRequirement = (requirement: SelectorRequirement, labels: Labels | undefined): boolean => {
  const value = ownValue(labels, requirement.key)
  switch (requirement.operator) {
    case 'In':
      return value !== undefined && requirement.values.includes(value)
    case 'NotIn':
      return value === undefined || !requirement.values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
    case 'Lt': {
      const actual = parseInteger(value ?? '')
      const bound = parseInteger(requirement.values[0] ?? '')
      if (actual === undefined || bound === undefined) return false
      return requirement.operator === 'Gt' ? actual > bound : actual < bound
    }
  }
}

/** Returns whether the labels meet all conditions. An empty list matches everything. */
export const matchesRequirements = (
  requirements: readonly SelectorRequirement[],
  labels: Labels | undefined,
): boolean => requirements.every((requirement) => matchesRequirement(requirement, labels))

/**
 * Returns whether a selector in an object's field matches the labels. An empty selector matches everything, and a missing one
 * matches nothing.
 */
export const matchesLabelSelector = (selector: LabelSelector | undefined, labels: Labels | undefined): boolean => {
  if (selector === undefined) return false
  const wanted = selector.matchLabels
  if (wanted !== undefined) {
    for (const key in wanted) if (ownValue(labels, key) !== wanted[key]) return false
  }
  return (
    selector.matchExpressions?.every(({ key, operator, values }) =>
      matchesRequirement({ key, operator, values: values ?? [] }, labels),
    ) ?? true
  )
}

/** Returns the conditions of a selector in an object's field as one list, with the labels first. */
export const selectorRequirements = (selector: LabelSelector): SelectorRequirement[] => [
  ...Object.entries(selector.matchLabels ?? {}).map(
    ([key, value]): SelectorRequirement => ({ key, operator: 'In', values: [value] }),
  ),
  ...(selector.matchExpressions ?? []).map(
    ({ key, operator, values }): SelectorRequirement => ({ key, operator, values: values ?? [] }),
  ),
]

/** Returns the API server's error message for an invalid condition, or `undefined` if the condition is valid. */
export const selectorRequirementProblem = ({ key, operator, values }: SelectorRequirement): string | undefined => {
  const problem = qualifiedNameProblem(key)
  if (problem !== undefined) return `key ${JSON.stringify(key)}: ${problem}`
  for (const value of values) {
    const wrong = labelValueProblem(value)
    if (wrong !== undefined) return `value ${JSON.stringify(value)} of ${key}: ${wrong}`
  }
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length === 0 ? `${operator} on ${key} needs at least one value` : undefined
    case 'Exists':
    case 'DoesNotExist':
      return values.length > 0 ? `${operator} on ${key} takes no values` : undefined
    case 'Gt':
    case 'Lt':
      return values.length !== 1 || parseInteger(values[0] ?? '') === undefined
        ? `${operator} on ${key} needs exactly one integer`
        : undefined
  }
}

const TOKEN = /\s*(?:(==|=|!=|!|>|<|\(|\)|,)|([^\s=!<>(),]+))/y

interface Token {
  readonly symbol?: string
  readonly word?: string
}

const parseTokens = (text: string): Token[] => {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  const end = text.trimEnd().length
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(text)
    if (found === null) throw new SelectorError(text, 'it cannot be read')
    tokens.push(found[1] === undefined ? { word: found[2] ?? '' } : { symbol: found[1] })
  }
  return tokens
}

/** Parses a selector string from left to right. */
class SelectorReader {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #position = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = parseTokens(text)
  }

  requirements(): SelectorRequirement[] {
    const found: SelectorRequirement[] = []
    while (this.#peek() !== undefined) {
      if (found.length > 0) this.#expect(',')
      const requirement = this.#requirement()
      const problem = selectorRequirementProblem(requirement)
      if (problem !== undefined) throw new SelectorError(this.#text, problem)
      found.push(requirement)
    }
    return found
  }

  #requirement(): SelectorRequirement {
    const isNegated = this.#accept('!')
    const key = this.#next()?.word
    if (key === undefined) throw new SelectorError(this.#text, 'a label key is missing')
    const following = this.#peek()
    if (isNegated) return { key, operator: 'DoesNotExist', values: [] }
    if (following === undefined || following.symbol === ',') return { key, operator: 'Exists', values: [] }
    this.#position++
    switch (following.symbol ?? following.word) {
      case '=':
      case '==':
        return { key, operator: 'In', values: [this.#value()] }
      case '!=':
        return { key, operator: 'NotIn', values: [this.#value()] }
      case '>':
        return { key, operator: 'Gt', values: [this.#value()] }
      case '<':
        return { key, operator: 'Lt', values: [this.#value()] }
      case 'in':
        return { key, operator: 'In', values: this.#values() }
      case 'notin':
        return { key, operator: 'NotIn', values: this.#values() }
      default:
        throw new SelectorError(this.#text, `${JSON.stringify(following.symbol ?? following.word)} is not an operator`)
    }
  }

  /** Returns the value after `=`, or an empty string if there is no value. */
  #value(): string {
    const token = this.#peek()
    if (token === undefined || token.symbol === ',') return ''
    this.#position++
    if (token.word === undefined) throw new SelectorError(this.#text, 'a value is missing')
    return token.word
  }

  /** Parses `(a,b)`. If there is nothing between two commas or brackets, the value is empty. */
  #values(): string[] {
    this.#expect('(')
    const values = new Set<string>()
    for (;;) {
      const token = this.#peek()
      if (token?.word === undefined) values.add('')
      else {
        values.add(token.word)
        this.#position++
      }
      if (this.#accept(')')) return [...values].sort()
      this.#expect(',')
    }
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#position]
  }

  #next(): Token | undefined {
    return this.#tokens[this.#position++]
  }

  #accept(symbol: string): boolean {
    if (this.#peek()?.symbol !== symbol) return false
    this.#position++
    return true
  }

  #expect(symbol: string): void {
    if (!this.#accept(symbol)) throw new SelectorError(this.#text, `${JSON.stringify(symbol)} is missing`)
  }
}

/**
 * Parses a selector such as `a=b,c in (d,e),f,!g,h>3`, the format that API queries and kubectl use. An empty string has no
 * conditions.
 * @throws SelectorError
 */
export const parseLabelSelector = (text: string): SelectorRequirement[] => new SelectorReader(text).requirements()

const formatRequirement = ({ key, operator, values }: SelectorRequirement): string => {
  const [first = ''] = values
  switch (operator) {
    case 'In':
      return values.length === 1 ? `${key}=${first}` : `${key} in (${[...values].sort().join(',')})`
    case 'NotIn':
      return values.length === 1 ? `${key}!=${first}` : `${key} notin (${[...values].sort().join(',')})`
    case 'Exists':
      return key
    case 'DoesNotExist':
      return `!${key}`
    case 'Gt':
      return `${key}>${first}`
    case 'Lt':
      return `${key}<${first}`
  }
}

/** Formats conditions, or a selector in an object's field. The result is sorted by key. */
export const formatLabelSelector = (selector: LabelSelector | readonly SelectorRequirement[]): string => {
  const requirements = isList(selector) ? selector : selectorRequirements(selector)
  return [...requirements]
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(formatRequirement)
    .join(',')
}

const isList = (value: LabelSelector | readonly SelectorRequirement[]): value is readonly SelectorRequirement[] =>
  Array.isArray(value)
