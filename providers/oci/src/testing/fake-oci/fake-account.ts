import type { Milliseconds } from '@kerf/apis'
import { type Ending, Inventory } from '@kerf/provider-kit/testing'
import type { Clock } from '@kerf/runtime'
import type { LaunchDetails } from '../../api/launch-details.ts'
import type { OciShape } from '../../api/oci-shapes.ts'
import { fakeShapes } from './fake-shapes.ts'
import {
  ARM_IMAGE,
  AVAILABILITY_DOMAINS,
  COMPARTMENT,
  FAULT_DOMAINS,
  GPU_IMAGE,
  IMAGE,
  SECURITY_GROUP,
  SUBNET,
  TAG_NAMESPACE,
} from './names.ts'

export interface FakeSubnet {
  readonly id: string
  readonly name: string
  readonly cidr: string
  /** Absent for a regional subnet. */
  readonly availabilityDomain?: string
  /** The number of free addresses. */
  readonly free: number
}

export interface FakeImage {
  readonly id: string
  readonly name: string
  readonly os: string
  readonly version: string
  readonly createdAt: string
  /** Matches the names of the shapes that can boot the image. */
  readonly shapes: RegExp
  readonly freeformTags?: Readonly<Record<string, string>>
}

/** A reservation of instances of one shape. */
export interface FakeReservation {
  readonly id: string
  readonly name: string
  readonly availabilityDomain: string
  readonly shape: string
  readonly count: number
}

/** Launches for which no host has capacity. An absent field matches all launches. */
export interface FakeStockOut {
  readonly shape?: string
  readonly ocpus?: number
  readonly availabilityDomain?: string
  readonly isPreemptible?: boolean
  /** If true, the API accepts the launch, and the work request fails later. */
  readonly isAfterwards?: boolean
}

export interface FakeInstance extends Ending {
  readonly id: string
  readonly details: LaunchDetails
  readonly faultDomain: string
  readonly createdAt: Milliseconds
  /** Until this monotonic time, the instance is PROVISIONING. */
  readonly startsUntil: Milliseconds
  /** Until this monotonic time, lists omit the instance. */
  readonly hiddenUntil: Milliseconds
  readonly workRequest: string
  /** Whether the instance has no host, and therefore no boot volume, until it starts. */
  readonly isHostless: boolean
  /** The reason why the launch fails after it was accepted. */
  readonly failure?: string
  readonly nsgIds: readonly string[]
}

export interface FakeAccountOptions {
  /** How long an instance stays PROVISIONING. The default is 0. */
  readonly startsFor?: Milliseconds
  /** How long an instance stays TERMINATING. The default is 4 s. */
  readonly stopsFor?: Milliseconds
  /** For how long lists omit a new instance. The default is 0. */
  readonly listLag?: Milliseconds
}

/** How long a terminated instance stays visible (at least 12 hours according to Oracle's API description). */
const VISIBLE_FOR: Milliseconds = 12 * 3_600_000

/** The resources in the tenancy. Tests change them like users and the cloud would. */
export class FakeAccount {
  readonly clock: Clock
  readonly options: { -readonly [K in keyof FakeAccountOptions]-?: FakeAccountOptions[K] }
  readonly instances: Inventory<FakeInstance>
  subnets: readonly FakeSubnet[] = [{ id: SUBNET, name: 'nodes', cidr: '10.0.0.0/20', free: 4_000 }]
  securityGroups: readonly { readonly id: string; readonly name: string }[] = [{ id: SECURITY_GROUP, name: 'nodes' }]
  images: readonly FakeImage[] = [
    image(IMAGE, 'Oracle-Linux-8.10-2026.01.29-0-OKE-1.34.1-1330', /^(?!.*(?:A1|A2|A4|GPU)).*$/),
    image(ARM_IMAGE, 'Oracle-Linux-8.10-aarch64-2026.01.29-0-OKE-1.34.1-1330', /\.A[124]\b/),
    image(GPU_IMAGE, 'Oracle-Linux-8.10-Gen2-GPU-2026.01.29-0-OKE-1.34.1-1330', /GPU/),
  ]
  shapes: readonly OciShape[] = fakeShapes
  reservations: readonly FakeReservation[] = []
  computeClusters: readonly { readonly id: string; readonly name: string; readonly availabilityDomain: string }[] = []
  stockOuts: readonly FakeStockOut[] = []
  /** Whether instances get a host, and therefore a boot volume, as soon as their launch is accepted. */
  hasHosts = true
  /** The service limit: the maximum number of OCPUs in each availability domain. */
  ocpuLimit = 10_000
  /** The quota of the compartment: the maximum number of OCPUs in total. */
  ocpuQuota = 100_000
  /** The keys of each namespace of defined tags. */
  tagNamespaces: Readonly<Record<string, readonly string[]>> = {
    [TAG_NAMESPACE]: [
      'karpenter_sh/nodepool',
      'karpenter_sh/managed-by',
      'karpenter_k8s_oracle/ocinodeclass',
      'karpenter_sh/nodeclaim',
    ],
  }
  /** The maximum page size of lists. Tests reduce it so that lists have several pages. */
  pageSize = 1_000
  /** The details and the instance of each launch, by retry token. */
  readonly launches = new Map<string, { readonly details: string; readonly instance: string }>()
  /** Called for each launched instance that starts. */
  onLaunched: (instance: FakeInstance) => void = () => undefined
  /** Called after Kerf has started to terminate an instance. */
  onTerminated: (instance: FakeInstance) => void = () => undefined
  #made = 0

