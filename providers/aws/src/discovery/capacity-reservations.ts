import type { CapacityReservation as Ec2Reservation } from '@aws-sdk/client-ec2'
import { formatTime, type Milliseconds } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import { type Clock, type Logger, TtlCache } from '@kerf/runtime'
import { type Ec2Api, ec2Filter, tagFilters } from '../api/aws-api.ts'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import type { CapacityReservation } from '../node-class/node-class-traits.ts'

type Term = NonNullable<EC2NodeClass['spec']['capacityReservationSelectorTerms']>[number]

/** EC2 starts to terminate instances of a block 30 minutes before its end. Nodes are drained 10 minutes earlier. */
const BLOCK_EXPIRY_WARNING: Milliseconds = 40 * 60_000

const QUERY_TTL = 60_000
const DAY = 86_400_000

interface Availability {
  readonly count: number
  /** When the reservation was last read from EC2. EC2's count includes all launches before that time. */
  readonly readAt: Milliseconds
}

const termQuery = ({ id, tags, ownerID, instanceMatchCriteria }: Term) =>
  id === undefined
    ? {
        filters: [
          ...(ownerID === undefined ? [] : [ec2Filter('owner-id', ownerID)]),
          ...tagFilters(tags ?? {}),
          ...(instanceMatchCriteria === undefined ? [] : [ec2Filter('instance-match-criteria', instanceMatchCriteria)]),
        ],
      }
    : { id }

/** The capacity reservations of node classes, and their free capacity (`providers/aws/docs/spec/aws.md#capacity-reservations`). */
export class CapacityReservations {
  readonly #ec2: Ec2Api
  readonly #clock: Clock
  readonly #log: Logger
  readonly #answers: ReadCache<readonly Ec2Reservation[]>
  readonly #available: TtlCache<string, Availability>
  #sequence = 0

  constructor(deps: { readonly ec2: Ec2Api; readonly clock: Clock; readonly log: Logger }) {
    this.#ec2 = deps.ec2
    this.#clock = deps.clock
    this.#log = deps.log
    this.#answers = new ReadCache(deps.clock, { ttl: QUERY_TTL })
    this.#available = new TtlCache(deps.clock, { ttl: DAY })
  }

  /** Returns the active reservations that the terms select, sorted by id. */
  async find(terms: readonly Term[], signal: AbortSignal): Promise<readonly CapacityReservation[]> {
    const byId = new Map<string, CapacityReservation>()
    for (const term of terms) {
      const query = termQuery(term)
      const answer = await this.#answers.read(JSON.stringify(query), (inner) => this.#ask(query, inner), signal)
      for (const reservation of answer) {
        const found = this.#statusOf(reservation)
        if (found !== undefined) byId.set(found.id, found)
      }
    }
    return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** A number that changes whenever the free capacity of a reservation changes. */
  get sequence(): number {
    return this.#sequence
  }

  /** Returns true if EC2 has reported the free capacity of the reservation. */
  isCounted(id: string): boolean {
    return this.#available.has(id)
  }

  /** Returns the known number of free instances in the reservation, or zero if it is unknown. */
  left(id: string): number {
    return this.#available.get(id)?.count ?? 0
  }

  /** Reduces the free capacity by one, for an instance that was launched into the reservation. */
  launched(id: string): void {
    const known = this.#available.get(id)
    if (known === undefined || known.readAt >= this.#clock.monotonic()) return
    this.#set(id, { ...known, count: Math.max(known.count - 1, 0) })
  }

  /** Increases the free capacity by one, for an instance that was terminated. */
  terminated(id: string): void {
    const known = this.#available.get(id)
    if (known !== undefined) this.#set(id, { ...known, count: known.count + 1 })
  }

  /** Records that EC2 reported the reservation as full. */
  exhausted(id: string): void {
    this.#set(id, { count: 0, readAt: this.#clock.monotonic() })
  }

  #set(id: string, availability: Availability): void {
    if (this.#available.get(id)?.count !== availability.count) this.#sequence++
    this.#available.set(id, availability)
  }

  async #ask(query: ReturnType<typeof termQuery>, signal: AbortSignal): Promise<readonly Ec2Reservation[]> {
    const readAt = this.#clock.monotonic()
    const answer = await this.#describe(query, signal)
    for (const { CapacityReservationId: id, AvailableInstanceCount: count = 0 } of answer) {
      if (id !== undefined) this.#set(id, { count, readAt })
    }
    return answer
  }

  async #describe(query: ReturnType<typeof termQuery>, signal: AbortSignal): Promise<readonly Ec2Reservation[]> {
    try {
      return await this.#ec2.describeCapacityReservations(
        'id' in query && query.id !== undefined ? { id: query.id } : { filters: query.filters ?? [] },
        signal,
      )
    } catch (error) {
      if (classifyAwsFailure(error).class === 'not-found') return []
      throw error
    }
  }

  #statusOf(reservation: Ec2Reservation): CapacityReservation | undefined {
    const {
      CapacityReservationId: id,
      AvailabilityZone: availabilityZone,
      EndDate: end,
      InstanceMatchCriteria: criteria,
      InstanceType: instanceType,
      OwnerId: ownerID,
      ReservationType: type = 'default',
      Interruptible: interruptible,
    } = reservation
    const now = this.#clock.now()
    if (end !== undefined && end.getTime() <= now) return undefined
    if (id === undefined || availabilityZone === undefined || instanceType === undefined) return undefined
    if ((criteria !== 'open' && criteria !== 'targeted') || (type !== 'default' && type !== 'capacity-block')) {
      this.#log.error('a capacity reservation has an unknown type', { id, criteria, type })
      return undefined
    }
    const isExpiring = type === 'capacity-block' && end !== undefined && end.getTime() - now <= BLOCK_EXPIRY_WARNING
    return {
      availabilityZone,
      id,
      instanceMatchCriteria: criteria,
      instanceType,
      ownerID: ownerID ?? '',
      reservationType: type,
      interruptible: interruptible ?? false,
      state: isExpiring ? 'expiring' : 'active',
      ...(end === undefined ? {} : { endTime: formatTime(end.getTime()) }),
    }
  }
}
