import { type Milliseconds, type NodeClaim, timeOf } from '@kerf/apis'
import { type Clock, TtlCache } from '@kerf/runtime'
import type { ClaimIndex } from '../claims/claim-index.ts'
import { CLOCK_SKEW } from '../claims/clock-skew.ts'

const KEPT_FOR: Milliseconds = 3_600_000

/** What the ledger knows of an instance. */
export interface LaunchedInstance {
  readonly id: string
  /** It is being terminated, or is terminated. */
  readonly isEnding: boolean
}

/** How instances are found in the cloud. */
export interface LaunchLookup<Instance extends LaunchedInstance> {
  /**
   * One instance; what was last seen of it will do.
   *
   * @throws NodeClaimNotFoundError for one that is gone.
   */
  readonly get: (id: string, signal: AbortSignal) => Promise<Instance>
  /**
   * The instances that are marked as launched for the claim. Where one mark stands for several claims it may find those of
   * others: `couldBeFor` tells them apart.
   */
  readonly launchedFor: (claim: NodeClaim, signal: AbortSignal) => Promise<readonly Instance[]>
  /** Whether an instance may have been launched for the claim, by everything that is known of it. */
  readonly couldBeFor: (instance: Instance, claim: NodeClaim) => boolean
}

/**
 * Which instance was launched for which NodeClaim, so that no claim gets two
 * (`docs/spec/provider-contract.md#r1`). For clouds without an idempotency token that outlives a restart. Within
 * one run it is remembered; what an earlier run launched is found by its mark. The cloud is asked only about claims that an
 * earlier run or a broken-off attempt may have launched.
 */
export class LaunchLedger<Instance extends LaunchedInstance> {
  readonly #clock: Clock
  readonly #claims: Pick<ClaimIndex, 'claimsOf'>
  readonly #lookup: LaunchLookup<Instance>
  /** When the first launch was asked for: only a leader launches, and a process may have waited for long to be it. */
  #startedAt: Milliseconds | undefined
  /** By the uid of the claim. */
  readonly #launched: TtlCache<string, string>
  /** By the id of the instance. */
  readonly #takenBy: TtlCache<string, string>
  readonly #attempted: TtlCache<string, true>

  constructor(clock: Clock, claims: Pick<ClaimIndex, 'claimsOf'>, lookup: LaunchLookup<Instance>) {
    this.#clock = clock
    this.#claims = claims
    this.#lookup = lookup
    this.#launched = new TtlCache(clock, { ttl: KEPT_FOR })
    this.#takenBy = new TtlCache(clock, { ttl: KEPT_FOR })
    this.#attempted = new TtlCache(clock, { ttl: KEPT_FOR })
  }

  /** A launch for the claim begins: until it is known to have failed, it may have come through. */
  begin(uid: string): void {
    this.#attempted.set(uid, true)
  }

  /** The cloud refused; nothing was launched. */
  failed(uid: string): void {
    this.#attempted.delete(uid)
  }

  launched(uid: string, instanceId: string): void {
    this.#launched.set(uid, instanceId)
    this.#takenBy.set(instanceId, uid)
  }

  /** The instance that was launched for the claim earlier, when there is one that is not ending. */
  async find(claim: NodeClaim, signal: AbortSignal): Promise<Instance | undefined> {
    const uid = claim.metadata.uid ?? ''
    const known = this.#launched.get(uid)
    if (known !== undefined) {
      const instance = await this.#lookup.get(known, signal)
      return instance.isEnding ? undefined : instance
    }
    if (!this.#attempted.has(uid) && !this.#mayBeOlder(claim)) return undefined
    const found = await this.#lookup.launchedFor(claim, signal)
    const [instance] = found
      .filter((each) => !each.isEnding && this.#isFree(each.id, uid) && this.#lookup.couldBeFor(each, claim))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    if (instance === undefined) return undefined
    this.launched(uid, instance.id)
    return instance
  }

  /** Whether the claim may be older than the launches of this run. */
  #mayBeOlder({ metadata }: NodeClaim): boolean {
    this.#startedAt ??= this.#clock.now()
    const born = timeOf(metadata.creationTimestamp)
    return born === undefined || born <= this.#startedAt + CLOCK_SKEW
  }

  /** Whether no other claim has the instance: as the statuses say, or as this run knows before they are written. */
  #isFree(instanceId: string, uid: string): boolean {
    return (
      (this.#takenBy.get(instanceId) ?? uid) === uid &&
      this.#claims.claimsOf(instanceId).every(({ metadata }) => metadata.uid === uid)
    )
  }
}
