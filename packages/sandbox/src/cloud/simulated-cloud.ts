import type { Milliseconds, UsdPerHour } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import type { Clock, Random, Timer } from '@kerf/runtime'
import { CloudFaults } from './cloud-faults.ts'
import {
  CloudError,
  type CloudEvent,
  type CloudInstance,
  type CloudOffering,
  type NodeTemplate,
  type OfferingName,
  type OfferingSelector,
  offeringKey,
  offeringMatches,
} from './cloud-instance.ts'
import { Market } from './market.ts'

/**
 * How one instance behaves. If a duration is absent, the default of the cloud applies. `never` means that the instance does not reach that
 * state.
 */
export interface InstanceOverrides {
  readonly bootDelay?: Milliseconds | 'never'
  /** Time until a running instance registers its Node. */
  readonly registrationDelay?: Milliseconds | 'never'
}

export interface SimulatedCloudOptions {
  readonly clock: Clock
  readonly random: Random
  readonly offerings: readonly CloudOffering[]
  /** Time from the launch until the instance runs. Default 15 s. */
  readonly bootDelay?: Milliseconds
  /** Time until a running instance registers its Node. Default 10 s. */
  readonly registrationDelay?: Milliseconds
  /** Time from the request for termination until the instance is terminated. Default 5 s. */
  readonly terminationDelay?: Milliseconds
  /** The delay with which instance lists show changes. Default 0. */
  readonly listLag?: Milliseconds
  /** Time from the interruption notice to the end of a spot instance. Default 2 min. */
  readonly interruptionNotice?: Milliseconds
  /** Prefix of provider ids. Default `sim`. */
  readonly scheme?: string
  /** Returns how an instance behaves. Called once for each instance. */
  readonly overridesFor?: (instance: CloudInstance, random: Random) => InstanceOverrides
}

export interface LaunchRequest {
  /** Launches with the same token return the same instance, even if the first response was lost. */
  readonly token: string
  /** The acceptable offerings in order of preference. The cloud launches the first one that is available. */
  readonly offerings: readonly OfferingName[]
  readonly tags?: Readonly<Record<string, string>>
  /** Returns the Node that the instance will register, for the offering that was launched. */
  readonly node: (offering: OfferingName, id: string) => NodeTemplate
}

interface InstanceRecord {
  instance: CloudInstance
  readonly overrides: InstanceOverrides
  readonly timers: Timer[]
  /** The recent states of the instance, oldest first. Instance lists lag by `listLag`, and currently show the first of these states. */
  states: { readonly at: Milliseconds; readonly instance: CloudInstance }[]
  /** The instance's cost up to `paidUntil`, which is the time of the last change of its price or state. */
  paid: number
  paidUntil: Milliseconds
}

/** How long terminated instances remain visible, as in real clouds. */
const REMEMBER: Milliseconds = 60 * 60_000
const HOUR: Milliseconds = 3_600_000

/** A simulated cloud of instances with prices, shortages, interruptions and faults. Clock and randomness are injected. */
export class SimulatedCloud {
  readonly market: Market
  readonly faults: CloudFaults
  readonly #options: Required<Omit<SimulatedCloudOptions, 'offerings'>>
  readonly #records = new Map<string, InstanceRecord>()
  readonly #byToken = new Map<string, string>()
  readonly #listeners = new Set<(event: CloudEvent) => void>()
  #forgottenCost = 0
  #launches = 0
  #version = 0

