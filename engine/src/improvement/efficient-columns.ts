import { floatAt, outOfRange } from '../column.ts'
import { admissionsOf, type Column } from './columns.ts'
import type { Model } from './model.ts'
import type { Shape } from './shapes.ts'

/** With no more columns than this all are kept. */
const FEW_COLUMNS = 150
/** A column is good for a shape on which no other costs less than this share of it. */
const NEARLY_BEST = 0.85
/** Columns whose prices differ by less are alternatives to one another, as a logarithm. */
const PRICE_STEP = Math.log(1.4)
/** Least value, as a share of the best column's, that a column must be good for. */
const LEAST_VALUE = 0.1
/** No more shapes than this are compared on every column. */
const MOST_COMPARED = 400
/** Shapes of one admission are taken by their ratio of cpu to memory in so many parts. */
const RATIOS = 3

/** What the pods of a model cost on some columns at the least, each by itself; estimated from some of the shapes. */
export class LeastCosts {
  readonly #columns: readonly Column[]
  readonly #model: Model
  readonly #least: Float64Array

  constructor(columns: readonly Column[], model: Model) {
    this.#columns = columns
    this.#model = model
    this.#least = leastCosts(columns, model.shapes)
  }

  /** About what all pods cost; no plan costs much less. */
  get total(): number {
    let total = 0
    let compared = 0
    let pods = 0
    for (const shape of this.#model.shapes) {
      const own = podsOf(shape, this.#model)
      const cost = floatAt(this.#least, shape.id)
      pods += own
      if (cost === Number.POSITIVE_INFINITY) continue
      total += cost * own
      compared += own
    }
    return compared === 0 ? 0 : (total * pods) / compared
  }

  /**
   * The columns that a large plan from scratch opens nodes for, numbered anew: none cheaper than `price`, unless a shape fits
   * only those, and of thousands only those that are good for some pods. For the shapes of each admission, by their ratio of
   * cpu to memory, that is the best column of each price step; for every shape there is one at least.
   */
  efficientColumns(price: number): readonly Column[] {
    const large = largeColumns(this.#columns, price)
    const kept = large.length <= FEW_COLUMNS ? large : goodColumns(large, this.#model, this.#least)
    return kept.map((column, id) => ({ ...column, id }))
  }
}

/** What a pod of a shape costs on the column where that is least; infinite for shapes that are not compared. */
const leastCosts = (columns: readonly Column[], shapes: readonly Shape[]): Float64Array => {
  const least = new Float64Array(shapes.length).fill(Number.POSITIVE_INFINITY)
  const every = Math.ceil(shapes.length / MOST_COMPARED)
  for (const column of columns) {
    for (const shape of column.shapes) {
      if (shape % every !== 0) continue
      const cost = costOn(column, shapes[shape])
      if (cost < (least[shape] ?? outOfRange('least', shape))) least[shape] = cost
    }
  }
  return least
}

const podsOf = ({ podSets }: Shape, model: Model): number =>
  podSets.reduce((sum, podSet) => sum + (model.podSets[podSet]?.pods.length ?? 0), 0)

/** The columns without those that cost less than `price`, as far as no shape needs them. */
const largeColumns = (columns: readonly Column[], price: number): readonly Column[] => {
  const reached = new Set<number>()
  const isLarge = (column: Column): boolean => column.price >= price
  for (const column of columns) if (isLarge(column)) for (const shape of column.shapes) reached.add(shape)
  return columns.filter((column) => isLarge(column) || column.shapes.some((shape) => !reached.has(shape)))
}

const goodColumns = (columns: readonly Column[], model: Model, least: Float64Array): readonly Column[] => {
  const partOf = partsOf(model.shapes)
  const values = columns.map((column) => valuesOf(column, model, least, partOf))
  const best = new Map<number, number>()
  for (const value of values) for (const [part, own] of value) best.set(part, Math.max(best.get(part) ?? 0, own))
  const byStep = new Map<string, { readonly column: Column; readonly value: number }>()
  for (const [place, value] of values.entries()) {
    const column = columns[place] ?? outOfRange('columns', place)
    for (const [part, own] of value) {
      if (own < LEAST_VALUE * (best.get(part) ?? 0)) continue
      const key = `${part}|${Math.round(Math.log(column.price) / PRICE_STEP)}`
      if (own > (byStep.get(key)?.value ?? 0)) byStep.set(key, { column, value: own })
    }
  }
  const kept = new Set(Array.from(byStep.values(), ({ column }) => column))
  const reached = new Set<number>()
  for (const column of kept) for (const shape of column.shapes) reached.add(shape)
  for (const column of columns) {
    if (column.shapes.every((shape) => reached.has(shape))) continue
    kept.add(column)
    for (const shape of column.shapes) reached.add(shape)
  }
  return columns.filter((column) => kept.has(column))
}

/** What a pod of a shape costs on a column: its dominant share of the price. */
const costOn = ({ allocatable, price }: Column, shape: Shape | undefined): number => {
  let share = 0
  for (let resource = 0; resource < allocatable.length; resource++) {
    const asked = shape?.row[resource] ?? 0
    if (asked > 0) share = Math.max(share, asked / floatAt(allocatable, resource))
  }
  return share * price
}

/** By shape: its admission, and where it is among the shapes of that by its ratio of cpu to memory. */
const partsOf = (shapes: readonly Shape[]): Int32Array => {
  const parts = new Int32Array(shapes.length)
  const ratioOf = ({ row }: Shape): number => floatAt(row, 0) / Math.max(1, floatAt(row, 1))
  for (const [number, admission] of admissionsOf(shapes).entries()) {
    const sorted = admission.shapes.toSorted((a, b) => ratioOf(a) - ratioOf(b) || a.id - b.id)
    for (const [place, { id }] of sorted.entries())
      parts[id] = number * RATIOS + Math.floor((place * RATIOS) / sorted.length)
  }
  return parts
}

/** By part: the worth of all pods that a column is good for. */
const valuesOf = (
  column: Column,
  model: Model,
  least: Float64Array,
  partOf: Int32Array,
): ReadonlyMap<number, number> => {
  const values = new Map<number, number>()
  for (const number of column.shapes) {
    const shape = model.shapes[number]
    const best = floatAt(least, number)
    if (shape === undefined || best === Number.POSITIVE_INFINITY || best < NEARLY_BEST * costOn(column, shape)) continue
    const part = partOf[number] ?? outOfRange('parts', number)
    values.set(part, (values.get(part) ?? 0) + best * podsOf(shape, model))
  }
  return values
}
