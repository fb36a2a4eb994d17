import { findCondition, karpenterKinds, labels, type Milliseconds, type NodeClaim } from '@kerf/apis'
import {
  type ComingInstance,
  CreateError,
  findError,
  type InstanceView,
  isInsufficientCapacity,
  isNodeClassNotReady,
  LaunchPendingError,
} from '@kerf/provider-contract'
import { backoffAfter, TtlCache } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import { eventObject } from '../../event-object.ts'
import { LAUNCH_PENDING } from '../../state/join-key.ts'
import { canonicalClaim } from '../canonical-claim.ts'
import { restamped, withCondition } from '../claim-changes.ts'
import type { ClaimDeletion } from '../claim-deletion.ts'
import { CLOCK_RETRY, CLOCKS_DIFFER } from '../clock-hold.ts'
import type { Step, StepResult } from './step.ts'

const CACHE_TTL: Milliseconds = 3_600_000
const LONGEST_MESSAGE = 300
/** The back-off between attempts to launch one claim. */
const BACKOFF = { base: 1_000, max: 60_000 } as const

/** For a claim whose launch failed or is pending: the number of failures, and the earliest time for the next attempt. */
interface Setback {
  readonly failures: number
  readonly notBefore: Milliseconds
}

/** Returns the text, truncated to the same length as in upstream. */
const truncated = (text: string): string =>
  text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE)}...`

const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Launches the instance of a claim (`docs/spec/lifecycle.md#launch`). The step keeps the provider's response by claim UID until the claim
 * contains the instance. So a lost status write does not cause a second launch.
 */
export class LaunchStep implements Step {
  readonly #launched
  /**
   * The number of failures and the earliest next attempt, keyed by claim. Kerf writes a failure to the claim's status, which triggers the
   * next pass at once, so this map delays the next call to the provider.
   */
  readonly #setbacks
  readonly #clock
  readonly #provider
  readonly #log
  readonly #events
  readonly #deletion: ClaimDeletion

  constructor(
    { provider, clock, events, log }: Pick<Deps, 'provider' | 'clock' | 'events' | 'log'>,
    deletion: ClaimDeletion,
  ) {
    this.#launched = new TtlCache<string, InstanceView>(clock, { ttl: CACHE_TTL })
    this.#setbacks = new TtlCache<string, Setback>(clock, { ttl: CACHE_TTL })
    this.#clock = clock
    this.#provider = provider
    this.#log = log
    this.#events = events
    this.#deletion = deletion
  }

  /**
   * Returns the claim with the launched instance that is missing in the claim's status. This happens if the claim was changed or deleted
   * while the provider launched the instance. Returns undefined if there is no such instance.
   */
  unwritten(claim: NodeClaim): NodeClaim | undefined {
    const view = (claim.status?.providerID ?? '') === '' ? this.#launched.get(claimUid(claim)) : undefined
    return view && this.#started(claim, view)
  }

