import type { EC2NodeClass } from '@kerf/apis'
import { NotKnownYetError } from '@kerf/provider-contract'
import { type Clock, TtlCache } from '@kerf/runtime'
import type { Ec2Api } from '../api/aws-api.ts'
import { awsFailureOf } from '../failures/aws-failure.ts'
import type { PlacementGroup } from '../node-class/node-class-traits.ts'

type Selector = NonNullable<EC2NodeClass['spec']['placementGroupSelector']>

const FRESH = 60_000
const DAY = 86_400_000
/** After a start a whole cluster asks at once: a refusal answers them all for a moment. */
const REFUSED = 5_000

const STRATEGIES: ReadonlySet<string | undefined> = new Set(['cluster', 'partition', 'spread'])
const isStrategy = (value: string | undefined): value is PlacementGroup['strategy'] => STRATEGIES.has(value)

const keyOf = ({ id = '', name = '' }: Selector): string => JSON.stringify([id, name])
const titleOf = ({ id, name }: Selector): string => id ?? name ?? ''

/** A question to EC2 that is under way, and who asked it. */
interface Asking {
  readonly answer: Promise<PlacementGroup | undefined>
  readonly signal: AbortSignal
}

/** Placement groups by the selectors of node classes (`docs/spec/aws.md#placement-groups`). */
export class PlacementGroups {
  readonly #ec2: Ec2Api
  readonly #fresh: TtlCache<string, true>
  readonly #known: TtlCache<string, PlacementGroup>
  readonly #refused: TtlCache<string, unknown>
  readonly #asking = new Map<string, Asking>()

  constructor(ec2: Ec2Api, clock: Clock) {
    this.#ec2 = ec2
    this.#fresh = new TtlCache(clock, { ttl: FRESH })
    this.#known = new TtlCache(clock, { ttl: DAY })
    this.#refused = new TtlCache(clock, { ttl: REFUSED })
  }

  /**
   * Asks EC2, at most once a minute; many who ask at once share the answer. `undefined` when there is no such group that
   * can be used. Throws what EC2 answers.
   */
  async find(selector: Selector, signal: AbortSignal): Promise<PlacementGroup | undefined> {
    const key = keyOf(selector)
    for (;;) {
      if (this.#fresh.has(key)) return this.#known.get(key)
      if (this.#refused.has(key)) throw this.#refused.get(key)
      const asking = this.#asking.get(key) ?? this.#begin(key, selector, signal)
      try {
        return await asking.answer
      } catch (error) {
        // Whoever asked first was stopped; that is no answer for the others.
        if (!asking.signal.aborted || signal.aborted) throw error
      }
    }
  }

  /** As it was last found, without asking: also while EC2 does not answer. */
  known(selector: Selector | undefined): PlacementGroup | undefined {
    return selector === undefined ? undefined : this.#known.get(keyOf(selector))
  }

  /**
   * The group that nodes of the selector are in: as it was last found, and asked for where it was not found yet, as after a
   * restart. `undefined` for no selector only.
   *
   * @throws NotKnownYetError when EC2 does not tell, or there is no such group.
   */
  async need(selector: Selector | undefined, signal: AbortSignal): Promise<PlacementGroup | undefined> {
    if (selector === undefined) return undefined
    const title = titleOf(selector)
    let found = this.known(selector)
    try {
      found ??= await this.find(selector, signal)
    } catch (error) {
      signal.throwIfAborted()
      const { code } = awsFailureOf(error)
      throw new NotKnownYetError(`EC2 does not tell of placement group ${title} (${code})`, { cause: error })
    }
    if (found === undefined) throw new NotKnownYetError(`there is no placement group ${title} that can be used`)
    return found
  }

  #begin(key: string, selector: Selector, signal: AbortSignal): Asking {
    const answer = this.#ask(key, selector, signal).finally(() => this.#asking.delete(key))
    const asking = { answer, signal }
    this.#asking.set(key, asking)
    return asking
  }

  async #ask(key: string, selector: Selector, signal: AbortSignal): Promise<PlacementGroup | undefined> {
    try {
      const query = selector.id === undefined ? { name: selector.name ?? '' } : { id: selector.id }
      const [first] = await this.#ec2.describePlacementGroups(query, signal)
      return this.#keep(key, first)
    } catch (error) {
      signal.throwIfAborted()
      if (awsFailureOf(error).class === 'not-found') return this.#keep(key, undefined)
      this.#refused.set(key, error)
      throw error
    }
  }

  #keep(
    key: string,
    found: Awaited<ReturnType<Ec2Api['describePlacementGroups']>>[number] | undefined,
  ): PlacementGroup | undefined {
    const { GroupId: id, Strategy: strategy, PartitionCount: partitions } = found ?? {}
    this.#fresh.set(key, true)
    if (id === undefined || !isStrategy(strategy)) {
      this.#known.delete(key)
      return undefined
    }
    const group = { id, strategy, ...(partitions === undefined ? {} : { partitions }) }
    this.#known.set(key, group)
    return group
  }
}
