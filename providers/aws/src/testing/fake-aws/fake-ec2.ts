import type {
  CreateFleetCommandInput,
  CreateFleetCommandOutput,
  CreateLaunchTemplateCommandInput,
  Filter,
  RunInstancesCommandInput,
  Tag,
} from '@aws-sdk/client-ec2'
import type { OfferingPattern } from '@kerf/provider-contract'
import { type Fault, Inventory } from '@kerf/provider-kit/testing'
import type { Clock } from '@kerf/runtime'
import { type Ec2Api, tagMap } from '../../api/aws-api.ts'
import { FakeEc2Resources } from './fake-ec2-resources.ts'
import { launchFleet } from './fake-fleet.ts'
import { type FakeInstance, type FakeInstanceSpec, fakeInstance } from './fake-instance.ts'
import { checkFilterLimits, passes, tagValues } from './filters.ts'
import { type FakeTemplate, type FleetOption, fleetOptions, type PolicyQuestion, type Stock } from './fleet-options.ts'
import { ZONES } from './inventory.ts'
import type { Requests } from './requests.ts'
import { sdkError } from './sdk-error.ts'

/** Terminated instances stay visible for about an hour (API reference, TerminateInstances). */
const TERMINATED_FOR = 3_600_000
const STATES = { running: 'running', ending: 'shutting-down', gone: 'terminated' } as const

const byId = (instances: readonly FakeInstance[]): ReadonlyMap<string, FakeInstance> =>
  new Map(instances.map((instance) => [instance.data.InstanceId, instance]))

/** Called when something happens to an instance, before any response can contain the change. */
export interface Ec2Watcher {
  launched?(instance: FakeInstance): void
  /** Called when TerminateInstances is called for an instance that was not terminating yet. */
  terminating?(instance: FakeInstance): void
  /** The instance begins to terminate, for any reason. `endsAt` is when it will be terminated. */
  ending?(instance: FakeInstance & { readonly endsAt: number }): void
}

/** An in-memory EC2: launch templates, fleets and the lifecycle of instances. Tests inject faults and shortages. */
export class FakeEc2 extends FakeEc2Resources implements Ec2Api {
  /** The types of all dry runs, in order. */
  readonly triedTypes: string[] = []
  /** Returns EC2's refusal of dry runs for an instance type ("Troubleshoot Amazon EC2 instance launch issues" in its user guide). */
  refusalOfType: ((type: string) => Fault | undefined) | undefined
  /**
   * Returns a policy's denial, or undefined. A denied dry run is refused as a whole. In a launch, each denied override becomes an entry of
   * `Errors` (as logged in aws/karpenter-provider-aws issue 7370).
   */
  policy: ((asked: PolicyQuestion) => Fault | undefined) | undefined
  readonly instances: Inventory<FakeInstance>
  readonly templates = new Map<string, FakeTemplate>()
  /** Every launch so far: the time, the instance, and the NodeClaim according to its tags. */
  readonly launches: {
    readonly id: string
    readonly at: number
    readonly type: string
    readonly zone: string
    readonly spot: boolean
    readonly tags: Readonly<Record<string, string>>
  }[] = []
  /** The requests of all CreateFleet calls so far. */
  readonly fleets: {
    readonly at: number
    readonly capacityType: 'spot' | 'on-demand'
    readonly overrides: readonly { readonly type: string; readonly zone: string }[]
    /** The number of instances. */
    readonly asked: number
  }[] = []
  /** Instances with the attribute DisableApiTermination. */
  readonly protectedInstances = new Set<string>()
  readonly stockOuts: OfferingPattern[] = []
  readonly stocks: Stock[] = []
  /** Leaves the optional fields out of the responses to CreateFleet. */
  isTerse = false
  /** The error code for offerings without capacity. */
  shortage = 'InsufficientInstanceCapacity'
  readonly #terminationDelay: number
  /** The tags of each instance before its last CreateTags call, and the time of that call. */
  readonly #freshTags = new Map<string, { readonly at: number; readonly before: Tag[] }>()
  readonly #responses = new Map<string, { readonly input: string; readonly output: CreateFleetCommandOutput }>()
  #serial = 0

