import { NotKnownYetError } from '@kerf/provider-contract'
import { ReadCache } from '@kerf/provider-kit'
import { type Clock, TtlCache } from '@kerf/runtime'
import type { Ec2Api } from '../api/aws-api.ts'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import type { PlacementGroup } from '../node-class/node-class-traits.ts'

type Selector = NonNullable<EC2NodeClass['spec']['placementGroupSelector']>

const FRESH = 60_000
const DAY = 86_400_000
/** How long a refusal by EC2 is cached. After a start, many callers request the same group at the same time. */
const REFUSED = 5_000

const STRATEGIES: ReadonlySet<string | undefined> = new Set(['cluster', 'partition', 'spread'])
const isStrategy = (value: string | undefined): value is PlacementGroup['strategy'] => STRATEGIES.has(value)

const selectorKey = ({ id = '', name = '' }: Selector): string => JSON.stringify([id, name])
const selectorTitle = ({ id, name }: Selector): string => id ?? name ?? ''

/** Finds placement groups by the selectors of node classes (`providers/aws/docs/spec/aws.md#placement-groups`). */
export class PlacementGroups {
  readonly #ec2: Ec2Api
  readonly #answers: ReadCache<PlacementGroup | undefined>
  readonly #known: TtlCache<string, PlacementGroup>

  constructor(ec2: Ec2Api, clock: Clock) {
    this.#ec2 = ec2
    this.#answers = new ReadCache(clock, { ttl: FRESH, refusedFor: REFUSED })
    this.#known = new TtlCache(clock, { ttl: DAY })
  }

  /**
   * Reads the group from EC2 at most once a minute. Concurrent callers share the response. Returns `undefined` if there is no usable group.
   * Throws EC2's error.
   */
  find(selector: Selector, signal: AbortSignal): Promise<PlacementGroup | undefined> {
    return this.#answers.read(selectorKey(selector), (inner) => this.#ask(selector, inner), signal)
  }

  /** Returns the group that was last found. Makes no call, so it also works while EC2 does not respond. */
  known(selector: Selector | undefined): PlacementGroup | undefined {
    return selector === undefined ? undefined : this.#known.get(selectorKey(selector))
  }

  /**
   * Returns the placement group that was last found for the selector. If there is none, for example after a restart, reads the group from
   * EC2. Returns `undefined` only if there is no selector.
   * @throws NotKnownYetError if EC2 does not respond or there is no such group.
   */
  async need(selector: Selector | undefined, signal: AbortSignal): Promise<PlacementGroup | undefined> {
    if (selector === undefined) return undefined
    const title = selectorTitle(selector)
    let found = this.known(selector)
    try {
      found ??= await this.find(selector, signal)
    } catch (error) {
      signal.throwIfAborted()
      const { code } = classifyAwsFailure(error)
      throw new NotKnownYetError(`EC2 did not return placement group ${title} (${code})`, { cause: error })
    }
    if (found === undefined) throw new NotKnownYetError(`no usable placement group ${title}`)
    return found
  }

  async #ask(selector: Selector, signal: AbortSignal): Promise<PlacementGroup | undefined> {
    try {
      const query = selector.id === undefined ? { name: selector.name ?? '' } : { id: selector.id }
      const [first] = await this.#ec2.describePlacementGroups(query, signal)
      return this.#keep(selectorKey(selector), first)
    } catch (error) {
      signal.throwIfAborted()
      if (classifyAwsFailure(error).class === 'not-found') return this.#keep(selectorKey(selector), undefined)
      throw error
    }
  }

  #keep(
    key: string,
    found: Awaited<ReturnType<Ec2Api['describePlacementGroups']>>[number] | undefined,
  ): PlacementGroup | undefined {
    const { GroupId: id, Strategy: strategy, PartitionCount: partitions } = found ?? {}
    if (id === undefined || !isStrategy(strategy)) {
      this.#known.delete(key)
      return undefined
    }
    const group = { id, strategy, ...(partitions === undefined ? {} : { partitions }) }
    this.#known.set(key, group)
    return group
  }
}
