import { type Clock, TtlCache } from '@kerf/runtime'
import type { SsmApi } from '../api/aws-api.ts'

const DAY = 86_400_000
const OWN_TTL = 300_000

interface Held {
  readonly value: string
  readonly isMutable: boolean
}

/** Reads Systems Manager parameters. Parameters that AWS publishes change rarely and are cached for a day. */
export class SsmParameters {
  readonly #ssm: SsmApi
  readonly #held: TtlCache<string, Held>
  readonly #names = new Set<string>()

  constructor(ssm: SsmApi, clock: Clock) {
    this.#ssm = ssm
    this.#held = new TtlCache(clock, { ttl: DAY })
  }

  /**
   * Returns the value. Throws the error of the API.
   *
   * @param kind `latest` if the value moves to newer images, `pinned` if it does not, `own` for a user's own parameter.
   */
  async get(name: string, kind: 'latest' | 'pinned' | 'own', signal: AbortSignal): Promise<string | undefined> {
    const known = this.#held.get(name)
    if (known !== undefined) return known.value
    const value = await this.#ssm.getParameter(name, signal)
    if (value === undefined) return undefined
    this.#names.add(name)
    this.#held.set(name, { value, isMutable: kind === 'latest' }, kind === 'own' ? OWN_TTL : DAY)
    return value
  }

  /** The cached values of moving parameters, by name. */
  get moving(): ReadonlyMap<string, string> {
    const held = new Map<string, string>()
    for (const name of this.#names) {
      const entry = this.#held.get(name)
      if (entry === undefined) this.#names.delete(name)
      else if (entry.isMutable) held.set(name, entry.value)
    }
    return held
  }

  /** Removes a parameter from the cache, so that the next request reads it from AWS. */
  forget(name: string): void {
    this.#held.delete(name)
    this.#names.delete(name)
  }
}
