import type { Clock, Milliseconds, Random, Timer } from '@kerf/runtime'
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
  type UsdPerHour,
} from './cloud-instance.ts'
import { Market } from './market.ts'

/** How one instance will behave. Absent spans take the cloud's defaults; `never` is a machine that does not get there. */
export interface InstanceFate {
  readonly bootDelay?: Milliseconds | 'never'
  /** From running to a registered Node. */
  readonly registrationDelay?: Milliseconds | 'never'
}

export interface SimulatedCloudOptions {
  readonly clock: Clock
  readonly random: Random
  readonly offerings: readonly CloudOffering[]
  /** From the launch to a running machine. Default 15 s. */
  readonly bootDelay?: Milliseconds
  /** From running to a registered Node. Default 10 s. */
  readonly registrationDelay?: Milliseconds
  /** From the request to a terminated machine. Default 5 s. */
  readonly terminationDelay?: Milliseconds
  /** How far lists lag behind: changes show this much later. Default 0. */
  readonly listLag?: Milliseconds
  /** From the notice to the end of an interrupted spot instance. Default 2 min. */
  readonly interruptionNotice?: Milliseconds
  /** Prefix of provider ids. Default `sim`. */
  readonly scheme?: string
  /** Asked once for each instance. */
  readonly fateOf?: (instance: CloudInstance, random: Random) => InstanceFate
}

export interface LaunchRequest {
  /** Launches with the same token are one launch, whatever became of the answer to the first. */
  readonly token: string
  /** In order of preference; the first that can be had is taken. */
  readonly offerings: readonly OfferingName[]
  readonly tags?: Readonly<Record<string, string>>
  /** The node that the machine is going to be, once it is known which offering it was. */
  readonly node: (offering: OfferingName, id: string) => NodeTemplate
}

interface Machine {
  instance: CloudInstance
  readonly fate: InstanceFate
  readonly timers: Timer[]
  /** States since the one that the most lagging list still shows, oldest first. */
  states: { readonly at: Milliseconds; readonly instance: CloudInstance }[]
  /** What had been paid when the price or the state changed last, and when that was. */
  paid: number
  paidUntil: Milliseconds
}

/** How long terminated instances stay visible, as in real clouds. */
const REMEMBER: Milliseconds = 60 * 60_000
const HOUR: Milliseconds = 3_600_000

/** A cloud of machines with prices, shortages, interruptions and faults, all by the clock and chance it is given. */
export class SimulatedCloud {
  readonly market: Market
  readonly faults: CloudFaults
  readonly #options: Required<Omit<SimulatedCloudOptions, 'offerings'>>
  readonly #machines = new Map<string, Machine>()
  readonly #byToken = new Map<string, string>()
  readonly #listeners = new Set<(event: CloudEvent) => void>()
  #forgottenCost = 0
  #launches = 0

