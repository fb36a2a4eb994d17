import { columnsOf } from './columns.ts'
import type { Model } from './model.ts'

/** Splits of a node's price over resources that are tried, in twelfths. */
const PARTS = 12

/**
 * What no plan for these pods can cost less than. Split each offering's price over its resources in fixed parts: a pod then
 * costs at least its share of each resource at the part's price on the offering where that is least, and the pods of one
 * node together never more than the node. Every split gives a bound; the best of a grid is taken. Pods
 * that the improvement leaves where they are count for nothing.
 */
export const lowerBound = (model: Model): number => {
  const columns = columnsOf(model)
  const { kinds, width } = model
  const weighty = mainResources(model)
  let best = 0
  for (const split of splits(weighty.length)) {
    let bound = 0
    for (const kind of kinds) {
      let least = Number.POSITIVE_INFINITY
      for (const column of columns) {
        if (column.takes[kind.id] !== 1) continue
        let share = 0
        for (const [place, resource] of weighty.entries()) {
          const room = column.room[resource] ?? 0
          if (room > 0) share += ((split[place] ?? 0) * (kind.row[resource] ?? 0)) / room
        }
        least = Math.min(least, share * column.price)
      }
      if (Number.isFinite(least)) bound += least * kind.pods.length
    }
    best = Math.max(best, bound)
  }
  return width === 0 ? 0 : best
}

/** The resources that matter: at most four, those asked for most relative to what nodes have. */
const mainResources = (model: Model): readonly number[] => {
  const totals = Array.from({ length: model.width }, (_, resource) => ({
    resource,
    asked: model.kinds.reduce((sum, { row, pods }) => sum + (row[resource] ?? 0) * pods.length, 0),
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
