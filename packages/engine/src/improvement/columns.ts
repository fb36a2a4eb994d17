import { entryAt, floatAt, intAt, outOfRange, wordAt } from '../column.ts'
import { forEachBit } from '../instance-types/claim-constraints-table.ts'
import { NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import { UNKNOWN_PRICE } from '../model/instance-type-options.ts'
import { joinWith, type Model } from './model.ts'
import { admissionText, type Shape } from './shapes.ts'

/**
 * An offering for which the improvement pass fills nodes. It is not dominated: no other offering of its template is at least as good in
 * every respect.
 */
export interface Column {
  readonly id: number
  readonly template: number
  readonly offering: number
  readonly price: number
  /** The allocatable capacity, as a row of numbers. */
  readonly allocatable: Float64Array
  /** The numbers of the pod shapes of which at least one pod fits on the column's offering, in ascending order. */
  readonly shapes: Int32Array
}

/** Returns the pod sets of which at least one pod fits on the column's offering. */
export const columnPodSets = ({ shapes }: Column, model: Model): readonly number[] =>
  Array.from(shapes).flatMap((shape) => model.shapes[shape]?.podSets ?? [])

/** A group of pod shapes that are allowed on the same offerings. They differ only in their requests. */
export interface Admission {
  readonly sample: Shape
  readonly shapes: Shape[]
}

export const computeAdmissions = (shapes: readonly Shape[]): readonly Admission[] => {
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

/** For each offering of a template, returns which admissions (groups of pod shapes) it allows, as bits. */
const admittedBy = (model: Model, template: number, admissions: readonly Admission[]): Map<number, Uint32Array> => {
  const { run, constraintsTable, roots } = model
  const admitted = new Map<number, Uint32Array>()
  const root = entryAt(roots, template, 'roots of templates')
  if (root === NO_CONSTRAINTS) return admitted
  const { taints, name } = run.problem.templates[template] ?? outOfRange('templates', template)
  for (const [number, { sample }] of admissions.entries()) {
    if (!sample.templates.includes(template) || !run.problem.admits(sample.tolerations, taints, name)) continue
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

/**
 * Determines how coarsely offerings are sampled as columns. A coarse sample loses little, because a finished node gets the cheapest
 * offering that holds its pods.
 */
export interface Coarseness {
  /** Offerings belong to the same step if the logarithms of their prices differ by less than this. 0 keeps all columns. */
  readonly price: number
  /** The corresponding tolerance for the logarithm of the ratio of cpu to memory. */
  readonly shape: number
}

export const EVERY_COLUMN: Coarseness = { price: 0, shape: 0 }
export const COARSE: Coarseness = { price: Math.log(1.12), shape: Math.log(1.5) }

const step = (value: number, size: number): number => (value > 0 ? Math.round(Math.log(value) / size) : -9999)

/** Returns the columns of a model, template by template in price order. */
export const generateColumns = (
  model: Model,
  { price: priceStep, shape: shapeStep }: Coarseness,
): readonly Column[] => {
  const { run, constraintsTable, shapes, width, roots } = model
  const admissions = computeAdmissions(shapes)
  const admissionOf = new Int32Array(shapes.length)
  for (const [number, admission] of admissions.entries())
    for (const { id } of admission.shapes) admissionOf[id] = number
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
      if (bits === undefined) continue
      const entry = index.template.offerings[offering] ?? outOfRange('offerings', offering)
      // Offerings are in price order, and unknown prices come last, so no later offering has a known price.
      if (entry.price === UNKNOWN_PRICE) break
      const price = entry.price + model.nodeOverheadCost
      const shape = floatAt(index.rows, start) / Math.max(1, floatAt(index.rows, start + 1))
      const place = priceStep > 0 ? `${step(price, priceStep)}|${step(shape, shapeStep)}|${bits.join()}` : ''
      if (seen.has(place)) continue
      // Offerings are in price order, so no column kept so far is more expensive.
      if (kept.some((other) => isCovered(index.rows, width, vector, other.vector) && isSubset(bits, other.bits)))
        continue
      if (priceStep > 0) seen.add(place)
      const allocatable = index.rows.slice(start, start + width)
      const own: number[] = []
      for (const { id, row } of shapes) {
        const number = intAt(admissionOf, id)
        const isAdmitted = (wordAt(bits, number >>> 5) & (1 << (number & 31))) !== 0
        if (isAdmitted && fits(row, allocatable, 0)) own.push(id)
      }
      if (own.length === 0) continue
      kept.push({ vector, bits })
      columns.push({ id: columns.length, template, offering, price, allocatable, shapes: Int32Array.from(own) })
    }
  }
  return columns
}

const isCovered = (rows: Float64Array, width: number, smaller: number, larger: number): boolean => {
  const from = smaller * width
  const to = larger * width
  for (let column = 0; column < width; column++) {
    const small = rows[from + column] ?? outOfRange('rows', from + column)
    if (small > (rows[to + column] ?? outOfRange('rows', to + column))) return false
  }
  return true
}