  async run(claim: NodeClaim, signal: AbortSignal): Promise<StepResult> {
    const status = findCondition(claim, 'Launched')?.status
    if (status === 'True' || status === 'False') {
      if (status === 'True') this.#launched.delete(claimUid(claim))
      this.#setbacks.delete(claimUid(claim))
      return { claim: restamped(claim, 'Launched', this.#clock.now()) }
    }
    const { problem } = this.#clock
    if (problem !== undefined) return this.#held(claim, problem)
    const wait = (this.#setbacks.get(claimUid(claim))?.notBefore ?? 0) - this.#clock.monotonic()
    if (wait > 0) return { claim, after: wait }
    let view: InstanceView
    try {
      view = await this.#create(claim, signal)
    } catch (error) {
      if (signal.aborted) throw error
      const pending = findError(error, LaunchPendingError)
      return pending === undefined ? await this.#failed(claim, error, signal) : this.#pending(claim, pending)
    }
    return { claim: this.#started(claim, view) }
  }

  async #create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    const uid = claimUid(claim)
    const known = this.#launched.get(uid)
    if (known !== undefined) return known
    const view = await this.#provider.create(canonicalClaim(claim, this.#provider.vocabulary), signal)
    this.#launched.set(uid, view)
    this.#log.info('launched nodeclaim', {
      NodeClaim: { name: claim.metadata.name },
      'provider-id': view.providerID,
      'instance-type': view.labels[labels.instanceType],
      zone: view.labels[labels.zone],
      'capacity-type': view.labels[labels.capacityType],
      allocatable: view.allocatable,
    })
    return view
  }

  async #failed(claim: NodeClaim, error: unknown, signal: AbortSignal): Promise<StepResult> {
    if (isInsufficientCapacity(error)) {
      this.#events.publish({
        object: eventObject(karpenterKinds.NodeClaim, claim),
        type: 'Warning',
        reason: 'InsufficientCapacityError',
        message: `NodeClaim ${claim.metadata.name} event: ${truncated(errorMessage(error))}`,
        dedupeValues: [claim.metadata.uid ?? ''],
      })
      this.#log.error('failed launching nodeclaim', { NodeClaim: { name: claim.metadata.name }, error })
      await this.#deletion.delete(claim, 'insufficient_capacity', { signal })
      return { claim, deleted: true }
    }
    if (isNodeClassNotReady(error)) {
      this.#log.error('failed launching nodeclaim', { NodeClaim: { name: claim.metadata.name }, error })
      await this.#deletion.delete(claim, 'nodeclass_not_ready', { signal })
      return { claim, deleted: true }
    }
    const failures = (this.#setbacks.get(claimUid(claim))?.failures ?? 0) + 1
    this.#setbacks.set(claimUid(claim), {
      failures,
      notBefore: this.#clock.monotonic() + backoffAfter(BACKOFF, failures),
    })
    const known = findError(error, CreateError)
    const change = {
      type: 'Launched',
      status: 'Unknown',
      reason: known?.reason ?? 'LaunchFailed',
      message: known?.conditionMessage ?? truncated(errorMessage(error)),
    } as const
    return { claim: withCondition(claim, change, this.#clock.now()), error }
  }

  /** Handles a launch that the provider has accepted but not finished. Resets the count of earlier failures. */
  #pending(claim: NodeClaim, { message, retryAfter, coming }: LaunchPendingError): StepResult {
    const after = Math.max(BACKOFF.base, retryAfter)
    this.#setbacks.set(claimUid(claim), { failures: 0, notBefore: this.#clock.monotonic() + after })
    const change = { type: 'Launched', status: 'Unknown', reason: LAUNCH_PENDING, message: truncated(message) } as const
    if (findCondition(claim, 'Launched')?.reason !== LAUNCH_PENDING) {
      const fields = { NodeClaim: { name: claim.metadata.name }, message, labels: coming?.labels }
      this.#log.info('launch of nodeclaim is pending', fields)
    }
    const promised = coming === undefined ? claim : withComing(claim, coming)
    return { claim: withCondition(promised, change, this.#clock.now()), after }
  }

  /** Delays the launch while clocks differ, because the age of the claim is then unknown (`docs/spec/time.md#clocks-that-differ`). */
  #held(claim: NodeClaim, problem: string): StepResult {
    const message = truncated(`${problem}; no nodes are launched until the clocks agree`)
    const change = { type: 'Launched', status: 'Unknown', reason: CLOCKS_DIFFER, message } as const
    return { claim: withCondition(claim, change, this.#clock.now()), after: CLOCK_RETRY }
  }

  #started(claim: NodeClaim, view: InstanceView): NodeClaim {
    return withCondition(withInstance(claim, view), { type: 'Launched', status: 'True' }, this.#clock.now())
  }
}

const claimUid = (claim: NodeClaim): string => claim.metadata.uid ?? ''

/**
 * Returns the claim with the labels and resources of an instance that is still being launched, so that pods can be planned onto it. Labels
 * of the claim override those of the provider.
 */
const withComing = (claim: NodeClaim, { labels: given, capacity, allocatable }: ComingInstance): NodeClaim => ({
  ...claim,
  metadata: { ...claim.metadata, labels: { ...given, ...claim.metadata.labels } },
  status: { ...claim.status, capacity, allocatable },
})

/**
 * Returns the claim with its instance. Labels of the claim override those of the provider. Annotations of the provider override those of
 * the claim.
 */
const withInstance = (claim: NodeClaim, view: InstanceView): NodeClaim => {
  const { metadata, status, ...rest } = withComing(claim, view)
  const { providerID, imageID, annotations } = view
  return {
    ...rest,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
    status: { ...status, providerID, ...(imageID === undefined ? {} : { imageID }) },
  }
}
