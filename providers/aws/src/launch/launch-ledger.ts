import { labels, type Milliseconds, type NodeClaim, timeOf } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { TtlCache } from '@kerf/runtime'
import type { AwsInstance } from '../instances/aws-instance.ts'
import { ClaimIndex } from '../instances/claim-index.ts'
import type { Instances } from '../instances/instances.ts'
import { awsTags } from '../labels.ts'
import { admits } from './launch-candidates.ts'
import { isExact, launchedForFilters, mayBeLaunchedFor } from './launched-for.ts'

/** Clocks differ, and times of Kubernetes end at the second. */
const MARGIN: Milliseconds = 60_000
const KEPT_FOR: Milliseconds = 3_600_000

/**
 * Whether an instance may have been launched for the claim: by its tags, and where those name more claims than they
 * should (`launched-for.ts`) by its age and by what the claim admits.
 */
export const couldBeFor = (instance: AwsInstance, { metadata, spec }: NodeClaim): boolean => {
  const { tags, launchedAt } = instance
  const value = tags[awsTags.launchedFor]
  const owner = tags[awsTags.nodeClaim]
  if ((owner !== undefined && owner !== metadata.name) || !mayBeLaunchedFor(value, metadata.uid ?? '')) return false
  if (owner !== undefined || isExact(value)) return true
  const born = timeOf(metadata.creationTimestamp)
  return (
    (born === undefined || launchedAt === undefined || launchedAt >= born - MARGIN) &&
    tags[awsTags.nodePool] === metadata.labels?.[labels.nodePool] &&
    tags[awsTags.nodeClass] === spec.nodeClassRef.name &&
    admits(spec.requirements, labels.instanceType, instance.type) &&
    admits(spec.requirements, labels.zone, instance.zone) &&
    admits(spec.requirements, labels.capacityType, instance.capacityType)
  )
}

/**
 * Which instance was launched for which claim, so that no claim gets two
 * (`docs/spec/provider-contract.md#r1`). Within one run it is remembered; what an earlier
 * run launched is found by its tag. EC2 is asked only about claims that an earlier run or a broken-off attempt may have
 * launched.
 */
export class LaunchLedger {
  readonly #context: ProviderContext
  readonly #instances: Instances
  readonly #index: ClaimIndex
  /** When the first launch was asked for: only a leader launches, and a process may have waited for long to be it. */
  #startedAt: Milliseconds | undefined
  /** By the uid of the claim. */
  readonly #launched: TtlCache<string, string>
  /** By the id of the instance. */
  readonly #takenBy: TtlCache<string, string>
  readonly #attempted: TtlCache<string, true>

  constructor(context: ProviderContext, instances: Instances) {
    this.#context = context
    this.#instances = instances
    this.#index = new ClaimIndex(context.informers)
    this.#launched = new TtlCache(context.clock, { ttl: KEPT_FOR })
    this.#takenBy = new TtlCache(context.clock, { ttl: KEPT_FOR })
    this.#attempted = new TtlCache(context.clock, { ttl: KEPT_FOR })
  }

  /** A launch for the claim begins: until it is known to have failed, it may have come through. */
  begin(uid: string): void {
    this.#attempted.set(uid, true)
  }

  /** EC2 refused; nothing was launched. */
  failed(uid: string): void {
    this.#attempted.delete(uid)
  }

  launched(uid: string, instanceId: string): void {
    this.#launched.set(uid, instanceId)
    this.#takenBy.set(instanceId, uid)
  }

  /** The instance that was launched for the claim earlier, when there is one that is not ending. */
  async find(claim: NodeClaim, signal: AbortSignal): Promise<AwsInstance | undefined> {
    const uid = claim.metadata.uid ?? ''
    const known = this.#launched.get(uid)
    if (known !== undefined) {
      const instance = await this.#instances.get(known, 'memory', signal)
      return instance.isEnding ? undefined : instance
    }
    if (!this.#attempted.has(uid) && !this.#mayBeOlder(claim)) return undefined
    const found = await this.#instances.tagged({ tag: awsTags.launchedFor, ...launchedForFilters(uid) }, signal)
    const [instance] = found
      .filter((each) => !each.isEnding && this.#isFree(each.id, uid) && couldBeFor(each, claim))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    if (instance === undefined) return undefined
    this.launched(uid, instance.id)
    return instance
  }

  /** Whether the claim may be older than the launches of this run. */
  #mayBeOlder({ metadata }: NodeClaim): boolean {
    this.#startedAt ??= this.#context.clock.now()
    const born = timeOf(metadata.creationTimestamp)
    return born === undefined || born <= this.#startedAt + MARGIN
  }

  /** Whether no other claim has the instance: as the statuses say, or as this run knows before they are written. */
  #isFree(instanceId: string, uid: string): boolean {
    return (
      (this.#takenBy.get(instanceId) ?? uid) === uid &&
      this.#index.claimsOf(instanceId).every(({ metadata }) => metadata.uid === uid)
    )
  }
}
