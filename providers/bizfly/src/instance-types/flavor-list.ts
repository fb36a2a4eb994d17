import type { Milliseconds } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import { type Clock, textOfThrown } from '@kerf/runtime'
import type { BizflyApi } from '../api/bizfly-api.ts'
import { bizflyErrors } from '../bizfly-errors.ts'
import { type FlavorFacts, flavorFacts } from './flavor-facts.ts'

const LISTED_FOR: Milliseconds = 3_600_000

/** The flavors that are suitable for nodes. While Bizfly Cloud is unavailable, Kerf keeps using the last list. */
export class FlavorList {
  readonly #api: BizflyApi
  readonly #cache: ReadCache<readonly FlavorFacts[]>
  #last: readonly FlavorFacts[] | undefined

  constructor(api: BizflyApi, clock: Clock) {
    this.#api = api
    this.#cache = new ReadCache(clock, { ttl: LISTED_FOR, refusedFor: 5_000 })
  }

  /**
   * Returns the flavors. Returns the same list until Kerf reads it again.
   * @throws KerfError `NoBizflyAnswer` until Bizfly Cloud has responded once
   */
  async read(signal: AbortSignal): Promise<readonly FlavorFacts[]> {
    try {
      this.#last = await this.#cache.read('', (inner) => this.#ask(inner), signal)
      return this.#last
    } catch (error) {
      signal.throwIfAborted()
      if (this.#last !== undefined) return this.#last
      throw bizflyErrors.NoBizflyAnswer({ what: 'instance types', problem: textOfThrown(error) }, { cause: error })
    }
  }

  async #ask(signal: AbortSignal): Promise<readonly FlavorFacts[]> {
    const flavors = await this.#api.flavors(signal)
    return flavors.flatMap((flavor) => flavorFacts(flavor) ?? [])
  }
}