  constructor(options: SimulatedCloudOptions) {
    this.#options = {
      bootDelay: 15_000,
      registrationDelay: 10_000,
      terminationDelay: 5_000,
      listLag: 0,
      interruptionNotice: 120_000,
      scheme: 'sim',
      overridesFor: () => ({}),
      ...options,
    }
    this.faults = new CloudFaults(options.clock)
    this.market = new Market(
      options.offerings,
      (event) => this.#tell(event),
      (offering) => this.#settleAccounts(offering),
    )
  }

  /** Calls the listener for every later event. Returns a function that unsubscribes. */
  onEvent(listener: (event: CloudEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Launches one instance. Throws `CloudError` InsufficientCapacity if none of the offerings is available. */
  run(request: LaunchRequest, signal?: AbortSignal): Promise<CloudInstance> {
    return this.faults.around({ verb: 'run', subject: request.token }, signal, () => this.#launch(request))
  }

  /** Terminates an instance. Resolves with its state after the request. Throws InstanceNotFound for an unknown id. */
  terminate(id: string, signal?: AbortSignal): Promise<CloudInstance> {
    return this.faults.around({ verb: 'terminate', subject: id }, signal, () => {
      const record = this.#recordOf(id)
      this.#beginTermination(record)
      return record.instance
    })
  }

  /** Returns the current state of an instance. Terminated instances remain visible for an hour. Throws InstanceNotFound. */
  describe(id: string, signal?: AbortSignal): Promise<CloudInstance> {
    return this.faults.around({ verb: 'describe', subject: id }, signal, () => this.#recordOf(id).instance)
  }

  /**
   * Returns the instances that have all these tags, sorted by id, in the state that they had `listLag` ago. Excludes terminated instances.
   */
  list(tags: Readonly<Record<string, string>> = {}, signal?: AbortSignal): Promise<readonly CloudInstance[]> {
    return this.faults.around({ verb: 'list', subject: '' }, signal, () =>
      this.#asOf(this.#options.clock.now() - this.#options.listLag).filter(
        (instance) =>
          instance.state !== 'terminated' &&
          Object.entries(tags).every(([key, value]) => ownValue(instance.tags, key) === value),
      ),
    )
  }

  /** Returns every instance that costs money, without lag or faults. For invariants and reports. */
  instances(): CloudInstance[] {
    return [...this.#records.values()].map(({ instance }) => instance).filter(({ state }) => state !== 'terminated')
  }

  /** Increases whenever the result of `instances` changes. */
  get version(): number {
    return this.#version
  }

  /** Returns the instance with a provider id, in any state. */
  find(providerID: string): CloudInstance | undefined {
    return this.#records.get(providerID.slice(providerID.lastIndexOf('/') + 1))?.instance
  }

  /** Returns how long it takes until a running instance registers its Node. */
  registrationDelayOf(id: string): Milliseconds | 'never' {
    return this.#recordOf(id).overrides.registrationDelay ?? this.#options.registrationDelay
  }

  /** Returns whether the instance is starting or terminating and will reach the next state. */
  isMoving(id: string): boolean {
    const { instance, overrides } = this.#recordOf(id)
    switch (instance.state) {
      case 'pending':
        return overrides.bootDelay !== 'never'
      case 'running': {
        const delay = this.registrationDelayOf(id)
        return delay !== 'never' && this.#options.clock.now() <= (instance.runningAt ?? 0) + delay
      }
      case 'terminating':
        return true
      case 'terminated':
        return false
    }
  }

  /** The number of instances launched so far. */
  get launches(): number {
    return this.#launches
  }

  /** Returns the cost per hour of the running instances at current prices. */
  hourlyCost(): UsdPerHour {
    return this.instances().reduce((sum, instance) => sum + (this.market.priceOf(instance) ?? 0), 0)
  }

  /**
   * Returns the total cost so far in US dollars, at the prices that applied at each moment. An instance costs money from its launch to its
   * termination.
   */
  totalCost(): number {
    let sum = this.#forgottenCost
    for (const record of this.#records.values()) {
      this.#settleAccount(record)
      sum += record.paid
    }
    return sum
  }

  /** Gives an interruption notice to matching running spot instances, which terminate when the notice expires. Returns those instances. */
  interrupt(selector: OfferingSelector | { readonly id: string }): CloudInstance[] {
    const concerned = [...this.#records.values()].filter(
      ({ instance }) =>
        (instance.state === 'running' || instance.state === 'pending') &&
        instance.reclaimedAt === undefined &&
        ('id' in selector
          ? instance.id === selector.id
          : instance.capacityType === 'spot' && offeringMatches(selector, instance)),
    )
    for (const record of concerned) {
      const at = this.#options.clock.now() + this.#options.interruptionNotice
      this.#change(record, { reclaimedAt: at })
      this.#tell({ kind: 'interruption', instance: record.instance, at })
      const reclaim = (): void => this.#beginTermination(record)
      record.timers.push(this.#options.clock.timer(this.#options.interruptionNotice, reclaim))
    }
    return concerned.map(({ instance }) => instance)
  }

  /** Terminates the instance immediately and without notice, as when a host fails or a user deletes the instance in the console. */
  kill(id: string): void {
    this.#finish(this.#recordOf(id))
  }

  #launch(request: LaunchRequest): CloudInstance {
    const earlier = this.#records.get(this.#byToken.get(request.token) ?? '')
    if (earlier !== undefined) {
      if (!request.offerings.some((name) => offeringKey(name) === offeringKey(earlier.instance))) {
        throw new CloudError('TokenMismatch', `token ${request.token} was used for a launch with other parameters`)
      }
      return earlier.instance
    }
    if (request.offerings.length === 0) throw new CloudError('InvalidRequest', 'a launch needs at least one offering')
    const unknown = request.offerings.find((name) => !this.market.exists(name))
    if (unknown !== undefined) throw new CloudError('InvalidRequest', `there is no offering ${offeringKey(unknown)}`)
    const taken = request.offerings.find((name) => this.market.take(name))
    if (taken === undefined) {
      const names = request.offerings.map(offeringKey).join(', ')
      throw new CloudError('InsufficientCapacity', `there is no capacity left of ${names}`, request.offerings)
    }
    return this.#start(request, taken)
  }

  #start(request: LaunchRequest, { instanceType, zone, capacityType }: OfferingName): CloudInstance {
    const { clock, random, scheme, overridesFor } = this.#options
    const offering = { instanceType, zone, capacityType }
    const id = `i-${random.text(17, '0123456789abcdef')}`
    const now = clock.now()
    const instance: CloudInstance = {
      ...offering,
      id,
      providerID: `${scheme}:///${zone}/${id}`,
      state: 'pending',
      token: request.token,
      tags: request.tags ?? {},
      node: request.node(offering, id),
      launchedAt: now,
    }
    const record: InstanceRecord = {
      instance,
      overrides: overridesFor(instance, random),
      timers: [],
      states: [],
      paid: 0,
      paidUntil: now,
    }
    this.#records.set(id, record)
    this.#byToken.set(request.token, id)
    this.#launches++
    this.#record(record)
    this.#tell({ kind: 'launched', instance })
    const boot = record.overrides.bootDelay ?? this.#options.bootDelay
    if (boot !== 'never') {
      const run = (): void => {
        if (record.instance.state !== 'pending') return
        this.#change(record, { state: 'running', runningAt: clock.now() })
        this.#tell({ kind: 'running', instance: record.instance })
      }
      record.timers.push(clock.timer(boot, run))
    }
    return instance
  }

  #beginTermination(record: InstanceRecord): void {
    if (record.instance.state === 'terminating' || record.instance.state === 'terminated') return
    for (const timer of record.timers.splice(0)) timer.cancel()
    this.#change(record, { state: 'terminating' })
    this.#tell({ kind: 'terminating', instance: record.instance })
    record.timers.push(this.#options.clock.timer(this.#options.terminationDelay, () => this.#finish(record)))
  }

  #finish(record: InstanceRecord): void {
    if (record.instance.state === 'terminated') return
    const { clock } = this.#options
    for (const timer of record.timers.splice(0)) timer.cancel()
    this.#settleAccount(record)
    this.#change(record, { state: 'terminated', terminatedAt: clock.now() })
    this.market.giveBack(record.instance)
    this.#tell({ kind: 'terminated', instance: record.instance })
    clock.timer(REMEMBER, () => {
      this.#forgottenCost += record.paid
      this.#records.delete(record.instance.id)
      this.#byToken.delete(record.instance.token)
    })
  }

  #settleAccounts(offering: OfferingName): void {
    for (const record of this.#records.values()) {
      if (offeringKey(record.instance) === offeringKey(offering)) this.#settleAccount(record)
    }
  }

  #settleAccount(record: InstanceRecord): void {
    const now = this.#options.clock.now()
    if (record.instance.state !== 'terminated') {
      const price = this.market.priceOf(record.instance) ?? 0
      record.paid += ((now - record.paidUntil) / HOUR) * price
    }
    record.paidUntil = now
  }

  #change(record: InstanceRecord, change: Partial<CloudInstance>): void {
    record.instance = { ...record.instance, ...change }
    this.#record(record)
  }

  #record(record: InstanceRecord): void {
    this.#version++
    const now = this.#options.clock.now()
    record.states.push({ at: now, instance: record.instance })
    const shown = record.states.findLastIndex(({ at }) => at <= now - this.#options.listLag)
    if (shown > 0) record.states.splice(0, shown)
  }

  #asOf(at: Milliseconds): CloudInstance[] {
    return [...this.#records.values()]
      .flatMap(({ states }) => states.findLast((state) => state.at <= at)?.instance ?? [])
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  #recordOf(id: string): InstanceRecord {
    const record = this.#records.get(id)
    if (record === undefined) throw new CloudError('InstanceNotFound', `there is no instance ${id}`)
    return record
  }

  #tell(event: CloudEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }
}
