import { entryAt, floatAt, outOfRange } from '../column.ts'
import { atOnce, type Steps } from '../steps.ts'
import { EVERY_COLUMN, generateColumns } from './columns.ts'
import type { Model } from './model.ts'

/** The prices of offerings are divided among resources in multiples of 1/12. */
const PARTS = 12

/**
 * Computes a lower bound for the cost of all plans for these pods. A split divides the price of each offering among its resources in fixed
 * parts. Under a split, a pod takes a share of each resource of an offering, and pays the same share of that resource's part of the price.
 * The pod's cost is this sum on the offering for which it is smallest. The pods on a node together never cost more than the node, so every
 * split gives a bound. The result is the best bound over a grid of splits. Each step tries one split. Pods that the improvement pass does
 * not move count as free.
 */
export function* boundInSteps(model: Model): Steps<number> {
  const columns = generateColumns(model, EVERY_COLUMN)
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

/** Does the same as `boundInSteps` at once. */
export const lowerBound = (model: Model): number => atOnce(boundInSteps(model))

/** Returns the resources among which prices are divided: the first four that pods request. */
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
