import { formatResources, type Milliseconds, type NodeClaim } from '@kerf/apis'
import {
  CreateError,
  InsufficientCapacityError,
  isNodeClaimNotFound,
  LaunchPendingError,
  offeringAllocatable,
  offeringCoordinates,
} from '@kerf/provider-contract'
import { claimUid, type LaunchOption, launchedLabels, type UnavailableOfferings } from '@kerf/provider-kit'
import { type Clock, type Logger, TtlCache } from '@kerf/runtime'
import type { GceInstance, ZoneOperation } from '../api/compute-shapes.ts'
import type { ComputeApi } from '../api/gcp-api.ts'
import { GcpApiError, isGcpNotFound } from '../api/gcp-api-error.ts'
import { imageForType } from '../images/image-choice.ts'
import { instanceName, requestIdFor } from '../instances/instance-names.ts'
import { isEnding, isStarting } from '../instances/instance-view.ts'
import type { Instances } from '../instances/instances.ts'
import type { GCENodeClass } from '../node-class/gce-node-class.ts'
import { nodeClassHash } from '../node-class/hash.ts'
import type { FullRanges } from '../offers/full-ranges.ts'
import type { TypeResolver } from '../offers/type-resolver.ts'
import type { MakeRequest } from './instance-request.ts'
import { chooseOption, optionAt, promisedOffering } from './launch-choice.ts'
import { type FailedLaunch, LaunchFailures, offeringText } from './launch-failures.ts'

export interface LauncherOptions {
  readonly compute: Pick<ComputeApi, 'insertInstance' | 'operation'>
  readonly clock: Clock
  readonly log: Logger
  readonly types: Pick<TypeResolver, 'resolve' | 'facts' | 'allFacts'>
  readonly unavailable: UnavailableOfferings
  readonly fullRanges: FullRanges
  readonly instances: Pick<Instances, 'get' | 'isOwn'>
  readonly request: MakeRequest
}

/** A launch that has started, with data from the first call that later calls need. */
interface Launch extends FailedLaunch {
  readonly option: LaunchOption
  readonly image: string
  /** The hash of the node class at the time of the launch. */
  readonly classHash: string
  readonly begunAt: Milliseconds
  /** The operation of the insert. Undefined until the service has accepted the insert. */
  operation?: ZoneOperation
}

/** A launched instance. */
export interface Launched {
  readonly instance: GceInstance
  readonly option: LaunchOption
  readonly image: string
  readonly classHash: string
  /** The NodeClaim's labels, merged with the labels of the offering. */
  readonly labels: Readonly<Record<string, string>>
}

const MINUTE: Milliseconds = 60_000
const HOUR: Milliseconds = 60 * MINUTE
/**
 * The age from which a launch counts as too slow if its NodeClaim is deleted. Kerf's core waits for five minutes after the claim's
 * creation.
 */
const LATE_AFTER: Milliseconds = 4 * MINUTE
const MOST_ATTEMPTS = 50

/** Returns the pause before an operation is read again. Most operations take between ten seconds and a minute. */
const pause = (age: Milliseconds): Milliseconds => (age < 10_000 ? 2_000 : age < 60_000 ? 5_000 : 10_000)

/** Returns true if the service definitely changed nothing. */
const isRefused = (error: unknown): boolean =>
  error instanceof GcpApiError && error.status !== undefined && error.status >= 400 && error.status < 500

/**
 * Launches the instances of NodeClaims (`providers/gcp/docs/spec/gcp.md#create`). An insert that the service accepts may still fail for
 * lack of capacity, so a launch is pending until its operation is done. All choices in the request are derived from the claim. So a
 * repeated launch sends the same request, even after a restart.
 */
export class Launcher {
  readonly #options: LauncherOptions
  /** Launches in progress, by the UID of the NodeClaim. */
  readonly #underWay: TtlCache<string, Launch>
  readonly #failures: LaunchFailures

  constructor(options: LauncherOptions) {
    this.#options = options
    this.#underWay = new TtlCache(options.clock, { ttl: HOUR })
    this.#failures = new LaunchFailures(options, options)
  }

  /** Returns true if the service has accepted an insert for the NodeClaim in this process, and its result is still unknown. */
  isAccepted(uid: string): boolean {
    return this.#underWay.get(uid)?.operation !== undefined
  }

  /**
   * Returns the instance of an accepted launch.
   *
   * @throws LaunchPendingError while the service is creating it; InsufficientCapacityError if there is no capacity; CreateError after
   * another failure
   */
  async finish(claim: NodeClaim, signal: AbortSignal): Promise<Launched> {
    const launch = this.#underWay.get(claimUid(claim))
    if (launch === undefined) throw new CreateError('LaunchFailed', 'the launch is not known')
    const { zone } = launch.offering
    const operation = await this.#operation(launch, signal)
    if (operation?.isDone === false) throw this.#pending(claim, launch)
    if (operation !== undefined && operation.errors.length > 0) {
      this.#underWay.delete(claimUid(claim))
      throw this.#failures.failed(claim, launch, operation.errors)
    }
    const name = instanceName(claim.metadata.name)
    let instance: GceInstance | undefined
    try {
      instance = await this.#options.instances.get({ zone, name }, signal)
    } catch (error) {
      if (!isNodeClaimNotFound(error)) throw error
    }
    // The service may have discarded the operation of a launch that an earlier process started.
    if (operation === undefined && instance !== undefined && isStarting(instance)) throw this.#pending(claim, launch)
    this.#underWay.delete(claimUid(claim))
    if (instance === undefined || isEnding(instance))
      throw new InsufficientCapacityError(`instance ${name} of ${offeringText(launch.offering)} was taken away at once`)
    const { option, image, classHash } = launch
    return { instance, option, image, classHash, labels: launchedLabels(claim, option) }
  }

