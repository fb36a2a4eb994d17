import { floatAt } from '../column.ts'
import type { BatchPod, EquivalenceGroup } from '../model/equivalence-group.ts'
import { SLACK_COLUMNS } from './claim-table.ts'

const NO_QUEUE = new Float64Array(0)

/**
 * The smallest requests of the pods that are still to be placed. A cycle is one pass through the queue. The remaining pods are those later
 * in the cycle, and those that this cycle could not place, because the next cycle tries them again.
 */
export class LeastRequest {
  /** The smallest requests, by slack column. The array object never changes. */
  readonly row = new Float64Array(SLACK_COLUMNS)
  readonly #left = new Float64Array(SLACK_COLUMNS)
  /** For each position in the queue, the smallest requests from that position on. */
  #from = NO_QUEUE

  /** Starts a cycle. */
  begin(queue: readonly BatchPod[]): void {
    this.#left.fill(Number.POSITIVE_INFINITY)
    const least = new Float64Array((queue.length + 1) * SLACK_COLUMNS).fill(Number.POSITIVE_INFINITY)
    for (let place = queue.length - 1; place >= 0; place--) {
      const row = queue[place]?.equivalenceGroup.row
      for (let column = 0; column < SLACK_COLUMNS; column++) {
        const after = floatAt(least, (place + 1) * SLACK_COLUMNS + column)
        least[place * SLACK_COLUMNS + column] = Math.min(after, row?.[column] ?? 0)
      }
    }
    this.#from = least
  }

  /** Updates `row` before the pod at this position of the queue is tried. */
  reach(place: number): void {
    for (let column = 0; column < SLACK_COLUMNS; column++) {
      this.row[column] = Math.min(floatAt(this.#from, place * SLACK_COLUMNS + column), floatAt(this.#left, column))
    }
  }

  /** Records that a pod could not be placed in this cycle. */
  leave({ row }: EquivalenceGroup): void {
    for (let column = 0; column < SLACK_COLUMNS; column++) {
      this.#left[column] = Math.min(floatAt(this.#left, column), floatAt(row, column))
    }
  }
}