  constructor(options: SimulatedCloudOptions) {
    this.#options = {
      bootDelay: 15_000,
      registrationDelay: 10_000,
      terminationDelay: 5_000,
      listLag: 0,
      interruptionNotice: 120_000,
      scheme: 'sim',
      fateOf: () => ({}),
      ...options,
    }
    this.faults = new CloudFaults(options.clock)
    this.market = new Market(
      options.offerings,
      (event) => this.#tell(event),
      (offering) => this.#settleAccounts(offering),
    )
  }

  /** Hears what happens from now on. Returns the way to stop. */
  onEvent(listener: (event: CloudEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Launches one instance. Throws `CloudError` InsufficientCapacity when none of the offerings can be had. */
  run(request: LaunchRequest, signal?: AbortSignal): Promise<CloudInstance> {
    return this.faults.around({ verb: 'run', subject: request.token }, signal, () => this.#launch(request))
  }

  /** Asks for the end of an instance; resolves with it as it is then. Throws InstanceNotFound for one that is unknown. */
  terminate(id: string, signal?: AbortSignal): Promise<CloudInstance> {
    return this.faults.around({ verb: 'terminate', subject: id }, signal, () => {
      const machine = this.#machine(id)
      this.#beginTermination(machine)
      return machine.instance
    })
  }

  /** The instance as it is, terminated ones for another hour. Throws InstanceNotFound. */
  describe(id: string, signal?: AbortSignal): Promise<CloudInstance> {
    return this.faults.around({ verb: 'describe', subject: id }, signal, () => this.#machine(id).instance)
  }

  /** Instances with all the tags, as they were `listLag` ago, without terminated ones; by id. */
  list(tags: Readonly<Record<string, string>> = {}, signal?: AbortSignal): Promise<readonly CloudInstance[]> {
    return this.faults.around({ verb: 'list', subject: '' }, signal, () =>
      this.#asOf(this.#options.clock.now() - this.#options.listLag).filter(
        (instance) =>
          instance.state !== 'terminated' && Object.entries(tags).every(([key, value]) => instance.tags[key] === value),
      ),
    )
  }

  /** The truth, at once and without faults: every instance that costs money. For invariants and reports. */
  instances(): CloudInstance[] {
    return [...this.#machines.values()].map(({ instance }) => instance).filter(({ state }) => state !== 'terminated')
  }

  /** The instance behind a provider id, in whatever state. */
  find(providerID: string): CloudInstance | undefined {
    return this.#machines.get(providerID.slice(providerID.lastIndexOf('/') + 1))?.instance
  }

  /** How the instance's kubelet is going to behave. */
  registrationDelayOf(id: string): Milliseconds | 'never' {
    return this.#machine(id).fate.registrationDelay ?? this.#options.registrationDelay
  }

  /** Whether the machine is on its way up or down, and will get there. */
  isMoving(id: string): boolean {
    const { instance, fate } = this.#machine(id)
    switch (instance.state) {
      case 'pending':
        return fate.bootDelay !== 'never'
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

  /** How many instances were ever launched. */
  get launches(): number {
    return this.#launches
  }

  /** Dollars an hour of what runs now, at the prices of now. */
  hourlyCost(): UsdPerHour {
    return this.instances().reduce((sum, instance) => sum + (this.market.priceOf(instance) ?? 0), 0)
  }

  /** Dollars spent so far, at the prices that held at each moment; machines cost from launch to termination. */
  totalCost(): number {
    let sum = this.#forgottenCost
    for (const machine of this.#machines.values()) {
      this.#settleAccount(machine)
      sum += machine.paid
    }
    return sum
  }

  /**
   * Gives notice to running spot instances that match: they end after the notice. Returns those concerned.
   */
  interrupt(selector: OfferingSelector | { readonly id: string }): CloudInstance[] {
    const concerned = [...this.#machines.values()].filter(
      ({ instance }) =>
        (instance.state === 'running' || instance.state === 'pending') &&
        instance.reclaimedAt === undefined &&
        ('id' in selector
          ? instance.id === selector.id
          : instance.capacityType === 'spot' && offeringMatches(selector, instance)),
    )
    for (const machine of concerned) {
      const at = this.#options.clock.now() + this.#options.interruptionNotice
      this.#change(machine, { reclaimedAt: at })
      this.#tell({ kind: 'interruption', instance: machine.instance, at })
      const reclaim = (): void => this.#beginTermination(machine)
      machine.timers.push(this.#options.clock.timer(this.#options.interruptionNotice, reclaim))
    }
    return concerned.map(({ instance }) => instance)
  }

  /** The machine dies this moment, without notice: a failed host, or somebody at the console. */
  kill(id: string): void {
    this.#finish(this.#machine(id))
  }

  #launch(request: LaunchRequest): CloudInstance {
    const earlier = this.#machines.get(this.#byToken.get(request.token) ?? '')
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
    const { clock, random, scheme, fateOf } = this.#options
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
    const machine: Machine = {
      instance,
      fate: fateOf(instance, random),
      timers: [],
      states: [],
      paid: 0,
      paidUntil: now,
    }
    this.#machines.set(id, machine)
    this.#byToken.set(request.token, id)
    this.#launches++
    this.#record(machine)
    this.#tell({ kind: 'launched', instance })
    const boot = machine.fate.bootDelay ?? this.#options.bootDelay
    if (boot !== 'never') {
      const run = (): void => {
        if (machine.instance.state !== 'pending') return
        this.#change(machine, { state: 'running', runningAt: clock.now() })
        this.#tell({ kind: 'running', instance: machine.instance })
      }
      machine.timers.push(clock.timer(boot, run))
    }
    return instance
  }

  #beginTermination(machine: Machine): void {
    if (machine.instance.state === 'terminating' || machine.instance.state === 'terminated') return
    for (const timer of machine.timers.splice(0)) timer.cancel()
    this.#change(machine, { state: 'terminating' })
    this.#tell({ kind: 'terminating', instance: machine.instance })
    machine.timers.push(this.#options.clock.timer(this.#options.terminationDelay, () => this.#finish(machine)))
  }

  #finish(machine: Machine): void {
    if (machine.instance.state === 'terminated') return
    const { clock } = this.#options
    for (const timer of machine.timers.splice(0)) timer.cancel()
    this.#settleAccount(machine)
    this.#change(machine, { state: 'terminated', terminatedAt: clock.now() })
    this.market.giveBack(machine.instance)
    this.#tell({ kind: 'terminated', instance: machine.instance })
    clock.timer(REMEMBER, () => {
      this.#forgottenCost += machine.paid
      this.#machines.delete(machine.instance.id)
      this.#byToken.delete(machine.instance.token)
    })
  }

  #settleAccounts(offering: OfferingName): void {
    for (const machine of this.#machines.values()) {
      if (offeringKey(machine.instance) === offeringKey(offering)) this.#settleAccount(machine)
    }
  }

  #settleAccount(machine: Machine): void {
    const now = this.#options.clock.now()
    if (machine.instance.state !== 'terminated') {
      const price = this.market.priceOf(machine.instance) ?? 0
      machine.paid += ((now - machine.paidUntil) / HOUR) * price
    }
    machine.paidUntil = now
  }

  #change(machine: Machine, change: Partial<CloudInstance>): void {
    machine.instance = { ...machine.instance, ...change }
    this.#record(machine)
  }

  #record(machine: Machine): void {
    const now = this.#options.clock.now()
    machine.states.push({ at: now, instance: machine.instance })
    const shown = machine.states.findLastIndex(({ at }) => at <= now - this.#options.listLag)
    if (shown > 0) machine.states.splice(0, shown)
  }

  #asOf(at: Milliseconds): CloudInstance[] {
    return [...this.#machines.values()]
      .flatMap(({ states }) => states.findLast((state) => state.at <= at)?.instance ?? [])
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  #machine(id: string): Machine {
    const machine = this.#machines.get(id)
    if (machine === undefined) throw new CloudError('InstanceNotFound', `there is no instance ${id}`)
    return machine
  }

  #tell(event: CloudEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }
}
