import { entryAt, floatAt, outOfRange } from '../column.ts'
import { atOnce, type Steps } from '../steps.ts'
import { columnsOf, EVERY_COLUMN } from './columns.ts'
import type { Model } from './model.ts'

/** Splits of a node's price over resources that are tried, in twelfths. */
const PARTS = 12

/**
 * What no plan for these pods can cost less than. Split each offering's price over its resources in fixed parts: a pod then
 * costs at least its share of each resource at the part's price on the offering where that is least, and the pods of one
 * node together never more than the node. Every split gives a bound; the best of a grid is taken. Pods
 * that the improvement leaves where they are count for nothing. A step is one split.
 */
export function* boundInSteps(model: Model): Steps<number> {
  const columns = columnsOf(model, EVERY_COLUMN)
  const { podSets, shapes, width } = model
  const weighty = mainResources(model)
  let best = 0
  for (const split of splits(weighty.length)) {
    const least = new Float64Array(shapes.length).fill(Number.POSITIVE_INFINITY)
    for (const { allocatable, price, shapes: taken } of columns) {
      for (const shape of taken) {
        const { row } = shapes[shape] ?? outOfRange('shapes', shape)
        let share = 0
        for (const [place, resource] of weighty.entries()) {
          const available = floatAt(allocatable, resource)
          if (available > 0) share += (entryAt(split, place) * floatAt(row, resource)) / available
        }
        least[shape] = Math.min(floatAt(least, shape), share * price)
      }
    }
    let bound = 0
    for (const { id, podSets: members } of shapes) {
      const own = floatAt(least, id)
      if (!Number.isFinite(own)) continue
      for (const podSet of members) bound += own * (podSets[podSet]?.pods.length ?? 0)
    }
    best = Math.max(best, bound)
    yield
  }
  return width === 0 ? 0 : best
}

/** As `boundInSteps`, at once. */
export const lowerBound = (model: Model): number => atOnce(boundInSteps(model))

/** The resources that matter: at most four, those asked for most relative to what nodes have. */
const mainResources = (model: Model): readonly number[] => {
  const totals = Array.from({ length: model.width }, (_, resource) => ({
    resource,
    asked: model.podSets.reduce((sum, { row, pods }) => sum + floatAt(row, resource) * pods.length, 0),
  }))
  return totals
    .filter(({ asked }) => asked > 0)
    .map(({ resource }) => resource)
    .slice(0, 4)
}

function* splits(count: number, left = PARTS): Iterable<readonly number[]> {
  if (count <= 1) {
    yield [left / PARTS]
    return
  }
  for (let own = 0; own <= left; own++) {
    for (const rest of splits(count - 1, left - own)) yield [own / PARTS, ...rest]
  }
}
