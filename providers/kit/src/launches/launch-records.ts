import { type Milliseconds, type NodeClaim, parseTime } from '@kerf/apis'
import { type Clock, TtlCache } from '@kerf/runtime'
import type { ClaimIndex } from '../claims/claim-index.ts'
import { CLOCK_SKEW } from '../claims/clock-skew.ts'

const KEPT_FOR: Milliseconds = 3_600_000

/** The properties of an instance that the launch records use. */
export interface LaunchedInstance {
  readonly id: string
  /** Whether the instance is terminating or terminated. */
  readonly isEnding: boolean
}

/** The functions that find instances in the cloud. */
export interface LaunchLookup<Instance extends LaunchedInstance> {
  /**
   * Returns one instance. A cached state is sufficient.
   *
   * @throws NodeClaimNotFoundError if the instance is gone.
   */
  readonly get: (id: string, signal: AbortSignal) => Promise<Instance>
  /**
   * Returns the instances with the mark of the NodeClaim. If several claims can share a mark, the result may include instances of other
   * claims. `couldBeFor` excludes those.
   */
  readonly launchedFor: (claim: NodeClaim, signal: AbortSignal) => Promise<readonly Instance[]>
  /** Returns false if the instance was certainly not launched for the NodeClaim. */
  readonly couldBeFor: (instance: Instance, claim: NodeClaim) => boolean
}

/**
 * Records which instance was launched for which NodeClaim, so that no claim gets two instances (`docs/spec/provider-contract.md#r1`). Used
 * for clouds whose idempotency tokens do not survive a restart. Launches of this process are kept in memory. Launches of an earlier process
 * are found by the mark on the instance. The cloud is searched only for claims that may already have an instance from an earlier process or
 * an interrupted attempt.
 */
export class LaunchRecords<Instance extends LaunchedInstance> {
  readonly #clock: Clock
  readonly #claims: Pick<ClaimIndex, 'claimsOf'>
  readonly #lookup: LaunchLookup<Instance>
  /** The time of the first launch. The start time of the process is not relevant, because only the leader launches instances. */
  #startedAt: Milliseconds | undefined
  /** The id of the instance, keyed by NodeClaim uid. */
  readonly #launched: TtlCache<string, string>
  /** The uid of the NodeClaim, keyed by instance id. */
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

  /** Records that a launch for the NodeClaim begins. Unless `failed` is called afterwards, the launch may have succeeded. */
  begin(uid: string): void {
    this.#attempted.set(uid, true)
  }

  /** Records that the cloud refused the launch and created no instance. */
  failed(uid: string): void {
    this.#attempted.delete(uid)
  }

  launched(uid: string, instanceId: string): void {
    this.#launched.set(uid, instanceId)
    this.#takenBy.set(instanceId, uid)
  }

  /** Returns the instance that was launched for the NodeClaim earlier. Undefined if there is none or it is terminating. */
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

  /** Returns whether the NodeClaim may be older than the first launch of this process. */
  #mayBeOlder({ metadata }: NodeClaim): boolean {
    this.#startedAt ??= this.#clock.now()
    const born = parseTime(metadata.creationTimestamp)
    return born === undefined || born <= this.#startedAt + CLOCK_SKEW
  }

  /** Returns whether the instance belongs to no other NodeClaim, according to the status of claims and the launches of this process. */
  #isFree(instanceId: string, uid: string): boolean {
    return (
      (this.#takenBy.get(instanceId) ?? uid) === uid &&
      this.#claims.claimsOf(instanceId).every(({ metadata }) => metadata.uid === uid)
    )
  }
}
