import type { LabelRules } from '../requirements/label-rules.ts'
import type { ResourceTable } from '../resources/resource-table.ts'
import { OfferingSets } from './offering-sets.ts'
import type { Template } from './template.ts'

const knownSets = new WeakMap<Template, OfferingSets>()

const setsOf = (template: Template, rules: LabelRules): OfferingSets => {
  let sets = knownSets.get(template)
  if (sets === undefined) {
    sets = new OfferingSets(template, rules)
    knownSets.set(template, sets)
  }
  return sets
}

/** A template's offerings with the room they leave to pods, in the units of one decision. */
export class OfferingIndex {
  readonly template: Template
  readonly sets: OfferingSets
  /** Row of allocatable room, daemons taken off, of each offering: a number into `rows`. */
  readonly vectorOf: Int32Array
  readonly rows: Float64Array
  readonly width: number

  constructor(template: Template, table: ResourceTable, rules: LabelRules) {
    this.template = template
    this.sets = setsOf(template, rules)
    this.width = table.width
    this.vectorOf = new Int32Array(template.offerings.length)
    this.rows = this.#vectors(table)
  }

  #vectors(table: ResourceTable): Float64Array {
    const known = new Map<ReadonlyMap<string, bigint>, Map<number, number>>()
    const rows: Float64Array[] = []
    const byText = new Map<string, number>()
    for (const [index, { allocatable, type }] of this.template.offerings.entries()) {
      const group = this.template.types[type]?.daemonGroup ?? 0
      let byGroup = known.get(allocatable)
      if (byGroup === undefined) {
        byGroup = new Map()
        known.set(allocatable, byGroup)
      }
      let vector = byGroup.get(group)
      if (vector === undefined) {
        const left = new Map(allocatable)
        for (const [name, amount] of this.template.daemonGroups[group]?.overhead ?? []) {
          left.set(name, (left.get(name) ?? 0n) - amount)
        }
        const row = table.roomRow(left)
        const text = row.join()
        vector = byText.get(text)
        if (vector === undefined) {
          vector = rows.length
          byText.set(text, vector)
          rows.push(row)
        }
        byGroup.set(group, vector)
      }
      this.vectorOf[index] = vector
    }
    const flat = new Float64Array(rows.length * table.width)
    for (const [index, row] of rows.entries()) flat.set(row, index * table.width)
    return flat
  }

  /** Whether `total` fits what offering `index` leaves to pods. */
  fits(index: number, total: Float64Array, offset = 0): boolean {
    const start = (this.vectorOf[index] ?? 0) * this.width
    for (let column = 0; column < this.width; column++) {
      if ((total[offset + column] ?? 0) > (this.rows[start + column] ?? 0)) return false
    }
    return true
  }
}