  constructor(clock: Clock, options: { readonly terminationDelay: number }, requests?: Requests) {
    super(clock, requests)
    this.instances = new Inventory(clock, { visibleFor: TERMINATED_FOR })
    this.#terminationDelay = options.terminationDelay
  }

  /**
   * How long all responses except that of the launching call omit a new instance. EC2 is eventually consistent: this can take
   * minutes (EC2 Developer Guide, eventual consistency).
   */
  unseenFor = 0

  /** How long responses omit the tags of a CreateTags call (the EC2 Developer Guide, eventual consistency, gives tags as an example). */
  tagsUnseenFor = 0

  readonly watchers: Ec2Watcher[] = []

  /** Returns all instances that are not terminated, including those that are terminating. */
  living(): readonly FakeInstance[] {
    return this.instances.living()
  }

  /** Terminates an instance immediately, as its operating system or its owner may do. */
  end(id: string): void {
    const instance = this.instances.get(id)
    if (instance !== undefined) this.#begin(instance, this.clock.monotonic())
  }

  #begin(instance: FakeInstance, endsAt: number): void {
    instance.endsAt = endsAt
    for (const watcher of this.watchers) watcher.ending?.({ ...instance, endsAt })
  }

  /** Returns the instances that are old enough to appear in responses (see `unseenFor`). */
  #seen(): readonly FakeInstance[] {
    const since = this.clock.now() - this.unseenFor
    return this.instances.visible().filter(({ data }) => (data.LaunchTime?.getTime() ?? 0) <= since)
  }

  /** Returns the instance with the tags that responses contain, which may be older tags (see `tagsUnseenFor`). */
  #withSeenTags(instance: FakeInstance): FakeInstance {
    const unseen = this.#freshTags.get(instance.data.InstanceId)
    if (unseen === undefined || unseen.at + this.tagsUnseenFor <= this.clock.monotonic()) return instance
    return { ...instance, data: { ...instance.data, Tags: unseen.before } }
  }

  /** Fails the whole call if an id is malformed or unknown. The texts are those of the service, which lists all unknown ids. */
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

  /** Adds an instance as if another cluster or an earlier run had launched it. */
  plant(tags: Readonly<Record<string, string>>, age = 0): string {
    return this.#start({ type: 'm5.large', zone: ZONES[0], subnet: 'subnet-a', image: 'ami-x86', tags }, age)
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
      this.templates.set(name, { id, name, data, tags: tagMap(tags?.[0]?.Tags) })
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
          for (const { InstanceType, SubnetId } of Overrides)
            this.#tryType({
              ...{ type: InstanceType, subnet: SubnetId },
              capacityType: input.TargetCapacitySpecification?.DefaultTargetCapacityType,
            })
        throw sdkError({ code: 'DryRunOperation', status: 412 })
      })
    }
    return this.faults.run('createFleet', signal, () => {
      // AWS does not document this case. The fake refuses a missing template even if the token is known.
      const options = fleetOptions(input, this)
      const token = input.ClientToken ?? this.#id('token')
      const text = JSON.stringify(input)
      // EC2 Developer Guide, "Ensuring idempotency": a repeated call with the same token and parameters returns the first response and
      // launches nothing. With other parameters, EC2 refuses the call.
      const known = this.#responses.get(token)
      if (known !== undefined && known.input !== text) throw sdkError({ code: 'IdempotentParameterMismatch' })
      const output = known?.output ?? this.#launch(input, options)
      this.#responses.set(token, { input: text, output })
      return structuredClone(output)
    })
  }

  tryRunInstances(input: RunInstancesCommandInput, signal: AbortSignal) {
    return this.faults.run('tryRunInstances', signal, (): void => {
      this.#tryType({
        ...{ type: input.InstanceType, subnet: input.NetworkInterfaces?.[0]?.SubnetId },
        capacityType: input.InstanceMarketOptions?.MarketType,
      })
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
        State: { Name: STATES[this.instances.stateOf(instance)] },
      }))
      return all.filter((instance) =>
        passes(filters, (name) =>
          name === 'instance-state-name' ? [instance.State.Name] : (tagValues(tagMap(instance.Tags), name) ?? []),
        ),
      )
    }
    // A list is read in pages, except if ids are given, because EC2 rejects requests that contain both ids and a page size.
    return ids === undefined
      ? this.faults.run('listInstances', signal, work)
      : this.faults.run('describeInstances', signal, work, { isUnbounded: filters.length === 0 })
  }

  /**
   * Behaves as the API reference documents. If an id is wrong, terminates nothing. If an instance is protected, refuses the call, but
   * terminates the instances in zones without a protected instance. Terminating an instance again succeeds.
   */
  terminateInstances(ids: readonly string[], signal: AbortSignal) {
    return this.faults.run('terminateInstances', signal, () => {
      const seen = byId(this.#seen())
      if (!this.requests.takeResources('TerminateInstances', ids.length))
        throw sdkError({ code: 'RequestLimitExceeded', status: 503 })
      this.#refuseUnknown(ids, seen)
      const asked = ids.flatMap((id) => seen.get(id) ?? [])
      const instanceZone = ({ data }: FakeInstance): string => data.Placement?.AvailabilityZone ?? ''
      const guarded = asked.filter(({ data }) => this.protectedInstances.has(data.InstanceId))
      const kept = new Set(guarded.map(instanceZone))
      for (const instance of asked) {
        if (kept.has(instanceZone(instance))) continue
        if (instance.endsAt !== undefined) continue
        for (const watcher of this.watchers) watcher.terminating?.(instance)
        this.#begin(instance, this.clock.monotonic() + this.#terminationDelay)
      }
      const [first] = guarded
      if (first !== undefined)
        throw sdkError({
          code: 'OperationNotPermitted',
          message: `The instance '${first.data.InstanceId}' may not be terminated. Modify its 'disableApiTermination' instance attribute and try again.`,
        })
      return asked.map((instance) => ({
        InstanceId: instance.data.InstanceId,
        CurrentState: { Name: STATES[this.instances.stateOf(instance)] },
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
        this.#freshTags.set(id, { at: this.clock.monotonic(), before })
        const merged = {
          ...tagMap(instance.data.Tags),
          ...tagMap([...tags].map(({ Key = '', Value = '' }) => ({ Key, Value }))),
        }
        this.instances.set(id, {
          ...instance,
          data: { ...instance.data, Tags: Object.entries(merged).map(([Key, Value]) => ({ Key, Value })) },
        })
      }
    })
  }

  #tryType(asked: { type?: string | undefined; subnet?: string | undefined; capacityType?: string | undefined }): void {
    const { type = '', subnet = '' } = asked
    this.triedTypes.push(type)
    const capacityType = asked.capacityType === 'spot' ? 'spot' : 'on-demand'
    const fault = this.refusalOfType?.(type) ?? this.policy?.({ type, subnet, capacityType })
    if (fault !== undefined) throw sdkError(fault)
  }

  #id(kind: string): string {
    return `${kind}-${(++this.#serial).toString(16).padStart(17, '0')}`
  }

  #launch(input: CreateFleetCommandInput, options: readonly FleetOption[]): CreateFleetCommandOutput {
    this.fleets.push({
      at: this.clock.monotonic(),
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
      lacks: (type, zone) => this.lacks(type, zone),
      denies: (asked) => this.policy?.(asked),
      isTerse: this.isTerse,
      allows: (count) => this.requests.takeResources('RunInstances', count),
      start: (instance) => this.#start(instance, 0),
      fleetId: () => this.#id('fleet'),
    })
  }

  #start(spec: FakeInstanceSpec, age: number): string {
    const id = this.#id('i')
    const { type, zone, tags, lifecycle } = spec
    this.launches.push({ id, at: this.clock.monotonic(), type, zone, tags, spot: lifecycle === 'spot' })
    const instance = fakeInstance(id, spec, new Date(this.clock.now() - age))
    this.instances.set(id, instance)
    for (const watcher of this.watchers) watcher.launched?.(instance)
    return id
  }
}
