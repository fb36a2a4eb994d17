import { LARGEST_INTEGER, type NodeSelectorRequirement, parseInteger } from '@kerf/apis'
import type { RequirementSpec } from '../instance-type.ts'

/**
 * The operator that describes a requirement. It may differ from the operator that the user wrote, and it does not reflect bounds
 * (`docs/spec/requirements.md#representation`).
 */
export type RequirementOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'

const NONE: ReadonlySet<string> = new Set()
const SHOWN_VALUES = 5

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * The values that a label may have: either exactly `values`, or all values within the bounds except `values` (a complement). Immutable
 * (`docs/spec/requirements.md`).
 */
export class Requirement {
  readonly key: string
  readonly complement: boolean
  readonly values: ReadonlySet<string>
  /** The smallest and largest allowed integer, both inclusive. */
  readonly gte: bigint | undefined
  readonly lte: bigint | undefined
  readonly minValues: number | undefined
  #identity: string | undefined

  constructor(
    key: string,
    complement: boolean,
    values: ReadonlySet<string>,
    gte?: bigint | undefined,
    lte?: bigint | undefined,
    minValues?: number | undefined,
  ) {
    this.key = key
    this.complement = complement
    this.values = values
    this.gte = gte
    this.lte = lte
    this.minValues = minValues
  }

  static in(key: string, values: Iterable<string>, minValues?: number): Requirement {
    return new Requirement(key, false, new Set(values), undefined, undefined, minValues)
  }

  static exists(key: string): Requirement {
    return new Requirement(key, true, NONE)
  }

  static doesNotExist(key: string, minValues?: number): Requirement {
    return new Requirement(key, false, NONE, undefined, undefined, minValues)
  }

  /** Two requirements have the same identity if and only if they allow the same values. */
  get identity(): string {
    this.#identity ??= JSON.stringify([
      this.key,
      this.complement,
      [...this.values].sort(byText),
      `${this.gte}`,
      `${this.lte}`,
      this.minValues,
    ])
    return this.#identity
  }

  get operator(): RequirementOperator {
    if (this.complement) return this.values.size > 0 ? 'NotIn' : 'Exists'
    return this.values.size > 0 ? 'In' : 'DoesNotExist'
  }

  /** Whether a node without the label satisfies the requirement. */
  get admitsAbsence(): boolean {
    const operator = this.operator
    return operator === 'NotIn' || operator === 'DoesNotExist'
  }

  /** The number of allowed values. */
  get length(): bigint {
    const listed = BigInt(this.values.size)
    return this.complement ? LARGEST_INTEGER - listed : listed
  }

  has(value: string): boolean {
    return this.values.has(value) !== this.complement && isWithin(value, this.gte, this.lte)
  }

  intersection(other: Requirement): Requirement {
    const gte = largest(this.gte, other.gte)
    const lte = smallest(this.lte, other.lte)
    const minValues = mostValues(this.minValues, other.minValues)
    if (gte !== undefined && lte !== undefined && gte > lte) return Requirement.doesNotExist(this.key, minValues)
    const complement = this.complement && other.complement
    const values = new Set<string>()
    if (complement) {
      for (const value of this.values) if (isWithin(value, gte, lte)) values.add(value)
      for (const value of other.values) if (isWithin(value, gte, lte)) values.add(value)
      return new Requirement(this.key, true, values, gte, lte, minValues)
    }
    const [listed, filter] = this.complement ? [other, this] : [this, other]
    for (const value of listed.values) {
      if (filter.values.has(value) !== filter.complement && isWithin(value, gte, lte)) values.add(value)
    }
    return new Requirement(this.key, false, values, undefined, undefined, minValues)
  }

  /** Returns whether some value satisfies both requirements. Allocates no memory. */
  hasIntersection(other: Requirement): boolean {
    const gte = largest(this.gte, other.gte)
    const lte = smallest(this.lte, other.lte)
    if (gte !== undefined && lte !== undefined && gte > lte) return false
    if (this.complement && other.complement) return true
    const [listed, filter] = this.complement ? [other, this] : [this, other]
    for (const value of listed.values) {
      if (filter.values.has(value) !== filter.complement && isWithin(value, gte, lte)) return true
    }
    return false
  }

  /**
   * Returns whether one node can satisfy both requirements: they share a value, or a node without the label satisfies both
   * (`docs/spec/requirements.md#sets-of-requirements`).
   */
  agreesWith(other: Requirement): boolean {
    return this.hasIntersection(other) || (this.admitsAbsence && other.admitsAbsence)
  }

  /**
   * Returns one allowed value: the alphabetically first value of a list, or the smallest allowed non-negative integer of a complement.
   * Returns `''` if there is none. Karpenter picks a random integer.
   */
  any(): string {
    if (!this.complement) {
      let first: string | undefined
      for (const value of this.values) if (first === undefined || value < first) first = value
      return first ?? ''
    }
    const last = this.lte ?? LARGEST_INTEGER
    for (let value = this.gte ?? 0n; value <= last; value++) if (!this.values.has(`${value}`)) return `${value}`
    return ''
  }

  /** Returns the requirement with another `minValues`. */
  withMinValues(minValues: number | undefined): Requirement {
    return new Requirement(this.key, this.complement, this.values, this.gte, this.lte, minValues)
  }

  /**
   * Returns the requirement as written in `spec.requirements` of a NodeClaim (`docs/spec/requirements.md#written-form`). A requirement with
   * a bound loses its excluded values, as in Karpenter.
   */
  toSpecs(): readonly RequirementSpec[] {
    const minValues = this.minValues === undefined ? {} : { minValues: this.minValues }
    const { key, gte, lte } = this
    if (gte !== undefined || lte !== undefined) {
      const bounds: RequirementSpec[] = []
      if (gte !== undefined) bounds.push({ key, operator: 'Gte', values: [`${gte}`], ...minValues })
      if (lte !== undefined) bounds.push({ key, operator: 'Lte', values: [`${lte}`], ...minValues })
      return bounds
    }
    const values = [...this.values].sort(byText)
    return [{ key, operator: this.operator, ...(values.length > 0 ? { values } : {}), ...minValues }]
  }

  toString(): string {
    const operator = this.operator
    let text = `${this.key} ${operator}`
    if (operator === 'In' || operator === 'NotIn') {
      const values = [...this.values].sort(byText)
      const more = values.length - SHOWN_VALUES
      text += ` [${values.slice(0, SHOWN_VALUES).join(' ')}${more > 0 ? ` and ${more} others` : ''}]`
    }
    if (this.gte !== undefined) text += ` >=${this.gte}`
    if (this.lte !== undefined) text += ` <=${this.lte}`
    if (this.minValues !== undefined) text += ` minValues ${this.minValues}`
    return text
  }
}

