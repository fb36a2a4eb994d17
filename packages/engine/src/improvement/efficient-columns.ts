import { floatAt, outOfRange } from '../column.ts'
import { type Column, computeAdmissions } from './columns.ts'
import type { Model } from './model.ts'
import type { Shape } from './shapes.ts'

/** If there are at most this many columns, all are kept. */
const FEW_COLUMNS = 150
/** A column is good for a pod shape if the shape's cost on the best column is at least this fraction of its cost on this column. */
const NEARLY_BEST = 0.85
/** Columns are alternatives if the logarithms of their prices differ by less than this. */
const PRICE_STEP = Math.log(1.4)
/** A column is left out if the pods that it is good for are worth less than this fraction of those of the best column. */
const LEAST_VALUE = 0.1
/** The maximum number of shapes to compare on every column. */
const MOST_COMPARED = 400
/** Shapes with the same admission are divided into this many classes by their ratio of cpu to memory. */
const RATIOS = 3

/** For each shape, the cost of a single pod on the cheapest of the given columns. Computed only for a sample of the shapes. */
export class LeastCosts {
  readonly #columns: readonly Column[]
  readonly #model: Model
  readonly #least: Float64Array

  constructor(columns: readonly Column[], model: Model) {
    this.#columns = columns
    this.#model = model
    this.#least = leastCosts(columns, model.shapes)
  }

  /** The estimated cost of all pods. No plan costs much less than this. */
  get total(): number {
    let total = 0
    let compared = 0
    let pods = 0
    for (const shape of this.#model.shapes) {
      const own = podCount(shape, this.#model)
      const cost = floatAt(this.#least, shape.id)
      pods += own
      if (cost === Number.POSITIVE_INFINITY) continue
      total += cost * own
      compared += own
    }
    return compared === 0 ? 0 : (total * pods) / compared
  }

  /**
   * Returns the columns (with new ids) that a large plan from scratch may open. Leaves out columns that cost less than `price`, except
   * those that some shape needs. If there are many columns, keeps only the best column of each price step for each class of shapes (same
   * admission, similar ratio of cpu to memory). Every shape keeps at least one column.
   */
  efficientColumns(price: number): readonly Column[] {
    const large = largeColumns(this.#columns, price)
    const kept = large.length <= FEW_COLUMNS ? large : goodColumns(large, this.#model, this.#least)
    return kept.map((column, id) => ({ ...column, id }))
  }
}

/** Returns the cost of a pod of each shape on its cheapest column; infinite for shapes that are not in the sample. */
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

const podCount = ({ podSets }: Shape, model: Model): number =>
  podSets.reduce((sum, podSet) => sum + (model.podSets[podSet]?.pods.length ?? 0), 0)

/** Returns the columns that cost at least `price`, and cheaper columns that a shape needs. */
const largeColumns = (columns: readonly Column[], price: number): readonly Column[] => {
  const reached = new Set<number>()
  const isLarge = (column: Column): boolean => column.price >= price
  for (const column of columns) if (isLarge(column)) for (const shape of column.shapes) reached.add(shape)
  return columns.filter((column) => isLarge(column) || column.shapes.some((shape) => !reached.has(shape)))
}

const goodColumns = (columns: readonly Column[], model: Model, least: Float64Array): readonly Column[] => {
  const partOf = shapeClasses(model.shapes)
  const values = columns.map((column) => columnValues(column, model, least, partOf))
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

/** Returns the cost of a pod of a shape on a column: the pod's dominant share of the column, times the price. */
const costOn = ({ allocatable, price }: Column, shape: Shape | undefined): number => {
  let share = 0
  for (let resource = 0; resource < allocatable.length; resource++) {
    const asked = shape?.row[resource] ?? 0
    if (asked > 0) share = Math.max(share, asked / floatAt(allocatable, resource))
  }
  return share * price
}

/** Returns the class of each shape: its admission, and its position by ratio of cpu to memory among the shapes of that admission. */
const shapeClasses = (shapes: readonly Shape[]): Int32Array => {
  const parts = new Int32Array(shapes.length)
  const cpuPerMemory = ({ row }: Shape): number => floatAt(row, 0) / Math.max(1, floatAt(row, 1))
  for (const [number, admission] of computeAdmissions(shapes).entries()) {
    const sorted = admission.shapes.toSorted((a, b) => cpuPerMemory(a) - cpuPerMemory(b) || a.id - b.id)
    for (const [place, { id }] of sorted.entries())
      parts[id] = number * RATIOS + Math.floor((place * RATIOS) / sorted.length)
  }
  return parts
}

/** For each class of shapes, returns the total value of the pods for which a column is good. */
const columnValues = (
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
    values.set(part, (values.get(part) ?? 0) + best * podCount(shape, model))
  }
  return values
}
