import type { Milliseconds } from '@kerf/runtime'
import type { Assessment } from '../candidates/assessment.ts'
import type { OfferedTypes } from '../candidates/offered-types.ts'

const MINUTE: Milliseconds = 60_000

/** What a round is about to read. */
export interface PassInput {
  readonly version: number
  readonly types: OfferedTypes
}

/** What of a round tells when time alone makes another one differ. */
interface Look {
  readonly now: Milliseconds
  readonly assessments: readonly Assessment[]
}

/** After this long there is a round even if nothing has happened: what it tells is to be heard again now and then. */
const LONGEST: Milliseconds = 5 * MINUTE

/**
 * Remembers that a round found nothing to do. Until something changes that it read, another would find the same, so there
 * is none, for five minutes at the most. It ends sooner when a protection that the round met runs out, and at a full
 * minute, when time alone may make a difference: that is when the windows of budgets open and close.
 */
export class IdlePasses {
  #seen: PassInput | undefined
  #until: Milliseconds = 0

  lasts({ version, types }: PassInput, now: Milliseconds): boolean {
    return this.#seen !== undefined && now < this.#until && this.#seen.version === version && this.#seen.types === types
  }

  /** `lookAgain`: when time alone may make a difference; past or now for any moment. */
  begin(seen: PassInput, round: Look, lookAgain: Milliseconds): void {
    const next = (Math.floor(round.now / MINUTE) + 1) * MINUTE
    const later = Math.min(Math.ceil(lookAgain / MINUTE) * MINUTE, next - MINUTE + LONGEST)
    this.#seen = seen
    this.#until = Math.min(Math.max(next, later), endOfProtections(round))
  }
}

/** When the first of what keeps nodes at the moment of the round ends by itself. */
export const endOfProtections = ({ assessments }: Pick<Look, 'assessments'>): Milliseconds => {
  let end = Number.POSITIVE_INFINITY
  for (const { blockers } of assessments) {
    for (const blocker of blockers) {
      if ('until' in blocker && blocker.until !== undefined) end = Math.min(end, blocker.until)
    }
  }
  return end
}
