import { capacityTypes, formatTime, type Milliseconds } from '@kerf/apis'
import type { OfferingPattern } from '@kerf/provider-contract'
import { isMeantBy } from '@kerf/provider-kit'
import { type Ending, Inventory } from '@kerf/provider-kit/testing'
import type { Clock } from '@kerf/runtime'
import { fakeTypes } from './fake-offer.ts'
import { REGION, ZONES } from './names.ts'
import type { Refusal } from './request-shape.ts'

export interface FakeVSwitch {
  readonly id: string
  readonly zone: string
  readonly free: number
  readonly tags: Readonly<Record<string, string>>
}

export interface FakeSecurityGroup {
  readonly id: string
  readonly name: string
  readonly tags: Readonly<Record<string, string>>
}

export interface FakeImage {
  readonly id: string
  readonly name: string
  readonly architecture: 'x86_64' | 'arm64'
}

export interface FakeInstance extends Ending {
  readonly id: string
  readonly type: string
  readonly vSwitch: string
  readonly zone: string
  readonly isSpot: boolean
  readonly image: string
  readonly securityGroups: readonly string[]
  readonly userData: string
  readonly tags: Readonly<Record<string, string>>
  readonly createdAt: Milliseconds
  /** Until this monotonic time, the instance has the status Starting and cannot be deleted. */
  readonly startsUntil: Milliseconds
  /** Until this monotonic time, lists omit the instance. */
  readonly hiddenUntil: Milliseconds
  readonly isProtected: boolean
}

export interface FakeAccountOptions {
  /** How long an instance stays Starting. The default is 0. */
  readonly startsFor?: Milliseconds
  /** How long an instance stays Stopping after its deletion. The default is 4 s. */
  readonly stopsFor?: Milliseconds
  /** For how long lists omit a new instance. The default is 0. */
  readonly listLag?: Milliseconds
}

const DISCOVERY = { 'karpenter.sh/discovery': 'demo' } as const

/** The resources in the account: networks, images, stock, quotas and instances. Tests change them like users and the cloud would. */
export class FakeAccount {
  readonly clock: Clock
  readonly options: { -readonly [K in keyof FakeAccountOptions]-?: FakeAccountOptions[K] }
  readonly instances: Inventory<FakeInstance>
  vSwitches: readonly FakeVSwitch[] = ZONES.map((zone) => ({
    id: `vsw-${zone.slice(-1)}`,
    zone,
    free: 250,
    tags: DISCOVERY,
  }))
  securityGroups: readonly FakeSecurityGroup[] = [{ id: 'sg-nodes', name: 'nodes', tags: DISCOVERY }]
  images: readonly FakeImage[] = [
    { id: 'aliyun_3_x64_20G_alibase_20250117.vhd', name: 'Alibaba Cloud Linux 3', architecture: 'x86_64' },
    { id: 'aliyun_3_arm64_20G_alibase_20250117.vhd', name: 'Alibaba Cloud Linux 3 ARM', architecture: 'arm64' },
    { id: 'lifsea_3_x64_10G_containerd_1_6_34.vhd', name: 'ContainerOS 3.4', architecture: 'x86_64' },
    { id: 'm-custom', name: 'custom', architecture: 'x86_64' },
  ]
  types = fakeTypes
  /** The offerings that are out of stock, so launches cannot get them. */
  outOfStock: readonly OfferingPattern[] = []
  /**
   * The offerings that DescribeAvailableResource reports as sold out. They may differ from `outOfStock`, because the real report may be
   * outdated.
   */
  soldOut: readonly OfferingPattern[] = []
  /** Disk categories that offerings do not support, although the offerings are in stock. */
  noDisks: readonly (OfferingPattern & { readonly category: string })[] = []
  /** The vCPUs that the account may still use, by capacity type. */
  quota: Readonly<Record<'on-demand' | 'spot', number>> = { 'on-demand': 10_000, spot: 10_000 }
  /** The parameters and the response of each launch, by client token. */
  readonly launches = new Map<string, { readonly parameters: string; readonly answer: object }>()
  network = 'other'
  /** Called for each launched instance. */
  onLaunched: (instance: FakeInstance) => void = () => undefined
  /** Called after Kerf has started to release an instance. */
  onReleased: (instance: FakeInstance) => void = () => undefined
  #made = 0

