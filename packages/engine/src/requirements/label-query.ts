import type { LabelSelector, LabelSelectorRequirement } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { byText } from './requirement.ts'

type Labels = Readonly<Record<string, string>>

interface Condition {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  readonly values: ReadonlySet<string>
}

const holds = ({ key, operator, values }: Condition, labels: Labels): boolean => {
  const value = ownValue(labels, key)
  switch (operator) {
    case 'In':
      return value !== undefined && values.has(value)
    case 'NotIn':
      return value === undefined || !values.has(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
  }
}

const readCondition = ({ key, operator, values = [] }: LabelSelectorRequirement): Condition | undefined => {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0 ? { key, operator, values: new Set(values) } : undefined
    case 'Exists':
    case 'DoesNotExist':
      return { key, operator, values: new Set() }
    default:
      return undefined
  }
}

/**
 * A label selector, prepared so that it can be matched against many sets of labels. An absent or invalid selector matches nothing, and an
 * empty one matches everything. The order and repetition of conditions do not matter.
 */
export class LabelQuery {
  static readonly nothing = new LabelQuery(undefined)

  /** Two queries have the same identity if and only if they have the same conditions. */
  readonly identity: string
  readonly #conditions: readonly Condition[] | undefined

  private constructor(conditions: readonly Condition[] | undefined) {
    const texts = conditions?.map(({ key, operator, values }) =>
      JSON.stringify([key, operator, [...values].sort(byText)]),
    )
    this.identity = texts === undefined ? 'nothing' : [...new Set(texts)].sort(byText).join()
    this.#conditions = conditions
  }

  static of(selector: LabelSelector | undefined, more: readonly LabelSelectorRequirement[] = []): LabelQuery {
    if (selector === undefined || selector === null) return LabelQuery.nothing
    const specs: LabelSelectorRequirement[] = [...(selector.matchExpressions ?? []), ...more]
    for (const key in selector.matchLabels) {
      specs.push({ key, operator: 'In', values: [selector.matchLabels[key] ?? ''] })
    }
    const conditions: Condition[] = []
    for (const spec of specs) {
      const condition = readCondition(spec)
      if (condition === undefined) return LabelQuery.nothing
      conditions.push(condition)
    }
    return new LabelQuery(conditions)
  }

  get matchesNothing(): boolean {
    return this.#conditions === undefined
  }

  matches(labels: Labels): boolean {
    const conditions = this.#conditions
    if (conditions === undefined) return false
    for (const condition of conditions) if (!holds(condition, labels)) return false
    return true
  }

  /** A `key=value` pair that every matching set of labels contains. Used to index queries. `undefined` if there is none. */
  get requiredPair(): string | undefined {
    for (const { key, operator, values } of this.#conditions ?? []) {
      if (operator === 'In' && values.size === 1) return `${key}=${[...values][0]}`
    }
    return undefined
  }
}