  constructor(clock: Clock, { startsFor = 0, stopsFor = 4_000, listLag = 0 }: FakeAccountOptions = {}) {
    this.clock = clock
    this.options = { startsFor, stopsFor, listLag }
    this.instances = new Inventory(clock, { visibleFor: VISIBLE_FOR })
  }

  /** Returns the shortage that applies to a launch, or undefined if a host has capacity. */
  stockOut({
    shape,
    shapeConfig,
    availabilityDomain,
    preemptibleInstanceConfig,
  }: LaunchDetails): FakeStockOut | undefined {
    const isPreemptible = preemptibleInstanceConfig !== undefined
    return this.stockOuts.find(
      (each) =>
        (each.shape ?? shape) === shape &&
        (each.ocpus ?? shapeConfig?.ocpus) === shapeConfig?.ocpus &&
        (each.availabilityDomain ?? availabilityDomain) === availabilityDomain &&
        (each.isPreemptible ?? isPreemptible) === isPreemptible,
    )
  }

  /** Adds an instance with any owner. */
  put(details: Partial<LaunchDetails>, age: Milliseconds = 0, failure?: string): FakeInstance {
    const now = this.clock.monotonic()
    const number = String(++this.#made).padStart(12, '0')
    const full: LaunchDetails = {
      availabilityDomain: AVAILABILITY_DOMAINS[0],
      compartmentId: COMPARTMENT,
      displayName: `instance-${number}`,
      shape: 'VM.Standard2.1',
      sourceDetails: { sourceType: 'image', imageId: IMAGE },
      createVnicDetails: { subnetId: SUBNET },
      instanceOptions: { areLegacyImdsEndpointsDisabled: true },
      metadata: {},
      ...details,
    }
    const made: FakeInstance = {
      id: `ocid1.instance.oc1.phx.aaaa${number}`,
      details: full,
      faultDomain: full.faultDomain ?? FAULT_DOMAINS[this.#made % FAULT_DOMAINS.length] ?? '',
      createdAt: this.clock.now() - age,
      startsUntil: now + (age > 0 ? 0 : this.options.startsFor),
      hiddenUntil: now + (age > 0 ? 0 : this.options.listLag),
      isHostless: !this.hasHosts && age === 0,
      workRequest: `ocid1.coreservicesworkrequest.oc1.phx.aaaa${number}`,
      nsgIds: full.createVnicDetails.nsgIds ?? [],
      // Oracle Cloud terminates the instance of a failed launch automatically.
      ...(failure === undefined ? {} : { failure, endsAt: now + this.options.startsFor }),
    }
    this.instances.set(made.id, made)
    return made
  }

  /** Terminates an instance at once, without an API call. */
  end(id: string): void {
    const instance = this.instances.get(id)
    if (instance !== undefined) this.instances.set(id, { ...instance, endsAt: this.clock.monotonic() })
  }

  lifecycleState(instance: FakeInstance): string {
    const isStarting = instance.startsUntil > this.clock.monotonic()
    switch (this.instances.stateOf(instance)) {
      case 'running':
        return isStarting ? 'PROVISIONING' : 'RUNNING'
      case 'ending':
        return instance.failure === undefined ? 'TERMINATING' : 'PROVISIONING'
      case 'gone':
        return 'TERMINATED'
    }
  }

  /** Reports whether the instance has a host, and therefore a boot volume. */
  isPlaced({ isHostless, startsUntil }: FakeInstance): boolean {
    return !isHostless || startsUntil <= this.clock.monotonic()
  }

  /** Returns the instances that lists contain, including terminated ones. */
  listed(): readonly FakeInstance[] {
    const now = this.clock.monotonic()
    return this.instances.visible().filter(({ hiddenUntil }) => hiddenUntil <= now)
  }

  /** Starts the termination of an instance, like a user, a preemption or an API call. */
  terminate(instance: FakeInstance): void {
    if (instance.endsAt !== undefined) return
    this.instances.set(instance.id, { ...instance, endsAt: this.clock.monotonic() + this.options.stopsFor })
    this.onTerminated(instance)
  }

  /** Returns the OCPUs of an instance. */
  ocpus({ shape, shapeConfig }: LaunchDetails): number {
    return shapeConfig?.ocpus ?? this.shapes.find((each) => each.shape === shape)?.ocpus ?? 0
  }

  /** Returns the number of OCPUs in use, in one availability domain or in all. */
  usedOcpus(availabilityDomain?: string): number {
    return this.instances
      .living()
      .filter(({ details }) => (availabilityDomain ?? details.availabilityDomain) === details.availabilityDomain)
      .reduce((sum, { details }) => sum + this.ocpus(details), 0)
  }

  /** Returns the number of free addresses in a subnet. */
  freeAddresses(subnet: FakeSubnet): number {
    return (
      subnet.free -
      this.instances.living().filter(({ details }) => details.createVnicDetails.subnetId === subnet.id).length
    )
  }
}

const image = (id: string, name: string, shapes: RegExp): FakeImage => ({
  ...{ id, name, shapes, os: 'Oracle Linux', version: '8', createdAt: '2026-01-29T00:00:00.000Z' },
  freeformTags: { k8s_version: 'v1.34.1' },
})
