import type {
  CapacityReservation,
  CreateFleetCommandInput,
  CreateFleetCommandOutput,
  CreateLaunchTemplateCommandInput,
  Filter,
  Image,
  InstanceStatus,
  PlacementGroup,
  RunInstancesCommandInput,
  SecurityGroup,
  SpotPrice,
  Subnet,
  Tag,
} from '@aws-sdk/client-ec2'
import type { OfferingPattern } from '@kerf/provider-contract'
import type { Clock } from '@kerf/runtime'
import { type Ec2Api, tagsOf } from '../../api/aws-api.ts'
import type { Ec2InstanceType } from '../../api/ec2-instance-type.ts'
import { ec2Type } from '../type-table.ts'
import { launchFleet } from './fake-fleet.ts'
import { type FakeInstance, type FakeInstanceSpec, fakeInstance } from './fake-instance.ts'
import { fakePrice } from './fake-price.ts'
import { type Fault, Faults, sdkError } from './faults.ts'
import { checkFilterLimits, passes, tagValues } from './filters.ts'
import { type FakeTemplate, type FleetOption, fleetOptions, type Stock } from './fleet-options.ts'
import { someGroups, someImages, someSubnets, TYPES, ZONES } from './inventory.ts'
import { Requests } from './requests.ts'

const TERMINATED_FOR = 3_600_000

const byId = (instances: readonly FakeInstance[]): ReadonlyMap<string, FakeInstance> =>
  new Map(instances.map((instance) => [instance.data.InstanceId, instance]))

/** Hears what happens to instances, each time before it shows. */
export interface Ec2Watcher {
  launched?(instance: FakeInstance): void
  /** Somebody has called TerminateInstances for one that was not ending yet. */
  terminating?(instance: FakeInstance): void
  /** It begins to end, for whatever reason; `endsAt` says when it will have ended. */
  ending?(instance: FakeInstance & { readonly endsAt: number }): void
}

/** EC2 in memory: what the provider may see of it, with faults and shortages to order. */
export class FakeEc2 implements Ec2Api {
  readonly faults: Faults
  readonly requests: Requests
  /** The types of all dry runs, in order. */
  readonly triedTypes: string[] = []
  /** Refuses dry runs for their type, as EC2 words it ("Troubleshoot Amazon EC2 instance launch issues" in its user guide). */
  refusalOfType: ((type: string) => Fault | undefined) | undefined
  readonly instances = new Map<string, FakeInstance>()
  readonly templates = new Map<string, FakeTemplate>()
  types: readonly Ec2InstanceType[] = TYPES.map(ec2Type)
  subnets: Subnet[] = someSubnets()
  groups: SecurityGroup[] = someGroups()
  images: Image[] = someImages()
  statuses: InstanceStatus[] = []
  reservations: CapacityReservation[] = []
  placementGroups: PlacementGroup[] = []
  spotPrices: SpotPrice[] | undefined
  /** Types that no list of prices names: the Pricing API lags behind new types, and not every type can be had as spot. */
  readonly unpriced = new Set<string>()
  /** Every launch so far: when, what, and for whom, as the instance is tagged. */
  readonly launches: {
    readonly id: string
    readonly at: number
    readonly type: string
    readonly zone: string
    readonly spot: boolean
    readonly tags: Readonly<Record<string, string>>
  }[] = []
  /** What each fleet so far was asked for. */
  readonly fleets: {
    readonly at: number
    readonly capacityType: 'spot' | 'on-demand'
    readonly overrides: readonly { readonly type: string; readonly zone: string }[]
    /** How many instances. */
    readonly asked: number
  }[] = []
  /** Instances with the attribute DisableApiTermination. */
  readonly protectedInstances = new Set<string>()
  readonly stockOuts: OfferingPattern[] = []
  readonly stocks: Stock[] = []
  /** Leaves out of answers to CreateFleet what they need not have. */
  isTerse = false
  /** The code of a shortage. */
  shortage = 'InsufficientInstanceCapacity'
  readonly #clock: Clock
  readonly #terminationDelay: number
  /** What each instance was tagged with before it was tagged last, and when that was. */
  readonly #freshTags = new Map<string, { readonly at: number; readonly before: Tag[] }>()
  readonly #answers = new Map<string, { readonly input: string; readonly output: CreateFleetCommandOutput }>()
  #serial = 0

