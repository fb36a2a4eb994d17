import { type Clock, TtlCache } from '@kerf/runtime'
import type { SsmApi } from '../api/aws-api.ts'

const DAY = 86_400_000
const OWN_TTL = 300_000

interface Held {
  readonly value: string
  readonly isMutable: boolean
}

/** Values of Systems Manager parameters. Those that AWS publishes change rarely and are kept for a day. */
export class SsmParameters {
  readonly #ssm: SsmApi
  readonly #held: TtlCache<string, Held>
  readonly #names = new Set<string>()

  constructor(ssm: SsmApi, clock: Clock) {
    this.#ssm = ssm
    this.#held = new TtlCache(clock, { ttl: DAY })
  }

  /**
   * The value; throws what the API throws.
   *
   * @param kind `latest` for one whose value moves on to newer images, `pinned` for one that does not, `own` for one that
   *   somebody keeps by himself.
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

  /** What is held of parameters that move on, by name. */
  get moving(): ReadonlyMap<string, string> {
    const held = new Map<string, string>()
    for (const name of this.#names) {
      const entry = this.#held.get(name)
      if (entry === undefined) this.#names.delete(name)
      else if (entry.isMutable) held.set(name, entry.value)
    }
    return held
  }

  /** The next question asks AWS again. */
  forget(name: string): void {
    this.#held.delete(name)
    this.#names.delete(name)
  }
}
