import { floatAt } from '../column.ts'
import type { BatchPod, PodGroup } from '../model/pod-group.ts'
import { SLACK_COLUMNS } from './claim-table.ts'

const NO_QUEUE = new Float64Array(0)

/**
 * The least that any pod still to be placed asks for, while a queue is gone through in cycles: those that come later in
 * the cycle, and those that were left in it and are tried again.
 */
export class LeastRequest {
  /** By slack column; the same array all the time. */
  readonly row = new Float64Array(SLACK_COLUMNS)
  readonly #left = new Float64Array(SLACK_COLUMNS)
  /** For each place of the cycle's queue the least from there on. */
  #from = NO_QUEUE

  /** A cycle begins. */
  begin(queue: readonly BatchPod[]): void {
    this.#left.fill(Number.POSITIVE_INFINITY)
    const least = new Float64Array((queue.length + 1) * SLACK_COLUMNS).fill(Number.POSITIVE_INFINITY)
    for (let place = queue.length - 1; place >= 0; place--) {
      const row = queue[place]?.podGroup.row
      for (let column = 0; column < SLACK_COLUMNS; column++) {
        const after = floatAt(least, (place + 1) * SLACK_COLUMNS + column)
        least[place * SLACK_COLUMNS + column] = Math.min(after, row?.[column] ?? 0)
      }
    }
    this.#from = least
  }

  /** The pod at this place of the queue comes next. */
  reach(place: number): void {
    for (let column = 0; column < SLACK_COLUMNS; column++) {
      this.row[column] = Math.min(floatAt(this.#from, place * SLACK_COLUMNS + column), floatAt(this.#left, column))
    }
  }

  /** A pod was left. */
  leave({ row }: PodGroup): void {
    for (let column = 0; column < SLACK_COLUMNS; column++) {
      this.#left[column] = Math.min(floatAt(this.#left, column), floatAt(row, column))
    }
  }
}