  constructor(clock: Clock, { startsFor = 0, stopsFor = 4_000, listLag = 0 }: FakeAccountOptions = {}) {
    this.clock = clock
    this.options = { startsFor, stopsFor, listLag }
    // The API stops listing an instance as soon as it is released.
    this.instances = new Inventory(clock, { visibleFor: 0 })
  }

  hasStock(offering: Required<OfferingPattern>): boolean {
    return !this.outOfStock.some((pattern) => isMeantBy(pattern, offering))
  }

  /** Returns true if the offering supports one of the disk categories, or if the request specifies none. */
  hasDisk(offering: Required<OfferingPattern>, categories: readonly string[]): boolean {
    const isMissing = (category: string): boolean =>
      this.noDisks.some((each) => each.category === category && isMeantBy(each, offering))
    return categories.length === 0 || !categories.every(isMissing)
  }

  isForSale(offering: Required<OfferingPattern>): boolean {
    return !this.soldOut.some((pattern) => isMeantBy(pattern, offering))
  }

  /** Adds an instance with any owner. */
  put(instance: Partial<FakeInstance> & Pick<FakeInstance, 'tags'>, age: Milliseconds = 0): FakeInstance {
    const now = this.clock.monotonic()
    const [vSwitch] = this.vSwitches
    const made: FakeInstance = {
      id: `i-${REGION.slice(0, 2)}${String(++this.#made).padStart(17, '0')}`,
      type: 'ecs.g7.large',
      vSwitch: vSwitch?.id ?? '',
      zone: vSwitch?.zone ?? '',
      isSpot: false,
      image: this.images[0]?.id ?? '',
      securityGroups: ['sg-nodes'],
      userData: '',
      createdAt: this.clock.now() - age,
      startsUntil: now + (age > 0 ? 0 : this.options.startsFor),
      hiddenUntil: now + (age > 0 ? 0 : this.options.listLag),
      isProtected: false,
      ...instance,
    }
    this.instances.set(made.id, made)
    return made
  }

  /** Removes an instance without an API call. */
  vanish(id: string): void {
    this.instances.delete(id)
  }

  statusOf(instance: FakeInstance): string {
    if (this.instances.stateOf(instance) === 'ending') return 'Stopping'
    return instance.startsUntil > this.clock.monotonic() ? 'Starting' : 'Running'
  }

  /** Returns the instances that the API's lists contain. */
  listed(): readonly FakeInstance[] {
    const now = this.clock.monotonic()
    return this.instances.living().filter(({ hiddenUntil }) => hiddenUntil <= now)
  }

  /** Starts the release of an instance. Returns the API's error with its documented code, or undefined if the API accepts the call. */
  delete(id: string): Refusal | undefined {
    const instance = this.instances.get(id)
    if (instance === undefined || this.instances.stateOf(instance) === 'gone')
      return { status: 404, code: 'InvalidInstanceId.NotFound', message: 'The specified InstanceId does not exist.' }
    if (instance.isProtected)
      return {
        status: 403,
        code: 'InvalidOperation.DeletionProtection',
        message: 'The operation is not allowed due to deletion protection.',
      }
    if (this.statusOf(instance) === 'Starting')
      return {
        status: 403,
        code: 'IncorrectInstanceStatus.Initializing',
        message: 'The specified instance status does not support this operation.',
      }
    if (instance.endsAt === undefined) {
      this.instances.set(id, { ...instance, endsAt: this.clock.monotonic() + this.options.stopsFor })
      this.onReleased(instance)
    }
    return undefined
  }

  addTags(id: string, tags: Readonly<Record<string, string>>): void {
    const instance = this.instances.get(id)
    if (instance !== undefined) this.instances.set(id, { ...instance, tags: { ...instance.tags, ...tags } })
  }

  createdText({ createdAt }: FakeInstance): string {
    // The API returns times without seconds.
    return formatTime(createdAt).replace(/:\d\d(?:\.\d+)?Z$/, 'Z')
  }

  /** Returns the number of vCPUs in use with this capacity type. */
  usedCpus(isSpot: boolean): number {
    return this.instances
      .living()
      .filter((instance) => instance.isSpot === isSpot)
      .reduce((sum, { type }) => sum + (this.types.find((each) => each.InstanceTypeId === type)?.CpuCoreCount ?? 0), 0)
  }

  /** Returns whether the quota allows one more instance. */
  hasQuota(vcpus: number, isSpot: boolean): boolean {
    const kind = isSpot ? capacityTypes.spot : capacityTypes.onDemand
    return this.usedCpus(isSpot) + vcpus <= this.quota[kind]
  }
}
