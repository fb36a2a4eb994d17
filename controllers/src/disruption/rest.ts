import type { Milliseconds } from '@kerf/runtime'
import type { Round } from './round.ts'

const MINUTE: Milliseconds = 60_000

/** What a round is about to read. */
export interface Seen {
  readonly version: number
  readonly types: Round['types']
}

/**
 * Remembers that a round found nothing to do. Until something changes that it read, another would find the same, so there
 * is none; except that each minute there is one at any rate, since that is when the windows of budgets open and close,
 * and when a protection that the round met runs out.
 */
export class Rest {
  #seen: Seen | undefined
  #until: Milliseconds = 0

  lasts({ version, types }: Seen, now: Milliseconds): boolean {
    return this.#seen !== undefined && now < this.#until && this.#seen.version === version && this.#seen.types === types
  }

  begin(seen: Seen, round: Pick<Round, 'assessments' | 'now'>): void {
    this.#seen = seen
    this.#until = Math.min((Math.floor(round.now / MINUTE) + 1) * MINUTE, endOfProtections(round))
  }
}

/** When the first of what keeps nodes at the moment of the round ends by itself. */
export const endOfProtections = ({ assessments }: Pick<Round, 'assessments'>): Milliseconds => {
  let end = Number.POSITIVE_INFINITY
  for (const { blockers } of assessments) {
    for (const blocker of blockers) {
      if ('until' in blocker && blocker.until !== undefined) end = Math.min(end, blocker.until)
    }
  }
  return end
}
