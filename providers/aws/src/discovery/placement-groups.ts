import type { EC2NodeClass } from '@kerf/apis'
import { type Clock, TtlCache } from '@kerf/runtime'
import type { Ec2Api } from '../api/aws-api.ts'
import type { PlacementGroup } from '../instance-type/type-context.ts'

type Selector = NonNullable<EC2NodeClass['spec']['placementGroupSelector']>

const FRESH = 60_000
const DAY = 86_400_000

const STRATEGIES: ReadonlySet<string | undefined> = new Set(['cluster', 'partition', 'spread'])
const isStrategy = (value: string | undefined): value is PlacementGroup['strategy'] => STRATEGIES.has(value)

/** Placement groups by the selectors of node classes (`spec/aws.md` 2.15). */
export class PlacementGroups {
  readonly #ec2: Ec2Api
  readonly #fresh: TtlCache<string, true>
  readonly #known: TtlCache<string, PlacementGroup>

  constructor(ec2: Ec2Api, clock: Clock) {
    this.#ec2 = ec2
    this.#fresh = new TtlCache(clock, { ttl: FRESH })
    this.#known = new TtlCache(clock, { ttl: DAY })
  }

  /** Asks EC2, at most once a minute; `undefined` when there is no such group that can be used. */
  async find(selector: Selector, signal: AbortSignal): Promise<PlacementGroup | undefined> {
    const key = JSON.stringify([selector.id ?? '', selector.name ?? ''])
    if (this.#fresh.has(key)) return this.#known.get(key)
    const query = selector.id === undefined ? { name: selector.name ?? '' } : { id: selector.id }
    const [first] = await this.#ec2.describePlacementGroups(query, signal)
    this.#fresh.set(key, true)
    const { GroupId: id, Strategy: strategy, PartitionCount: partitions } = first ?? {}
    if (id === undefined || !isStrategy(strategy)) {
      this.#known.delete(key)
      return undefined
    }
    const group = { id, strategy, ...(partitions === undefined ? {} : { partitions }) }
    this.#known.set(key, group)
    return group
  }

  /** As it was last found, without asking: also while EC2 does not answer. */
  known(selector: Selector | undefined): PlacementGroup | undefined {
    return selector === undefined
      ? undefined
      : this.#known.get(JSON.stringify([selector.id ?? '', selector.name ?? '']))
  }
}
