import type { Milliseconds, NodeClaim } from '@kerf/apis'
import { CreateError, InsufficientCapacityError, type OfferingPattern } from '@kerf/provider-contract'
import { claimUid, type UnavailableOfferings } from '@kerf/provider-kit'
import { type Clock, type Logger, TtlCache, textOfThrown } from '@kerf/runtime'
import type { OperationError } from '../api/compute-shapes.ts'
import { GcpApiError } from '../api/gcp-api-error.ts'
import { callCause } from '../failures/call-cause.ts'
import { insertRefusal, operationShortage, type Shortage } from '../failures/launch-refusal.ts'
import { instanceName } from '../instances/instance-names.ts'
import type { GCENodeClass } from '../node-class/gce-node-class.ts'
import type { FullRanges } from '../offers/full-ranges.ts'
import type { TypeResolver } from '../offers/type-resolver.ts'
import type { TypeFacts } from '../type-facts.ts'
import { parseTypeName } from '../type-name.ts'

const HOUR: Milliseconds = 3_600_000
/** The number of attempts with the same offering if its operation fails for a reason other than missing capacity. */
const MOST_FAILURES = 3
/** How long an offering stays unavailable after these attempts. */
const FAILING_FOR: Milliseconds = 300_000

type LaunchedOffering = Required<OfferingPattern>

/** A launch that Google Cloud did not carry out. */
export interface FailedLaunch {
  readonly offering: LaunchedOffering
  readonly nodeClass: GCENodeClass
}

/** What the user can do about each kind of shortage. */
const REMEDIES: Readonly<Record<Shortage['of'], string>> = {
  offering: 'Kerf tries other offerings; if pods wait, allow more types or zones',
  quota: 'request a higher quota, or delete what uses it; Kerf tries other families',
  addresses: 'enlarge the subnetwork or its range for pods, set another one in the GCENodeClass, or lower maxPods',
}

/** Returns the offering in a form for messages. */
export const offeringText = ({ instanceType, capacityType, zone }: LaunchedOffering): string =>
  `${instanceType} (${capacityType}, ${zone})`

const claimKey = (claim: NodeClaim, { instanceType, zone, capacityType }: LaunchedOffering): string =>
  [claimUid(claim), instanceType, zone, capacityType].join(' ')

const familyOf = ({ name }: TypeFacts): string => parseTypeName(name)?.family ?? name

/** Decides how a failed launch affects its NodeClaim and its offering (`providers/gcp/docs/spec/gcp.md#refused-launches`). */
export class LaunchFailures {
  readonly #unavailable: UnavailableOfferings
  readonly #fullRanges: FullRanges
  readonly #types: Pick<TypeResolver, 'facts' | 'allFacts'>
  readonly #log: Logger
  /** The number of failed operations per NodeClaim and offering. */
  readonly #failed: TtlCache<string, number>

  constructor(
    {
      unavailable,
      fullRanges,
      types,
    }: {
      readonly unavailable: UnavailableOfferings
      readonly fullRanges: FullRanges
      readonly types: Pick<TypeResolver, 'facts' | 'allFacts'>
    },
    { clock, log }: { readonly clock: Clock; readonly log: Logger },
  ) {
    this.#unavailable = unavailable
    this.#fullRanges = fullRanges
    this.#types = types
    this.#log = log
    this.#failed = new TtlCache(clock, { ttl: HOUR })
  }

  /** Returns the number of operations that have failed for the NodeClaim and the offering. It is part of the next request id. */
  attempt(claim: NodeClaim, offering: LaunchedOffering): number {
    return this.#failed.get(claimKey(claim, offering)) ?? 0
  }

  /**
   * Handles an insert that Google Cloud refused or sent no response to. If Kerf can try another offering, returns the reason why this one
   * is unavailable.
   *
   * @throws InsufficientCapacityError or CreateError if no other offering can help
   */
  refused({ metadata }: NodeClaim, launch: FailedLaunch, error: unknown): string {
    const { offering } = launch
    const { nextStep, shortage } = insertRefusal(error)
    const reason = error instanceof GcpApiError ? `${error.reason}: ` : ''
    const text = `${offeringText(offering)}: ${reason}${textOfThrown(error)}`
    if (shortage !== undefined) {
      const message = this.#mark(shortage, launch, text)
      if (nextStep === 'next') return message
      throw new InsufficientCapacityError(message, { cause: error })
    }
    if (nextStep === 'exists')
      throw new CreateError(
        'InstanceExists',
        `there is already an instance ${instanceName(metadata.name)} in ${offering.zone}; Kerf looks whether it belongs to the NodeClaim, and otherwise waits until it is deleted`,
        { cause: error },
      )
    const cause = callCause(error) ?? {
      reason: 'LaunchFailed',
      message: `Google Cloud did not launch an instance: ${text}; Kerf retries the launch`,
    }
    throw new CreateError(cause.reason, cause.message, { cause: error })
  }

  /** Handles an operation that failed after the service had accepted the insert. Returns the error with which the launch ends. */
  failed(claim: NodeClaim, launch: FailedLaunch, errors: readonly OperationError[]): Error {
    const { offering } = launch
    const text = `${offeringText(offering)}: ${errors.map(({ code, message }) => `${code}: ${message}`).join('; ')}`
    const zones = errors.flatMap(({ zonesAvailable }) => zonesAvailable)
    if (zones.length > 0) this.#log.info('other zones have capacity now', { zones: zones.join() })
    const failures = this.attempt(claim, offering) + 1
    this.#failed.set(claimKey(claim, offering), failures)
    const shortage = operationShortage(errors.map(({ code }) => code))
    if (shortage !== undefined) return new InsufficientCapacityError(this.#mark(shortage, launch, text))
    if (failures < MOST_FAILURES)
      return new CreateError(
        'InstanceCreationFailed',
        `Compute Engine accepted an instance and could not create it: ${text}; Kerf tries it again`,
      )
    this.#unavailable.mark(offering, text, FAILING_FOR)
    return new InsufficientCapacityError(text)
  }

  /** Marks the offering as unavailable, because Compute Engine has not created the instance in time. */
  late(offering: LaunchedOffering, reason: string): void {
    this.#unavailable.mark(offering, reason, FAILING_FOR)
  }

  /**
   * Marks the offerings that a shortage affects as unavailable. A quota limits the vCPUs of a family and capacity type in the region. So
   * types of the family with at least as many vCPUs become unavailable in all zones. Smaller types may still fit. Returns the reason with
   * the remedy.
   */
  #mark({ of, unavailableFor }: Shortage, { offering, nodeClass }: FailedLaunch, text: string): string {
    const reason = `${text.replace(/\.$/, '')}; ${REMEDIES[of]}`
    const { instanceType, capacityType } = offering
    const facts = this.#types.facts(instanceType)
    if (of === 'addresses') this.#fullRanges.mark(nodeClass, unavailableFor)
    else if (of === 'offering' || facts === undefined) this.#unavailable.mark(offering, reason, unavailableFor)
    else
      for (const type of this.#types.allFacts())
        if (familyOf(type) === familyOf(facts) && type.vcpus >= facts.vcpus)
          this.#unavailable.mark({ instanceType: type.name, capacityType }, reason, unavailableFor)
    return reason
  }
}
