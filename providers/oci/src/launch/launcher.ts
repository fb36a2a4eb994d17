import { labels, type Milliseconds, type NodeClaim, toWhole, zero } from '@kerf/apis'
import { CreateError, InsufficientCapacityError, offeringCoordinates } from '@kerf/provider-contract'
import { claimUid, type LaunchOption, launchDemand, launchOptions, type UnavailableOfferings } from '@kerf/provider-kit'
import { type Clock, type Logger, TtlCache, textOfThrown } from '@kerf/runtime'
import type { AcceptedLaunch, OciApi } from '../api/oci-api.ts'
import { OciApiError } from '../api/oci-api-error.ts'
import type { OciInstance } from '../api/oci-shapes.ts'
import type { ClusterJoin } from '../bootstrap/cluster-join.ts'
import { instanceMetadata } from '../bootstrap/instance-metadata.ts'
import { failureKind } from '../failures/failure-kind.ts'
import type { OciType } from '../instance-types/instance-types.ts'
import { isEnding } from '../instances/instance-ids.ts'
import type { Ownership } from '../instances/tags.ts'
import type { ResolvedClass } from '../node-class/resolved-class.ts'
import type { AvailabilityDomains } from '../offers/availability-domains.ts'
import type { ImageChoice } from '../offers/image-choice.ts'
import { isPreemptible, type LaunchPlan, launchDetails } from './launch-details.ts'
import { isShortage, launchError, type ShortageKind, shortageError } from './launch-failures.ts'
import { awaitOutcome, discardInstance } from './launch-outcome.ts'
import type { LaunchWatch } from './launch-watch.ts'
import { markRefused } from './refused-offerings.ts'
import type { SubnetAddresses } from './subnet-addresses.ts'

/** The maximum number of offerings that one call of `create` tries. */
const MOST_ATTEMPTS = 10
/** How long Kerf keeps data about a NodeClaim's launches. */
const REMEMBERED_FOR: Milliseconds = 3_600_000
/** For how long lists may omit a new instance. */
const LIST_LAG: Milliseconds = 60_000

export interface LauncherDeps {
  readonly api: OciApi
  readonly clock: Clock
  readonly log: Logger
  readonly unavailable: UnavailableOfferings
  readonly domains: AvailabilityDomains
  readonly images: ImageChoice
  readonly addresses: SubnetAddresses
  /** Checks the outcome of slow launches. */
  readonly watch: Pick<LaunchWatch, 'add'>
  readonly join: ClusterJoin
  readonly ownership: Ownership
  /** The compartment of instances whose class specifies none. */
  readonly compartmentId: string
}

/** A launched instance, and the option with which it was launched. */
export interface Launched {
  readonly instance: OciInstance
  readonly option: LaunchOption
}

/** Returns the problem without the request id, so that the same problem of several offerings results in the same text. */
const problemText = (error: unknown): string =>
  error instanceof OciApiError ? `${error.code}: ${error.detail}` : textOfThrown(error)

interface Shortage {
  readonly kind: ShortageKind
  readonly problem: string
}

/** Launches instances for NodeClaims (`providers/oci/docs/spec/oci.md#launch`). */
export class Launcher {
  readonly #deps: LauncherDeps
  /**
   * The number of ended instances per NodeClaim UID. After an instance has ended, the next launch needs a new retry token. A refused launch
   * creates no instance, so its token stays valid. So two processes that launch the same NodeClaim always use the same token.
   */
  readonly #ended: TtlCache<string, number>
  /** The time at which Oracle Cloud first refused a token because it had been used with different details. */
  readonly #repeated: TtlCache<string, Milliseconds>

  constructor(deps: LauncherDeps) {
    this.#deps = deps
    this.#ended = new TtlCache(deps.clock, { ttl: REMEMBERED_FOR })
    this.#repeated = new TtlCache(deps.clock, { ttl: REMEMBERED_FOR })
  }

