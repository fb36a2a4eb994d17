import { forEachBit, NO_STATE } from '../catalogue/states.ts'
import { portsConflict } from '../pods/host-ports.ts'
import type { Kind, Model } from './model.ts'

/** A kind of node worth considering: an offering that no other is at least as good as in every respect. */
export interface Column {
  readonly id: number
  readonly template: number
  readonly offering: number
  readonly price: number
  /** Room, as a row. */
  readonly room: Float64Array
  /** Kinds it takes, ascending. */
  readonly kinds: readonly number[]
  readonly takes: Uint8Array
}

/** The state of a node of a template after a kind joins; `NO_STATE` if it may not. */
export const joinKind = (model: Model, state: number, kind: Kind): number => {
  const { states } = model
  const to = states.join(state, kind.requirements)
  if (to === NO_STATE || kind.ports.length === 0) return to
  const conflicting: number[] = []
  for (const [group, { ports }] of states.get(to).index.template.daemonGroups.entries()) {
    if (portsConflict(kind.ports, ports)) conflicting.push(group)
  }
  return conflicting.length === 0 ? to : states.exclude(to, conflicting)
}

const fits = (row: Float64Array, rows: Float64Array, start: number): boolean => {
  for (let column = 0; column < row.length; column++) if ((row[column] ?? 0) > (rows[start + column] ?? 0)) return false
  return true
}

/** Which kinds each offering of a template takes, by offering; empty sets left out. */
const admissions = (model: Model, template: number): Map<number, number[]> => {
  const { run, states, kinds } = model
  const admitted = new Map<number, number[]>()
  const root = states.root(template)
  if (root === NO_STATE) return admitted
  const { taints } = run.world.templates[template] ?? { taints: [] }
  for (const kind of kinds) {
    if (!kind.templates.includes(template) || !run.world.tolerates(kind.tolerations, taints)) continue
    const joined = joinKind(model, root, kind)
    if (joined === NO_STATE) continue
    const { offerings, index } = states.get(joined)
    forEachBit(offerings, (offering) => {
      if (!fits(kind.row, index.rows, (index.vectorOf[offering] ?? 0) * index.width)) return
      const known = admitted.get(offering)
      if (known === undefined) admitted.set(offering, [kind.id])
      else known.push(kind.id)
    })
  }
  return admitted
}

/** Prices nearer to each other than this are one step: a node is priced by its content in the end, so steps lose little. */
const PRICE_STEP = Math.log(1.12)
/** Ratios of cpu to memory nearer to each other than this are one shape. */
const SHAPE_STEP = Math.log(1.5)
/** With more kinds times offerings than this even listing the columns takes too long. */
const MOST_WORK = 4_000_000

const step = (value: number, size: number): number => (value > 0 ? Math.round(Math.log(value) / size) : -9999)

/** All columns of a model, template by template in price order; none if there would be too many to look at. */
export const columnsOf = (model: Model): readonly Column[] => {
  const { run, states, kinds, width } = model
  const columns: Column[] = []
  const offeringCount = run.world.templates.reduce((sum, { offerings }) => sum + offerings.length, 0)
  if (offeringCount * kinds.length > MOST_WORK) return columns
  for (const { index: template } of run.world.templates) {
    const admitted = admissions(model, template)
    if (admitted.size === 0) continue
    const { index } = states.get(states.root(template))
    const kept: Column[] = []
    const steps = new Set<string>()
    for (const offering of [...admitted.keys()].sort((a, b) => a - b)) {
      const own = admitted.get(offering) ?? []
      const start = (index.vectorOf[offering] ?? 0) * width
      const room = index.rows.slice(start, start + width)
      // Offerings come by price, so whatever was kept is no dearer.
      const isCovered = kept.some(
        (column) => fits(room, column.room, 0) && own.every((kind) => column.takes[kind] === 1),
      )
      if (isCovered) continue
      const { price } = index.template.offerings[offering] ?? { price: 0 }
      const shape = (room[0] ?? 0) / Math.max(1, room[1] ?? 0)
      const place = `${step(price, PRICE_STEP)}|${step(shape, SHAPE_STEP)}|${own.join()}`
      if (steps.has(place)) continue
      steps.add(place)
      const takes = new Uint8Array(kinds.length)
      for (const kind of own) takes[kind] = 1
      kept.push({ id: columns.length + kept.length, template, offering, price, room, kinds: own, takes })
    }
    columns.push(...kept)
  }
  return columns
}
