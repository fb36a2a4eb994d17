import type { Milliseconds } from '@kerf/apis'
import { RecentItems, SingleFlight } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { Ec2Api } from '../api/aws-api.ts'
import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import type { InstanceTypeFacts } from '../tables/instance-facts.ts'
import { readInstanceFacts } from '../tables/instance-facts.ts'

/** The time for which an instance type or zone is kept after EC2 stops listing it. It covers two refreshes, which are half a day apart. */
const KEPT_FOR: Milliseconds = 24 * 3_600_000
const NO_FACTS: InstanceTypeFacts = {}
const NOWHERE: ReadonlySet<string> = new Set()

/** The instance types of the region, and the zones that offer them (`providers/aws/docs/spec/aws.md#instance-types`). */
export class RegionTypes {
  readonly #ec2: Pick<Ec2Api, 'describeInstanceTypes' | 'describeInstanceTypeOfferings'>
  #facts: ReadonlyMap<string, InstanceTypeFacts> | undefined
  #types: readonly Ec2InstanceType[] = []
  #byName: ReadonlyMap<string, Ec2InstanceType> = new Map()
  #zonesOf: ReadonlyMap<string, ReadonlySet<string>> = new Map()
  #zones: readonly string[] = []
  #fingerprint = ''
  #sequence = 0
  readonly #reading = new SingleFlight<void>()
  readonly #recentTypes: RecentItems<Ec2InstanceType>
  readonly #recentOfferings: RecentItems<readonly [type: string, zone: string]>
  #readAt: Milliseconds | undefined
  readonly #clock: Clock

  constructor(ec2: Pick<Ec2Api, 'describeInstanceTypes' | 'describeInstanceTypeOfferings'>, clock: Clock) {
    this.#ec2 = ec2
    this.#clock = clock
    this.#recentTypes = new RecentItems(clock, { keptFor: KEPT_FOR })
    this.#recentOfferings = new RecentItems(clock, { keptFor: KEPT_FOR })
  }

  /** The time since both lists were last read, or infinity if they were never read. */
  get age(): Milliseconds {
    return this.#readAt === undefined ? Number.POSITIVE_INFINITY : this.#clock.monotonic() - this.#readAt
  }

  /** Sorted by name. */
  get types(): readonly Ec2InstanceType[] {
    return this.#types
  }

  /** All zones that offer at least one instance type, sorted. */
  get zones(): readonly string[] {
    return this.#zones
  }

  /** A number that changes when instance types or zones change. */
  get sequence(): number {
    return this.#sequence
  }

  get(name: string): Ec2InstanceType | undefined {
    return this.#byName.get(name)
  }

  offeredIn(name: string): ReadonlySet<string> {
    return this.#zonesOf.get(name) ?? NOWHERE
  }

  factsOf(name: string): InstanceTypeFacts {
    this.#facts ??= readInstanceFacts()
    return this.#facts.get(name) ?? NO_FACTS
  }

  /**
   * Reads both lists from EC2. Concurrent callers share the response. If the response is empty, keeps the known lists. If the response
   * lacks a known instance type, or a zone of a type, keeps it for a day, so that an incomplete response does not cause drift.
   */
  read(signal: AbortSignal): Promise<void> {
    return this.#reading.run('', (inner) => this.#read(inner), signal)
  }

  /** Reads the lists unless they are known. */
  async ensure(signal: AbortSignal): Promise<void> {
    if (this.#types.length === 0 || this.#zones.length === 0) await this.read(signal)
  }

  async #read(signal: AbortSignal): Promise<void> {
    const [types, offerings] = await Promise.all([
      this.#ec2.describeInstanceTypes(signal),
      this.#ec2.describeInstanceTypeOfferings(signal),
    ])
    const zonesOf = new Map<string, Set<string>>()
    const pairs = offerings.flatMap(({ InstanceType: type, Location: zone }) =>
      type === undefined || zone === undefined ? [] : [[type, zone] as const],
    )
    const known = pairs.length === 0 ? [] : this.#recentOfferings.merge(pairs, (pair) => pair.join(' '))
    for (const [type, zone] of known) {
      const zones = zonesOf.get(type) ?? new Set<string>()
      zonesOf.set(type, zones.add(zone))
    }
    this.#readAt = this.#clock.monotonic()
    const recent = types.length === 0 ? [] : this.#recentTypes.merge(types, ({ InstanceType = '' }) => InstanceType)
    const sorted = recent.toSorted((a, b) => ((a.InstanceType ?? '') < (b.InstanceType ?? '') ? -1 : 1))
    if (sorted.length > 0) {
      this.#types = sorted
      this.#byName = new Map(sorted.map((type) => [type.InstanceType ?? '', type]))
    }
    if (zonesOf.size > 0) {
      this.#zonesOf = zonesOf
      this.#zones = [...new Set([...zonesOf.values()].flatMap((zones) => [...zones]))].sort()
    }
    const fingerprint = JSON.stringify([
      this.#types,
      [...this.#zonesOf].map(([type, zones]) => [type, [...zones].sort()]).sort(),
    ])
    if (fingerprint !== this.#fingerprint) {
      this.#fingerprint = fingerprint
      this.#sequence++
    }
  }
}