  /**
   * Launches one instance with the cheapest offering that has capacity. A repeated launch of the same NodeClaim returns the first instance.
   *
   * @throws InsufficientCapacityError if no offering that the claim allows has capacity; CreateError for any other failure.
   */
  async launch(
    claim: NodeClaim,
    nodeClass: ResolvedClass,
    types: readonly OciType[],
    signal: AbortSignal,
  ): Promise<Launched> {
    const options = launchOptions(
      types.map(({ type }) => type),
      launchDemand(claim),
    )
    const shortages: Shortage[] = []
    for (const option of options) {
      if (shortages.length >= MOST_ATTEMPTS) break
      // An earlier attempt of this loop may have marked the offering as unavailable.
      if (this.#deps.unavailable.reasonFor(offeringCoordinates(option.type, option.offering)) !== undefined) continue
      const result = await this.#attempt(claim, nodeClass, option, types, signal)
      if ('instance' in result) return result
      shortages.push(result)
    }
    if (shortages.length === 0)
      throw new InsufficientCapacityError(`no offering matches nodeclaim ${claim.metadata.name}`)
    throw shortageError(shortages)
  }

  async #attempt(
    claim: NodeClaim,
    nodeClass: ResolvedClass,
    option: LaunchOption,
    types: readonly OciType[],
    signal: AbortSignal,
  ): Promise<Launched | Shortage> {
    const { addresses, unavailable, watch } = this.#deps
    const plan = await this.#plan(claim, nodeClass, option, types, signal)
    if ('problem' in plan) return plan
    const accepted = await this.#send(plan, signal)
    if ('kind' in accepted) {
      if (accepted.kind === 'addresses') addresses.markFull(plan.subnetId)
      markRefused(unavailable, accepted.kind, option, types)
      return accepted
    }
    const { instance, workRequestId } = accepted
    const outcome = await awaitOutcome(this.#deps, accepted, signal)
    if (typeof outcome === 'string') {
      if (outcome === 'continues' && workRequestId !== undefined) watch.add({ instance, workRequestId, option, types })
      addresses.take(plan.subnetId)
      return { instance, option }
    }
    this.#countEnded(claim)
    await discardInstance(this.#deps, instance, signal)
    markRefused(unavailable, outcome.kind, option, types)
    if (isShortage(outcome.kind)) return { kind: outcome.kind, problem: outcome.problem }
    throw new CreateError('LaunchFailed', `Oracle Cloud accepted the launch and then failed it: ${outcome.problem}`)
  }

  /** Sends the launch request. Returns the shortage if Oracle Cloud refuses the request because of one. */
  async #send(plan: LaunchPlan, signal: AbortSignal): Promise<AcceptedLaunch | Shortage> {
    const { api, ownership } = this.#deps
    const uid = claimUid(plan.claim)
    const attempt = this.#ended.get(uid) ?? 0
    try {
      const accepted = await api.launch(
        launchDetails(plan, ownership),
        attempt === 0 ? uid : `${uid}-${attempt}`,
        signal,
      )
      if (!isEnding(accepted.instance.lifecycleState)) return accepted
      // Oracle Cloud returned the instance of an earlier launch with this token. That instance has ended since.
      this.#countEnded(plan.claim)
      return await this.#send(plan, signal)
    } catch (error) {
      signal.throwIfAborted()
      const kind = failureKind(error)
      if (kind === 'repeated-token') throw this.#tokenRepeated(plan.claim, error)
      if (isShortage(kind)) return { kind, problem: problemText(error) }
      throw error instanceof CreateError ? error : launchError(kind, error)
    }
  }

  async #plan(
    claim: NodeClaim,
    nodeClass: ResolvedClass,
    option: LaunchOption,
    types: readonly OciType[],
    signal: AbortSignal,
  ): Promise<LaunchPlan | Shortage> {
    const { domains, images, addresses, join } = this.#deps
    const { type, offering } = option
    const { zone, capacityType } = offeringCoordinates(type, offering)
    const { size } = types.find((each) => each.type === type) ?? {}
    const availabilityDomain = await domains.named(zone, signal)
    if (size === undefined || availabilityDomain === undefined)
      return { kind: 'capacity', problem: `${zone} is not an availability domain of the tenancy` }
    const [imageId] = await images.fitting(nodeClass, type, size.facts.name, signal)
    if (imageId === undefined)
      return {
        kind: 'capacity',
        problem: `node class ${nodeClass.name} has no image that boots on ${size.facts.name}`,
      }
    const subnetId = await addresses.choose(nodeClass.primaryVnic.subnets, availabilityDomain, signal)
    if (subnetId === undefined)
      return { kind: 'addresses', problem: `node class ${nodeClass.name} has no subnet with free addresses in ${zone}` }
    const metadata = instanceMetadata(
      {
        ...{ claim, nodeClass, subnetId, isPreemptible: isPreemptible(nodeClass, option) },
        labels: { ...claim.metadata.labels, [labels.capacityType]: capacityType },
        maxPods: toWhole(type.capacity['pods'] ?? zero),
      },
      join,
    )
    const compartmentId = nodeClass.compartmentId ?? this.#deps.compartmentId
    return { claim, nodeClass, option, size, compartmentId, availabilityDomain, imageId, subnetId, metadata }
  }

  #countEnded(claim: NodeClaim): void {
    const uid = claimUid(claim)
    this.#ended.set(uid, (this.#ended.get(uid) ?? 0) + 1)
    this.#repeated.delete(uid)
  }

  /**
   * Returns the error for a token that was used with different details. The earlier request may have launched an instance that lists do not
   * contain yet. So Kerf uses a new token only after lists would contain that instance.
   */
  #tokenRepeated(claim: NodeClaim, cause: unknown): CreateError {
    const uid = claimUid(claim)
    const now = this.#deps.clock.monotonic()
    const since = this.#repeated.get(uid) ?? now
    this.#repeated.set(uid, since)
    if (now - since >= LIST_LAG) this.#countEnded(claim)
    return new CreateError(
      'LaunchRepeated',
      'an earlier launch of the NodeClaim had other options; Kerf looks for its instance before it launches again',
      { cause },
    )
  }
}