  constructor(clock: Clock, options: { readonly terminationDelay: number }, requests = new Requests(clock)) {
    this.requests = requests
    this.faults = new Faults(requests)
    this.#clock = clock
    this.#terminationDelay = options.terminationDelay
  }

  /**
   * How long a new instance is unknown to every call but the one that launched it: what EC2 answers is consistent only
   * after a while, which the documentation puts at up to minutes (EC2 Developer Guide, eventual consistency).
   */
  unseenFor = 0

  /** How long tags of CreateTags are unknown to every other call (the same page names tags among what lags). */
  tagsUnseenFor = 0

  readonly watchers: Ec2Watcher[] = []

  /** Those that are there, ending ones too. */
  living(): readonly FakeInstance[] {
    return this.#all().filter((instance) => this.#stateOf(instance) !== 'terminated')
  }

  /** Ends an instance at once, as its operating system or its owner may. */
  end(id: string): void {
    const instance = this.instances.get(id)
    if (instance !== undefined) this.#begin(instance, this.#clock.monotonic())
  }

  #begin(instance: FakeInstance, endsAt: number): void {
    instance.endsAt = endsAt
    for (const watcher of this.watchers) watcher.ending?.({ ...instance, endsAt })
  }

  /** Terminated instances stay visible for about an hour (API reference, TerminateInstances). */
  #all(): readonly FakeInstance[] {
    const now = this.#clock.monotonic()
    for (const [id, { endsAt }] of this.instances)
      if (endsAt !== undefined && endsAt + TERMINATED_FOR <= now) this.instances.delete(id)
    return [...this.instances.values()]
  }

  /** Those that EC2 tells of. */
  #seen(): readonly FakeInstance[] {
    const since = this.#clock.now() - this.unseenFor
    return this.#all().filter(({ data }) => (data.LaunchTime?.getTime() ?? 0) <= since)
  }

  /** With those of its tags that EC2 tells of. */
  #withSeenTags(instance: FakeInstance): FakeInstance {
    const unseen = this.#freshTags.get(instance.data.InstanceId)
    if (unseen === undefined || unseen.at + this.tagsUnseenFor <= this.#clock.monotonic()) return instance
    return { ...instance, data: { ...instance.data, Tags: unseen.before } }
  }

  #stateOf({ endsAt }: FakeInstance): 'running' | 'shutting-down' | 'terminated' {
    if (endsAt === undefined) return 'running'
    return endsAt <= this.#clock.monotonic() ? 'terminated' : 'shutting-down'
  }

  /**
   * One id that is malformed or unknown refuses the whole call, whatever it is. The texts and that all unknown ids are
   * named are those of the service's answers.
   */
  #refuseUnknown(ids: readonly string[], known: ReadonlyMap<string, FakeInstance>): void {
    const malformed = ids.find((id) => !/^i-(?:[0-9a-f]{8}|[0-9a-f]{17})$/.test(id))
    if (malformed !== undefined)
      throw sdkError({ code: 'InvalidInstanceID.Malformed', message: `Invalid id: "${malformed}"` })
    const unknown = ids.filter((id) => !known.has(id))
    if (unknown.length === 0) return
    const [noun, verb] = unknown.length === 1 ? ['ID', 'does'] : ['IDs', 'do']
    throw sdkError({
      code: 'InvalidInstanceID.NotFound',
      message: `The instance ${noun} '${unknown.join(', ')}' ${verb} not exist`,
    })
  }

  /** Puts an instance there, as somebody else's or an earlier run's. */
  plant(tags: Readonly<Record<string, string>>, age = 0): string {
    return this.#start({ type: 'm5.large', zone: ZONES[0], subnet: 'subnet-a', image: 'ami-x86', tags }, age)
  }

  async probe(signal: AbortSignal): Promise<void> {
    await this.faults.run('probe', signal, () => undefined)
  }
  describeInstanceTypes(signal: AbortSignal) {
    return this.faults.run('describeInstanceTypes', signal, () => this.types)
  }
  describeInstanceTypeOfferings(signal: AbortSignal) {
    return this.faults.run('describeInstanceTypeOfferings', signal, () =>
      this.types.flatMap(({ InstanceType }) =>
        ZONES.map((Location) => ({
          Location,
          ...(InstanceType === undefined ? {} : { InstanceType: InstanceType as 'm5.large' }),
        })),
      ),
    )
  }
  describeImages({ filters }: { readonly filters: readonly Filter[] }, signal: AbortSignal) {
    return this.faults.run('describeImages', signal, () =>
      this.images.filter((image) =>
        passes(filters, (name) =>
          name === 'image-id'
            ? [image.ImageId]
            : name === 'name'
              ? [image.Name]
              : name === 'state'
                ? [image.State]
                : (tagValues(tagsOf(image.Tags), name) ?? []),
        ),
      ),
    )
  }
  describeSubnets(filters: readonly Filter[], signal: AbortSignal) {
    return this.faults.run('describeSubnets', signal, () =>
      this.subnets.filter((subnet) =>
        passes(filters, (name) =>
          name === 'subnet-id' ? [subnet.SubnetId] : (tagValues(tagsOf(subnet.Tags), name) ?? []),
        ),
      ),
    )
  }
  describeSecurityGroups(filters: readonly Filter[], signal: AbortSignal) {
    return this.faults.run('describeSecurityGroups', signal, () =>
      this.groups.filter((group) =>
        passes(filters, (name) =>
          name === 'group-id'
            ? [group.GroupId]
            : name === 'group-name'
              ? [group.GroupName]
              : (tagValues(tagsOf(group.Tags), name) ?? []),
        ),
      ),
    )
  }
  describeLaunchTemplates(
    query: { readonly names: readonly string[] } | { readonly filters: readonly Filter[] },
    signal: AbortSignal,
  ) {
    return this.faults.run('describeLaunchTemplates', signal, () => {
      const all = [...this.templates.values()]
      const found =
        'names' in query
          ? all.filter(({ name }) => query.names.includes(name))
          : all.filter(({ tags }) => passes(query.filters, (name) => tagValues(tags, name) ?? []))
      if ('names' in query && found.length < query.names.length)
        throw sdkError({ code: 'InvalidLaunchTemplateName.NotFoundException' })
      return found.map(({ id, name }) => ({ LaunchTemplateId: id, LaunchTemplateName: name }))
    })
  }
  createLaunchTemplate(
    {
      LaunchTemplateName: name = '',
      LaunchTemplateData: data = {},
      TagSpecifications: tags,
    }: CreateLaunchTemplateCommandInput,
    signal: AbortSignal,
  ) {
    return this.faults.run('createLaunchTemplate', signal, () => {
      if (this.templates.has(name)) throw sdkError({ code: 'InvalidLaunchTemplateName.AlreadyExistsException' })
      if (Buffer.from(data.UserData ?? '', 'base64').length > 16_384)
        throw sdkError({ code: 'InvalidUserData.Malformed', message: 'User data is limited to 16384 bytes' })
      const id = this.#id('lt')
      this.templates.set(name, { id, name, data, tags: tagsOf(tags?.[0]?.Tags) })
      return { LaunchTemplateId: id, LaunchTemplateName: name }
    })
  }
  deleteLaunchTemplate(template: { readonly id: string } | { readonly name: string }, signal: AbortSignal) {
    return this.faults.run('deleteLaunchTemplate', signal, () => {
      const found = [...this.templates.values()].find(({ id, name }) =>
        'id' in template ? id === template.id : name === template.name,
      )
      if (found === undefined) throw sdkError({ code: 'InvalidLaunchTemplateId.NotFound' })
      this.templates.delete(found.name)
    })
  }
  createFleet(input: CreateFleetCommandInput, signal: AbortSignal): Promise<CreateFleetCommandOutput> {
    if (input.DryRun === true) {
      return this.faults.run('tryFleet', signal, () => {
        for (const { Overrides = [] } of input.LaunchTemplateConfigs ?? [])
          for (const { InstanceType } of Overrides) this.#tryType(InstanceType)
        throw sdkError({ code: 'DryRunOperation', status: 412 })
      })
    }
    return this.faults.run('createFleet', signal, () => {
      // A template that is gone is refused, also for a token that is known: nothing documents otherwise.
      const options = fleetOptions(input, this)
      const token = input.ClientToken ?? this.#id('token')
      const text = JSON.stringify(input)
      // EC2 Developer Guide, "Ensuring idempotency": the same token and parameters are answered as the first time, without
      // doing anything; other parameters are refused.
      const known = this.#answers.get(token)
      if (known !== undefined && known.input !== text) throw sdkError({ code: 'IdempotentParameterMismatch' })
      const output = known?.output ?? this.#launch(input, options)
      this.#answers.set(token, { input: text, output })
      return structuredClone(output)
    })
  }
  tryRunInstances(input: RunInstancesCommandInput, signal: AbortSignal) {
    return this.faults.run('tryRunInstances', signal, (): void => {
      this.#tryType(input.InstanceType)
      throw sdkError({ code: 'DryRunOperation', status: 412 })
    })
  }
  describeInstances(
    { ids, filters }: { readonly ids?: readonly string[]; readonly filters: readonly Filter[] },
    signal: AbortSignal,
  ) {
    const work = () => {
      const seen = byId(this.#seen())
      this.#refuseUnknown(ids ?? [], seen)
      checkFilterLimits(filters)
      const asked = ids === undefined ? [...seen.values()] : [...new Set(ids)].flatMap((id) => seen.get(id) ?? [])
      const all = asked.map((instance) => ({
        ...this.#withSeenTags(instance).data,
        State: { Name: this.#stateOf(instance) },
      }))
      return all.filter((instance) =>
        passes(filters, (name) =>
          name === 'instance-state-name' ? [instance.State.Name] : (tagValues(tagsOf(instance.Tags), name) ?? []),
        ),
      )
    }
    // Lists are read in pages, which are not taken together with ids.
    return ids === undefined
      ? this.faults.run('listInstances', signal, work)
      : this.faults.run('describeInstances', signal, work, { isUnbounded: filters.length === 0 })
  }
  describeInstanceStatus(filters: readonly Filter[], signal: AbortSignal) {
    return this.faults.run('describeInstanceStatus', signal, () =>
      this.statuses.filter((status) =>
        passes(filters, (name) =>
          name === 'instance-status.status'
            ? [status.InstanceStatus?.Status]
            : name === 'system-status.status'
              ? [status.SystemStatus?.Status]
              : (status.Events ?? []).map(({ Code }) => Code),
        ),
      ),
    )
  }
  /**
   * As the API reference documents: a call with an id that is wrong ends nothing; one with a protected instance is refused,
   * and ends those of the zones in which it names no protected one. Ending what is ending or ended succeeds.
   */
  terminateInstances(ids: readonly string[], signal: AbortSignal) {
    return this.faults.run('terminateInstances', signal, () => {
      const seen = byId(this.#seen())
      if (!this.requests.takeResources('TerminateInstances', ids.length))
        throw sdkError({ code: 'RequestLimitExceeded', status: 503 })
      this.#refuseUnknown(ids, seen)
      const asked = ids.flatMap((id) => seen.get(id) ?? [])
      const zoneOf = ({ data }: FakeInstance): string => data.Placement?.AvailabilityZone ?? ''
      const guarded = asked.filter(({ data }) => this.protectedInstances.has(data.InstanceId))
      const kept = new Set(guarded.map(zoneOf))
      for (const instance of asked) {
        if (kept.has(zoneOf(instance))) continue
        if (instance.endsAt !== undefined) continue
        for (const watcher of this.watchers) watcher.terminating?.(instance)
        this.#begin(instance, this.#clock.monotonic() + this.#terminationDelay)
      }
      const [first] = guarded
      if (first !== undefined)
        throw sdkError({
          code: 'OperationNotPermitted',
          message: `The instance '${first.data.InstanceId}' may not be terminated. Modify its 'disableApiTermination' instance attribute and try again.`,
        })
      return asked.map((instance) => ({
        InstanceId: instance.data.InstanceId,
        CurrentState: { Name: this.#stateOf(instance) },
      }))
    })
  }
  createTags(
    ids: readonly string[],
    tags: readonly { readonly Key?: string | undefined; readonly Value?: string | undefined }[],
    signal: AbortSignal,
  ) {
    return this.faults.run('createTags', signal, () => {
      this.#refuseUnknown(ids, byId(this.#seen()))
      for (const id of ids) {
        const instance = this.instances.get(id)
        if (instance === undefined) continue
        const before = this.#withSeenTags(instance).data.Tags ?? []
        this.#freshTags.set(id, { at: this.#clock.monotonic(), before })
        const merged = {
          ...tagsOf(instance.data.Tags),
          ...tagsOf([...tags].map(({ Key = '', Value = '' }) => ({ Key, Value }))),
        }
        this.instances.set(id, {
          ...instance,
          data: { ...instance.data, Tags: Object.entries(merged).map(([Key, Value]) => ({ Key, Value })) },
        })
      }
    })
  }
  describeSpotPriceHistory(_since: Date, signal: AbortSignal) {
    return this.faults.run(
      'describeSpotPriceHistory',
      signal,
      () =>
        this.spotPrices ??
        this.types
          .filter(({ InstanceType = '' }) => !this.unpriced.has(InstanceType))
          .flatMap((type) =>
            ZONES.map((zone) => ({
              InstanceType: (type.InstanceType ?? '') as 'm5.large',
              AvailabilityZone: zone,
              SpotPrice: String(fakePrice(type, 'spot')),
              Timestamp: new Date(this.#clock.now()),
            })),
          ),
    )
  }
  describeCapacityReservations(
    query: { readonly id: string } | { readonly filters: readonly Filter[] },
    signal: AbortSignal,
  ) {
    return this.faults.run('describeCapacityReservations', signal, () =>
      this.reservations.filter((reservation) =>
        'id' in query
          ? reservation.CapacityReservationId === query.id
          : passes(query.filters, (name) =>
              name === 'owner-id'
                ? [reservation.OwnerId]
                : name === 'instance-match-criteria'
                  ? [reservation.InstanceMatchCriteria]
                  : (tagValues(tagsOf(reservation.Tags), name) ?? []),
            ),
      ),
    )
  }
  describePlacementGroups(query: { readonly id: string } | { readonly name: string }, signal: AbortSignal) {
    return this.faults.run('describePlacementGroups', signal, () => {
      const named = this.placementGroups.filter((group) =>
        'id' in query ? group.GroupId === query.id : group.GroupName === query.name,
      )
      // EC2 API reference, "Error codes": a group that is named and does not exist is an error, no empty list.
      if (named.length === 0) {
        const name = 'id' in query ? query.id : query.name
        throw sdkError({ code: 'InvalidPlacementGroup.Unknown', message: `The Placement Group '${name}' is unknown.` })
      }
      return named.filter(({ State }) => State === 'available')
    })
  }

  #tryType(type = ''): void {
    this.triedTypes.push(type)
    const fault = this.refusalOfType?.(type)
    if (fault !== undefined) throw sdkError(fault)
  }

  #id(kind: string): string {
    return `${kind}-${(++this.#serial).toString(16).padStart(17, '0')}`
  }

  #launch(input: CreateFleetCommandInput, options: readonly FleetOption[]): CreateFleetCommandOutput {
    this.fleets.push({
      at: this.#clock.monotonic(),
      capacityType: input.TargetCapacitySpecification?.DefaultTargetCapacityType === 'spot' ? 'spot' : 'on-demand',
      overrides: options.map(({ override }) => ({
        type: override.InstanceType ?? '',
        zone: override.AvailabilityZone ?? '',
      })),
      asked: input.TargetCapacitySpecification?.TotalTargetCapacity ?? 1,
    })
    return launchFleet(input, {
      templates: this.templates,
      types: this.types,
      subnets: this.subnets,
      reservations: this.reservations,
      stockOuts: this.stockOuts,
      stocks: this.stocks,
      shortage: this.shortage,
      isTerse: this.isTerse,
      allows: (count) => this.requests.takeResources('RunInstances', count),
      start: (machine) => this.#start(machine, 0),
      fleetId: () => this.#id('fleet'),
    })
  }

  #start(machine: FakeInstanceSpec, age: number): string {
    const id = this.#id('i')
    const { type, zone, tags, lifecycle } = machine
    this.launches.push({ id, at: this.#clock.monotonic(), type, zone, tags, spot: lifecycle === 'spot' })
    const instance = fakeInstance(id, machine, new Date(this.#clock.now() - age))
    this.instances.set(id, instance)
    for (const watcher of this.watchers) watcher.launched?.(instance)
    return id
  }
}