/**
 * Returns the requirement of a spec, or an error message if the spec is invalid. Keys and values must already be canonical (`LabelRules`).
 */
export const parseRequirement = (spec: NodeSelectorRequirement | RequirementSpec): Requirement | string => {
  const { key } = spec
  const values = spec.values ?? []
  const minValues = 'minValues' in spec ? spec.minValues : undefined
  switch (spec.operator) {
    case 'In':
      return Requirement.in(key, values, minValues)
    case 'NotIn':
      return new Requirement(key, true, new Set(values), undefined, undefined, minValues)
    case 'Exists':
      return new Requirement(key, true, NONE, undefined, undefined, minValues)
    case 'DoesNotExist':
      return Requirement.doesNotExist(key, minValues)
    case 'Gt':
    case 'Lt':
    case 'Gte':
    case 'Lte': {
      const bound = values.length === 1 && values[0] !== undefined ? parseInteger(values[0]) : undefined
      if (bound === undefined) return `${key}: operator ${spec.operator} needs exactly one integer`
      if (spec.operator === 'Gt' && bound === LARGEST_INTEGER) return Requirement.doesNotExist(key)
      const gte = spec.operator === 'Gt' ? bound + 1n : spec.operator === 'Gte' ? bound : undefined
      const lte = spec.operator === 'Lt' ? bound - 1n : spec.operator === 'Lte' ? bound : undefined
      return new Requirement(key, true, NONE, gte, lte, minValues)
    }
    default:
      return `${key}: unknown operator ${JSON.stringify(spec.operator)}`
  }
}

const isWithin = (value: string, gte: bigint | undefined, lte: bigint | undefined): boolean => {
  if (gte === undefined && lte === undefined) return true
  const integer = parseInteger(value)
  return integer !== undefined && (gte === undefined || integer >= gte) && (lte === undefined || integer <= lte)
}

const largest = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined ? b : b === undefined || a > b ? a : b

const smallest = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined ? b : b === undefined || a < b ? a : b

const mostValues = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined || a > b ? a : b