  /**
   * Ends a launch whose NodeClaim is being deleted. If the service has not created the instance for minutes, makes the offering unavailable
   * for a while and returns a message about it.
   */
  giveUp(claim: NodeClaim): string | undefined {
    const uid = claimUid(claim)
    const launch = this.#underWay.get(uid)
    if (launch?.operation === undefined || launch.operation.isDone) return undefined
    const age = this.#options.clock.monotonic() - launch.begunAt
    if (age < LATE_AFTER) return undefined
    this.#underWay.delete(uid)
    const { name, zone } = launch.operation
    const message = `Compute Engine has not created instance ${instanceName(claim.metadata.name)} of ${offeringText(launch.offering)} within ${Math.round(age / MINUTE)} minutes; Kerf deletes it and tries another offering. See "gcloud compute operations describe ${name} --zone=${zone}"`
    this.#failures.late(launch.offering, message)
    return message
  }

  /**
   * Launches one instance, or repeats an insert that received no response.
   *
   * @throws like `finish`; InsufficientCapacityError also if no offering that the NodeClaim allows is available
   */
  async launch(claim: NodeClaim, nodeClass: GCENodeClass, signal: AbortSignal): Promise<Launched> {
    const uid = claimUid(claim)
    const only = this.#underWay.get(uid)?.offering ?? promisedOffering(claim)
    let refused = ''
    for (let tries = 0; tries < MOST_ATTEMPTS; tries++) {
      const types = await this.#options.types.resolve(nodeClass, signal)
      const option = only === undefined ? chooseOption(types, claim, uid) : optionAt(types, only)
      if (option === undefined) {
        this.#underWay.delete(uid)
        throw new InsufficientCapacityError(
          refused === '' ? `no instance type that nodeclaim ${claim.metadata.name} admits is available` : refused,
        )
      }
      const shortage = await this.#insert(claim, nodeClass, option, signal)
      if (shortage === undefined) return await this.finish(claim, signal)
      refused = shortage
    }
    throw new InsufficientCapacityError(refused)
  }

  /** Sends the insert request. Returns undefined if the service accepted it, and otherwise the reason why the offering is unavailable. */
  async #insert(
    claim: NodeClaim,
    nodeClass: GCENodeClass,
    option: LaunchOption,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { compute, clock, request } = this.#options
    const uid = claimUid(claim)
    const offering = offeringCoordinates(option.type, option.offering)
    const image = imageForType(nodeClass.status?.images ?? [], option.type)
    if (image === undefined)
      throw new CreateError(
        'ImageMissing',
        `no image of GCENodeClass ${nodeClass.metadata.name} fits ${option.type.name}; add a term that selects one`,
      )
    const body = await request({ claim, nodeClass, option, image }, signal)
    const launch: Launch = {
      ...{ option, offering, nodeClass, image },
      ...{ classHash: nodeClassHash(nodeClass), begunAt: clock.monotonic() },
    }
    this.#underWay.set(uid, launch)
    try {
      const id = requestIdFor(uid, offering, this.#failures.attempt(claim, offering))
      launch.operation = await compute.insertInstance(offering.zone, body, id, signal)
      return undefined
    } catch (error) {
      signal.throwIfAborted()
      if (isRefused(error)) this.#underWay.delete(uid)
      return this.#failures.refused(claim, launch, error)
    }
  }

  /** Returns the current state of the operation, or undefined if the service no longer has it. */
  async #operation(launch: Launch, signal: AbortSignal): Promise<ZoneOperation | undefined> {
    const { operation, offering } = launch
    if (operation === undefined || operation.isDone) return operation
    try {
      launch.operation = await this.#options.compute.operation(offering.zone, operation.name, signal)
      return launch.operation
    } catch (error) {
      if (isGcpNotFound(error)) return undefined
      throw error
    }
  }

  #pending(claim: NodeClaim, { option, offering, begunAt }: Launch): LaunchPendingError {
    const { type } = option
    const coming = {
      labels: launchedLabels(claim, option),
      capacity: formatResources(type.capacity),
      allocatable: formatResources(offeringAllocatable(type)),
    }
    const message = `Compute Engine creates instance ${instanceName(claim.metadata.name)} of ${offeringText(offering)}`
    return new LaunchPendingError(message, pause(this.#options.clock.monotonic() - begunAt), { coming })
  }
}
