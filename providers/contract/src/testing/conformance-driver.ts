import type { Milliseconds, NodeClaim, NodeClaimSpec, NodePool } from '@kerf/apis'
import type { KubeClient, RecordingEventRecorder, RecordingLogger, VirtualClock } from '@kerf/runtime'
import type { CloudProvider, InstanceView } from '../cloud-provider.ts'
import type { OfferingPattern } from '../offerings.ts'
import type { DescribedProvider } from './check-capabilities.ts'
import type { CheckId } from './checks.ts'

export type CloudCallName = 'launch' | 'terminate' | 'describe' | 'list'
export type FailureKind = 'throttle' | 'auth' | 'network' | 'serverError'

/** One instance of the fake cloud, whatever its owner. */
export interface CloudInstance {
  readonly providerID: string
  readonly state: 'running' | 'terminating'
  /** The tags of the instance at its creation. */
  readonly tags: Readonly<Record<string, string>>
}

/** The suite's control over the fake cloud of a provider. */
export interface FakeCloud {
  instances(): Promise<readonly CloudInstance[]>
  /** Fails every call of that kind in this way until `recover`. */
  fail(call: CloudCallName, kind: FailureKind): void
  recover(): void
  /** Fails every call that binds an instance to its claim, until `recover`. Only for clouds without tags at launch. */
  failBinding?(kind: FailureKind): void
  stockOut(pattern: OfferingPattern): void
  restock(): void
  /** Returns how often the cloud was called. */
  count(call: CloudCallName): number
  /** Adds an instance that looks like ours but belongs to another cluster. Returns its provider ID. */
  plantForeign(): Promise<string>
  /** Adds an instance of ours whose NodeClaim is gone, launched `age` ago. Returns its provider ID. */
  plantLeaked(age: Milliseconds): Promise<string>
  /** Removes an instance without the provider's knowledge. */
  vanish(providerID: string): Promise<void>
}

export interface ClaimRequest {
  readonly requirements?: NodeClaimSpec['requirements']
  readonly requests?: Readonly<Record<string, string>>
}

export type NodeClassState = 'missing' | 'deleting' | 'notReady' | 'unknown'

/** A new fake cloud with a provider and its controllers, in virtual time. */
export interface ConformanceHarness {
  readonly clock: VirtualClock
  readonly client: KubeClient
  readonly events: RecordingEventRecorder
  readonly log: RecordingLogger
  readonly cloud: FakeCloud
  provider: CloudProvider
  /** Replaces the provider with a new one over the same cloud, as after a restart, with an empty memory. */
  restart(): void
  pool(): NodePool
  /** Returns the same pool with a class of a kind that the provider does not serve. */
  foreignPool(): NodePool
  /** Creates a NodeClaim in the API. */
  claim(name: string, request?: ClaimRequest): Promise<NodeClaim>
  setNodeClass(state: NodeClassState): Promise<void>
  /** Stops everything. */
  stop(): void
}

/** Checks by id. Each gets a new harness, and the driver that created it. */
export type Checks = Partial<
  Readonly<Record<CheckId, (harness: ConformanceHarness, driver: ConformanceDriver) => Promise<void>>>
>

/** What a provider package passes to the suite. */
export interface ConformanceDriver {
  readonly name: string
  /** The capabilities of the provider. The reasons of checks that do not apply must not contradict them. */
  readonly descriptor: DescribedProvider
  readonly createHarness: (seed: number) => Promise<ConformanceHarness>
  /** The format of a provider ID. */
  readonly providerID: RegExp
  /** Returns the tags that an instance of the claim has from its launch. */
  readonly ownershipTags: (claim: NodeClaim, view: InstanceView) => Readonly<Record<string, string>>
  /** How long an offering without capacity stays unavailable. */
  readonly unavailableFor: Milliseconds
  /** How long an instance takes to terminate in the fake cloud; more than zero. */
  readonly terminationDelay: Milliseconds
  /** Checks that do not apply, each with the reason, which is printed. */
  readonly notApplicable: Partial<Readonly<Record<CheckId, string>>>
  /** Checks that only the provider's package can implement, and replacements for those whose rule it documents differently. */
  readonly own: Checks
}
