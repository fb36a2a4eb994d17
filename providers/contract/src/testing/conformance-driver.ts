import type { Milliseconds, NodeClaim, NodeClaimSpec, NodePool } from '@kerf/apis'
import type { KubeClient, RecordingLogger, VirtualClock } from '@kerf/runtime'
import type { RecordingEventRecorder } from '@kerf/runtime/testing'
import type { CloudProvider, InstanceView } from '../cloud-provider.ts'
import type { OfferingPattern } from '../offerings.ts'
import type { DescribedProvider } from './check-capabilities.ts'
import type { CheckId } from './checks.ts'

export type CloudCallName = 'launch' | 'terminate' | 'describe' | 'list'
export type FailureKind = 'throttle' | 'auth' | 'network' | 'serverError'

/** An instance in the fake cloud. Any cluster may own it. */
export interface CloudInstance {
  readonly providerID: string
  readonly state: 'running' | 'terminating'
  /** The tags that the instance had when it was created. */
  readonly tags: Readonly<Record<string, string>>
}

/** The functions with which the suite controls a provider's fake cloud. */
export interface FakeCloud {
  instances(): Promise<readonly CloudInstance[]>
  /** Makes every call of this kind fail with this kind of failure, until `recover` is called. */
  fail(call: CloudCallName, kind: FailureKind): void
  /**
   * Makes every call of this kind take effect and then fail with this kind of failure, until `recover` is called. Absent if the cloud has
   * no such calls. In that case, the checks C30 and D09 do not apply.
   */
  failAfterwards?(call: 'launch' | 'terminate', kind: 'network' | 'serverError'): void
  recover(): void
  /**
   * Makes every call that binds an instance to its NodeClaim fail, until `recover` is called. Only for clouds that do not set tags at
   * launch.
   */
  failBinding?(kind: FailureKind): void
  stockOut(pattern: OfferingPattern): void
  restock(): void
  /** Returns the number of calls of this kind. */
  count(call: CloudCallName): number
  /** Adds an instance that resembles Kerf's instances but belongs to another cluster. Returns its provider ID. */
  plantForeign(): Promise<string>
  /** Adds an instance of this cluster whose NodeClaim is gone and that was launched `age` ago. Returns its provider ID. */
  plantLeaked(age: Milliseconds): Promise<string>
  /** Removes an instance without informing the provider. */
  vanish(providerID: string): Promise<void>
}

export interface ClaimRequest {
  readonly requirements?: NodeClaimSpec['requirements']
  readonly requests?: Readonly<Record<string, string>>
}

export type NodeClassState = 'missing' | 'deleting' | 'notReady' | 'unknown'

/** A new fake cloud, with a provider and its controllers, in virtual time. */
export interface ConformanceHarness {
  readonly clock: VirtualClock
  readonly client: KubeClient
  /** The informers of the provider. They identify its declared prices. */
  readonly informers: object
  readonly events: RecordingEventRecorder
  readonly log: RecordingLogger
  readonly cloud: FakeCloud
  provider: CloudProvider
  /** Replaces the provider with a new provider for the same cloud. Like after a restart, the new provider has no state. */
  restart(): void
  pool(): NodePool
  /** Returns a NodePool that refers to a node class of a kind that the provider does not serve. */
  foreignPool(): NodePool
  /** Creates a NodeClaim in the API. */
  claim(name: string, request?: ClaimRequest): Promise<NodeClaim>
  setNodeClass(state: NodeClassState): Promise<void>
  /** Stops everything. */
  stop(): void
}

/** Checks, keyed by id. Each check receives a new harness and the driver that created it. */
export type Checks = Partial<
  Readonly<Record<CheckId, (harness: ConformanceHarness, driver: ConformanceDriver) => Promise<void>>>
>

/** The interface between a provider's package and the suite. */
export interface ConformanceDriver {
  readonly name: string
  /** The capabilities of the provider. `notApplicable` must not contradict them. */
  readonly descriptor: DescribedProvider
  readonly createHarness: (seed: number) => Promise<ConformanceHarness>
  /** Matches valid provider IDs. */
  readonly providerID: RegExp
  /** Returns the tags that the NodeClaim's instance must have from its launch onwards. */
  readonly ownershipTags: (claim: NodeClaim, view: InstanceView) => Readonly<Record<string, string>>
  /** How long an offering remains unavailable after the cloud has reported a lack of capacity. */
  readonly unavailableFor: Milliseconds
  /** How long an instance takes to terminate in the fake cloud. Must be more than zero. */
  readonly terminationDelay: Milliseconds
  /** Checks that do not apply, with the reasons. The test output shows the reasons. */
  readonly notApplicable: Partial<Readonly<Record<CheckId, string>>>
  /**
   * Checks that only the provider's package can implement. Also checks that replace those of the suite, because the provider documents a
   * different rule.
   */
  readonly own: Checks
}
