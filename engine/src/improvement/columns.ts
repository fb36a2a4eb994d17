import { entryAt, floatAt, intAt, outOfRange, wordAt } from '../column.ts'
import { forEachBit } from '../instance-types/claim-constraints-table.ts'
import { NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import { UNKNOWN_PRICE } from '../model/instance-type-options.ts'
import { joinWith, type Model } from './model.ts'
import { admissionText, type Shape } from './shapes.ts'

/** An offering of a template that is worth considering: no other is at least as good in every respect. */
export interface Column {
  readonly id: number
  readonly template: number
  readonly offering: number
  readonly price: number
  /** Room, as a row. */
  readonly allocatable: Float64Array
  /** Ids of the shapes of which it can hold at least one pod, ascending. */
  readonly shapes: Int32Array
}

/** The pod sets of which a column can hold at least one pod. */
export const podSetsOf = ({ shapes }: Column, model: Model): readonly number[] =>
  Array.from(shapes).flatMap((shape) => model.shapes[shape]?.podSets ?? [])

/** Shapes that are equal in all but their requests: the same offerings admit them. */
interface Admission {
  readonly sample: Shape
  readonly shapes: Shape[]
}

const admissionsOf = (shapes: readonly Shape[]): readonly Admission[] => {
  const byText = new Map<string, Admission>()
  for (const shape of shapes) {
    const text = admissionText(shape)
    const known = byText.get(text)
    if (known === undefined) byText.set(text, { sample: shape, shapes: [shape] })
    else known.shapes.push(shape)
  }
  return [...byText.values()]
}

const fits = (row: Float64Array, rows: Float64Array, start: number): boolean => {
  for (let column = 0; column < row.length; column++)
    if (floatAt(row, column) > floatAt(rows, start + column)) return false
  return true
}

const isSubset = (a: Uint32Array, b: Uint32Array): boolean => {
  for (let word = 0; word < a.length; word++) if ((wordAt(a, word) & ~wordAt(b, word)) !== 0) return false
  return true
}

/** Which admissions each offering of a template has, as bits, by offering. */
const admittedBy = (model: Model, template: number, admissions: readonly Admission[]): Map<number, Uint32Array> => {
  const { run, constraintsTable, roots } = model
  const admitted = new Map<number, Uint32Array>()
  const root = entryAt(roots, template, 'roots of templates')
  if (root === NO_CONSTRAINTS) return admitted
  const { taints } = run.problem.templates[template] ?? outOfRange('templates', template)
  for (const [number, { sample }] of admissions.entries()) {
    if (!sample.templates.includes(template) || !run.problem.tolerates(sample.tolerations, taints)) continue
    for (const requirements of sample.requirements) {
      const joined = joinWith(model, root, sample, requirements)
      if (joined === NO_CONSTRAINTS) continue
      forEachBit(constraintsTable.get(joined).offerings, (offering) => {
        let bits = admitted.get(offering)
        if (bits === undefined) {
          bits = new Uint32Array((admissions.length + 31) >>> 5)
          admitted.set(offering, bits)
        }
        bits[number >>> 5] = wordAt(bits, number >>> 5) | (1 << (number & 31))
      })
    }
  }
  return admitted
}

/** How far apart columns must be: nodes are priced by their content in the end, so steps lose little. */
export interface Coarseness {
  /** Prices whose logarithms are nearer to each other are one step; 0 keeps all. */
  readonly price: number
  /** The same for the ratio of cpu to memory. */
  readonly shape: number
}

export const EVERY_COLUMN: Coarseness = { price: 0, shape: 0 }
export const COARSE: Coarseness = { price: Math.log(1.12), shape: Math.log(1.5) }

const step = (value: number, size: number): number => (value > 0 ? Math.round(Math.log(value) / size) : -9999)

/** All columns of a model, template by template in price order. */
export const columnsOf = (model: Model, { price: priceStep, shape: shapeStep }: Coarseness): readonly Column[] => {
  const { run, constraintsTable, shapes, width, roots } = model
  const admissions = admissionsOf(shapes)
  const columns: Column[] = []
  for (const { index: template } of run.problem.templates) {
    const admitted = admittedBy(model, template, admissions)
    if (admitted.size === 0) continue
    const { index } = constraintsTable.get(entryAt(roots, template, 'roots of templates'))
    const kept: { vector: number; bits: Uint32Array }[] = []
    const seen = new Set<string>()
    for (const offering of [...admitted.keys()].sort((a, b) => a - b)) {
      const bits = admitted.get(offering)
      const vector = intAt(index.vectorOf, offering, 'rows of offerings')
      const start = vector * width
      // Offerings come by price, so whatever was kept is no dearer.
      if (bits === undefined) continue
      if (kept.some((other) => isCovered(index.rows, width, vector, other.vector) && isSubset(bits, other.bits)))
        continue
      const entry = index.template.offerings[offering] ?? outOfRange('offerings', offering)
      // Offerings come by price: none of those that are left has one.
      if (entry.price === UNKNOWN_PRICE) break
      const price = entry.price + model.nodeOverheadCost
      const allocatable = index.rows.slice(start, start + width)
      if (priceStep > 0) {
        const shape = floatAt(allocatable, 0) / Math.max(1, floatAt(allocatable, 1))
        const place = `${step(price, priceStep)}|${step(shape, shapeStep)}|${bits.join()}`
        if (seen.has(place)) continue
        seen.add(place)
      }
      const own: number[] = []
      for (const [number, admission] of admissions.entries()) {
        if ((wordAt(bits, number >>> 5) & (1 << (number & 31))) === 0) continue
        for (const shape of admission.shapes) if (fits(shape.row, allocatable, 0)) own.push(shape.id)
      }
      if (own.length === 0) continue
      kept.push({ vector, bits })
      columns.push({ id: columns.length, template, offering, price, allocatable, shapes: Int32Array.from(own).sort() })
    }
  }
  return columns
}

const isCovered = (rows: Float64Array, width: number, smaller: number, larger: number): boolean =>
  fits(rows.subarray(smaller * width, smaller * width + width), rows, larger * width)

/** The columns without those that cost less than `price`, as far as no shape needs them; numbered anew. */
export const largeColumns = (columns: readonly Column[], price: number): readonly Column[] => {
  const reached = new Set<number>()
  const isLarge = (column: Column): boolean => column.price >= price
  for (const column of columns) if (isLarge(column)) for (const shape of column.shapes) reached.add(shape)
  return columns
    .filter((column) => isLarge(column) || column.shapes.some((shape) => !reached.has(shape)))
    .map((column, id) => ({ ...column, id }))
}
