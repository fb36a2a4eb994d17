import type { Milliseconds, NodeClaim, NodeClaimSpec, NodePool } from '@kerf/apis'
import type { KubeClient, RecordingEventRecorder, RecordingLogger, VirtualClock } from '@kerf/runtime'
import type { CloudProvider, InstanceView } from '../cloud-provider.ts'
import type { OfferingPattern } from '../offerings.ts'
import type { DescribedProvider } from './check-capabilities.ts'
import type { CheckId } from './checks.ts'

export type CloudCallName = 'launch' | 'terminate' | 'describe' | 'list'
export type FailureKind = 'throttle' | 'auth' | 'network' | 'serverError'

/** One instance of the fake cloud, whoever owns it. */
export interface CloudInstance {
  readonly providerID: string
  readonly state: 'running' | 'terminating'
  /** The tags that the instance got at its creation. */
  readonly tags: Readonly<Record<string, string>>
}

/** The fake cloud behind a provider, as the suite controls it. */
export interface FakeCloud {
  instances(): Promise<readonly CloudInstance[]>
  /** Every call of that kind fails this way until `recover`. */
  fail(call: CloudCallName, kind: FailureKind): void
  recover(): void
  /** Every call that binds an instance to its claim fails, until `recover`. Only of clouds without tags at the launch. */
  failBinding?(kind: FailureKind): void
  stockOut(pattern: OfferingPattern): void
  restock(): void
  /** How often the cloud was called. */
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

/** A fresh fake cloud with a provider over it, its own controllers running, in virtual time. */
export interface ConformanceWorld {
  readonly clock: VirtualClock
  readonly client: KubeClient
  readonly events: RecordingEventRecorder
  readonly log: RecordingLogger
  readonly cloud: FakeCloud
  provider: CloudProvider
  /** Replaces the provider with a new one over the same cloud, as after a restart: nothing in memory is left. */
  restart(): void
  pool(): NodePool
  /** The same pool with a class of a kind that the provider does not serve. */
  foreignPool(): NodePool
  /** Creates a NodeClaim in the API. */
  claim(name: string, request?: ClaimRequest): Promise<NodeClaim>
  setNodeClass(state: NodeClassState): Promise<void>
  /** Stops everything that runs. */
  stop(): void
}

/** Checks by id. Each gets a fresh world, and the driver that made it. */
export type Checks = Partial<
  Readonly<Record<CheckId, (world: ConformanceWorld, driver: ConformanceDriver) => Promise<void>>>
>

/** What a provider package gives the suite. */
export interface ConformanceDriver {
  readonly name: string
  /** What the provider says that it can do. Reasons why a check does not apply must not contradict it. */
  readonly descriptor: DescribedProvider
  readonly createWorld: (seed: number) => Promise<ConformanceWorld>
  /** The form of a provider ID. */
  readonly providerID: RegExp
  /** Tags that an instance of the claim has from its launch on. */
  readonly ownershipTags: (claim: NodeClaim, view: InstanceView) => Readonly<Record<string, string>>
  /** How long an offering without capacity stays unavailable. */
  readonly unavailableFor: Milliseconds
  /** How long an instance takes to terminate in the fake cloud; more than zero. */
  readonly terminationDelay: Milliseconds
  /** Checks that cannot apply, each with the reason, which is printed. */
  readonly notApplicable: Partial<Readonly<Record<CheckId, string>>>
  /** Checks that only the provider's package can write, and replacements for those whose rule it documents otherwise. */
  readonly own: Checks
}
