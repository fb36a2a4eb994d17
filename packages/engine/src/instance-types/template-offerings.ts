import { entryAt, floatAt, intAt } from '../column.ts'
import type { InstanceTypeOptions } from '../model/instance-type-options.ts'
import type { OfferingIndex, OfferingSets } from '../model/offering-index.ts'
import type { Template } from '../model/template.ts'
import type { LabelRules } from '../requirements/label-rules.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { ResourceTable } from '../resources/resource-table.ts'
import { IndexedOfferingSets } from './offering-sets.ts'

const knownSets = new WeakMap<InstanceTypeOptions, OfferingSets>()
const knownRows = new WeakMap<InstanceTypeOptions, { readonly table: string; readonly allocatable: AllocatableRows }>()

const offeringSets = (typeOptions: InstanceTypeOptions, rules: LabelRules): OfferingSets => {
  let sets = knownSets.get(typeOptions)
  if (sets === undefined) {
    sets = new IndexedOfferingSets(typeOptions, rules)
    knownSets.set(typeOptions, sets)
  }
  return sets
}

/**
 * Returns the capacity that offerings leave for pods, in the columns and units of a resource table. For each pool's options, the result for
 * the last table is cached.
 */
const readAllocatableRows = (typeOptions: InstanceTypeOptions, table: ResourceTable): AllocatableRows => {
  const known = knownRows.get(typeOptions)
  if (known?.table === table.identity) return known.allocatable
  const allocatable = new AllocatableRows(typeOptions, table)
  knownRows.set(typeOptions, { table: table.identity, allocatable })
  return allocatable
}

/** The capacity that offerings leave for pods, as rows. */
class AllocatableRows {
  readonly vectorOf: Int32Array
  readonly pairOf: Int32Array
  readonly pairCount: number
  readonly rows: Float64Array
  readonly largestFirst: Int32Array

  constructor({ offerings, types, daemonGroups }: InstanceTypeOptions, table: ResourceTable) {
    const { width } = table
    const vectorOf = new Int32Array(offerings.length)
    const pairOf = new Int32Array(offerings.length)
    const rows: Float64Array[] = []
    const byText = new Map<string, number>()
    const pairs = new PairNumbers(types.length)
    for (let offering = 0; offering < offerings.length; offering++) {
      const entry = offerings[offering]
      if (entry === undefined) continue
      const { allocatable, type } = entry
      let pair = pairs.of(type, allocatable)
      if (pair === undefined) {
        const overhead = daemonGroups[types[type]?.daemonGroup ?? 0]?.overhead
        const hasOverhead = overhead !== undefined && overhead.size > 0
        const row = table.availableRow(hasOverhead ? without(allocatable, overhead) : allocatable)
        const text = row.join()
        let vector = byText.get(text)
        if (vector === undefined) {
          vector = rows.length
          byText.set(text, vector)
          rows.push(row)
        }
        pair = pairs.add(type, allocatable, vector)
      }
      pairOf[offering] = pair
      vectorOf[offering] = entryAt(pairs.vectors, pair)
    }
    const flat = new Float64Array(rows.length * width)
    for (const [index, row] of rows.entries()) flat.set(row, index * width)
    this.vectorOf = vectorOf
    this.pairOf = pairOf
    this.pairCount = pairs.vectors.length
    this.rows = flat
    this.largestFirst = bySum(rows)
  }
}

/** A template's offerings with the capacity that they leave for pods, in the units of one decision. */
export class TemplateOfferings implements OfferingIndex {
  readonly template: Template
  readonly sets: OfferingSets
  /** For each offering, the number of its row in `rows`: allocatable capacity minus the requests of daemons. */
  readonly vectorOf: Int32Array
  /**
   * The instance type and row of each offering, combined into one number. Offerings that differ only in price, zone or capacity type have
   * the same number.
   */
  readonly pairOf: Int32Array
  readonly pairCount: number
  readonly rows: Float64Array
  /** The numbers of the rows, ordered by the sum of their columns, largest first. One of the first rows dominates most of the others. */
  readonly largestFirst: Int32Array
  readonly width: number

  constructor(template: Template, table: ResourceTable, rules: LabelRules) {
    const { vectorOf, pairOf, pairCount, rows, largestFirst } = readAllocatableRows(template.typeOptions, table)
    this.template = template
    this.sets = offeringSets(template.typeOptions, rules)
    this.vectorOf = vectorOf
    this.pairOf = pairOf
    this.pairCount = pairCount
    this.rows = rows
    this.largestFirst = largestFirst
    this.width = table.width
  }

  /** Returns whether offering `index` has enough capacity for `total`. */
  fits(index: number, total: Float64Array, offset = 0): boolean {
    const start = intAt(this.vectorOf, index, 'rows of offerings') * this.width
    for (let column = 0; column < this.width; column++) {
      if (floatAt(total, offset + column) > floatAt(this.rows, start + column)) return false
    }
    return true
  }
}

/** Numbers the pairs of an instance type and its allocatable capacity. For nearly every type, all offerings have the same capacity. */
class PairNumbers {
  /** The row of allocatable capacity of each pair, by the number of the pair. */
  readonly vectors: number[] = []
  readonly #first: Int32Array
  readonly #allocatable: Amounts[] = []
  readonly #more = new Map<Amounts, number>()

  constructor(types: number) {
    this.#first = new Int32Array(types).fill(-1)
  }

  of(type: number, allocatable: Amounts): number | undefined {
    const first = intAt(this.#first, type)
    if (first >= 0 && this.#allocatable[first] === allocatable) return first
    return this.#more.size === 0 ? undefined : this.#more.get(allocatable)
  }

  add(type: number, allocatable: Amounts, vector: number): number {
    const pair = this.vectors.length
    this.vectors.push(vector)
    this.#allocatable.push(allocatable)
    if (intAt(this.#first, type) < 0) this.#first[type] = pair
    // Each capacity object belongs to one instance type, so it identifies the pair.
    else this.#more.set(allocatable, pair)
    return pair
  }
}

const without = (amounts: Amounts, overhead: Amounts): Map<string, bigint> => {
  const left = new Map(amounts)
  for (const [name, amount] of overhead) left.set(name, (left.get(name) ?? 0n) - amount)
  return left
}

const bySum = (rows: readonly Float64Array[]): Int32Array => {
  const sums = Float64Array.from(rows, (row) => {
    let sum = 0
    for (let column = 0; column < row.length; column++) sum += floatAt(row, column)
    return sum
  })
  return Int32Array.from(rows.keys()).sort((a, b) => floatAt(sums, b) - floatAt(sums, a) || a - b)
}
