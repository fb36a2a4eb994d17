import type { NodeClaim, NodeClaimSpec, NodePool } from '@kerf/apis'
import type { KubeClient, Milliseconds, RecordingEventRecorder, RecordingLogger, VirtualClock } from '@kerf/runtime'
import type { CloudProvider, InstanceView } from '../cloud-provider.ts'
import type { OfferingPattern } from '../unavailable-offerings.ts'
import type { CheckId } from './checks.ts'

export type CloudCallName = 'launch' | 'terminate' | 'describe' | 'list'
export type FailureKind = 'throttle' | 'auth' | 'network' | 'serverError'

/** One instance of the fake cloud, whoever owns it. */
export interface CloudInstance {
  readonly providerID: string
  readonly state: 'running' | 'terminating'
  /** What the instance was marked with at its creation. */
  readonly tags: Readonly<Record<string, string>>
}

/** The fake cloud behind a provider, as the suite moves it. */
export interface FakeCloud {
  instances(): Promise<readonly CloudInstance[]>
  /** Every call of that kind fails this way until `recover`. */
  fail(call: CloudCallName, kind: FailureKind): void
  recover(): void
  stockOut(pattern: OfferingPattern): void
  restock(): void
  /** How often the cloud was called. */
  count(call: CloudCallName): number
  /** A instance that looks like ours and is not; its provider ID. */
  plantForeign(): Promise<string>
  /** A instance of ours whose claim is gone, as old as told; its provider ID. */
  plantLeaked(age: Milliseconds): Promise<string>
  /** Takes a instance away behind the provider's back. */
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
  /** Another provider over the same cloud, as after a restart: nothing in memory is left. */
  restart(): void
  pool(): NodePool
  /** The same pool with a class of a kind that the provider does not serve. */
  foreignPool(): NodePool
  /** Creates a NodeClaim in the API. */
  claim(name: string, request?: ClaimRequest): Promise<NodeClaim>
  setNodeClass(state: NodeClassState): Promise<void>
  /** Ends what runs. */
  stop(): void
}

/** What a provider package gives the suite. */
export interface ConformanceDriver {
  readonly name: string
  readonly createWorld: (seed: number) => Promise<ConformanceWorld>
  /** The form of a provider ID. */
  readonly providerID: RegExp
  /** Tags that a instance carries from birth for the claim. */
  readonly ownershipTags: (claim: NodeClaim, view: InstanceView) => Readonly<Record<string, string>>
  /** How long an offering without capacity stays out. */
  readonly unavailableFor: Milliseconds
  /** How long a instance takes to end in the fake cloud; more than zero. */
  readonly terminationDelay: Milliseconds
  /** Checks that cannot apply, each with the reason, which is printed. */
  readonly notApplicable: Partial<Readonly<Record<CheckId, string>>>
  /** Checks that only the provider's package can write, and replacements for those whose rule it documents otherwise. */
  readonly own: Partial<Readonly<Record<CheckId, (world: ConformanceWorld) => Promise<void>>>>
}
