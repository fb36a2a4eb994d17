import { finalizers, findCondition, karpenterKinds, type Milliseconds, type NodeClaim } from '@kerf/apis'
import { measuredProvider } from '@kerf/provider-contract'
import {
  type Controller,
  done,
  isConflict,
  isInvalid,
  isNotFound,
  type Outcome,
  rateForConcurrency,
  retry,
  retryAfter,
  type Source,
  source,
} from '@kerf/runtime'
import { concurrency, type Deps } from '../../deps.ts'
import { NodeClaimFinalizer } from '../../node/termination/node-claim-finalizer.ts'
import { RegistrationHealth } from '../../nodepool/registration-health/registration-health.ts'
import type { RegistrationOutcomes } from '../../nodepool/registration-health/registration-outcomes.ts'
import { readOnlySource } from '../../read-only-source.ts'
import { opened, writeClaim, writeFinalizers } from '../claim-changes.ts'
import { ClaimDeletion } from '../claim-deletion.ts'
import { ClaimNodes } from '../claim-nodes.ts'
import { isManagedClaim } from '../ownership.ts'
import { DevicePools } from './device-pools.ts'
import { initializationStep } from './initialization.ts'
import { LaunchStep } from './launch.ts'
import { type LivenessTimeouts, livenessStep } from './liveness.ts'
import { type BeforeOpening, RegistrationStep } from './registration.ts'
import type { Step } from './step.ts'

const NAME = 'nodeclaim.lifecycle'

export interface LifecycleOptions {
  /** Shared with the controller `nodepool.registrationhealth`. */
  readonly outcomes: RegistrationOutcomes
  readonly timeouts?: Partial<LivenessTimeouts>
  readonly beforeOpening?: BeforeOpening
}

/**
 * Handles every NodeClaim from its creation to the initialization of its node, and its termination (controller `nodeclaim.lifecycle`,
 * `docs/spec/lifecycle.md`, `docs/spec/termination.md`).
 *
 * Every write contains the resourceVersion of the object from which it was computed. If that version is stale, the API server answers 409,
 * and the pass is repeated. Upstream sleeps for a second after each write instead.
 */
export class NodeClaimLifecycle {
  readonly #links
  readonly #provider
  readonly #client
  readonly #informers
  readonly #devices
  readonly #workers
  readonly #clock
  readonly #steps: readonly Step[]
  readonly #launch
  readonly #log
  readonly #finalizer

  constructor(deps: Deps, options: LifecycleOptions) {
    const { client, clock, informers, settings, log } = deps
    const provider = measuredProvider(deps.provider, { ...deps, controller: NAME })
    const own: Deps = { ...deps, provider, log: log.child(NAME) }
    const links = new ClaimNodes(informers)
    const devices = settings.ignoreDraRequests ? undefined : new DevicePools(informers)
    const deletion = new ClaimDeletion(deps)
    const health = new RegistrationHealth(deps, options.outcomes)
    this.#finalizer = new NodeClaimFinalizer(own, links)
    const launch = new LaunchStep(own, deletion)
    const steps: readonly Step[] = [
      launch,
      new RegistrationStep(own, links, health, options.beforeOpening),
      initializationStep(own, links, devices),
      livenessStep(own, deletion, health, options.timeouts),
    ]
    this.#workers = concurrency(settings, 1000, 5000)
    this.#links = links
    this.#provider = provider
    this.#client = client
    this.#informers = informers
    this.#devices = devices
    this.#clock = clock
    this.#steps = steps
    this.#launch = launch
    this.#log = own.log
  }

  controller(): Controller {
    return {
      name: NAME,
      reconciles: karpenterKinds.NodeClaim,
      sources: [
        ...this.#links.claimSources(),
        readOnlySource(this.#informers, karpenterKinds.NodePool),
        ...(this.#devices === undefined ? [] : [slicesToClaims(this.#devices, this.#links)]),
      ],
      concurrency: this.#workers,
      backoff: { base: 1_000, max: 60_000 },
      rate: rateForConcurrency(10, 1000, this.#workers),
      reconcile: (key, signal) => this.#reconcile(key, signal),
    }
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
    const seen = this.#links.claims.get(key)
    if (seen === undefined || !isManagedClaim(this.#provider, seen)) return done()
    try {
      if (seen.metadata.deletionTimestamp !== undefined) return await this.#end(seen, signal)
      const present = seen.metadata.finalizers ?? []
      const claim = present.includes(finalizers.termination)
        ? seen
        : await writeFinalizers(this.#client, seen, [...present, finalizers.termination], signal)
      return await this.#advance(claim, signal)
    } catch (error) {
      if (isConflict(error)) return retry()
      if (isNotFound(error) && this.#links.claims.get(key) === undefined) return done()
      throw error
    }
  }

  async #advance(claim: NodeClaim, signal: AbortSignal): Promise<Outcome> {
    let current = opened(claim, this.#clock.now())
    const errors: unknown[] = []
    const waits: Milliseconds[] = []
    const reported: (() => void)[] = []
    for (const step of this.#steps) {
      try {
        const result = await step.run(current, signal)
        if (result.deleted === true) return done()
        current = result.claim
        if (result.after !== undefined) waits.push(result.after)
        if (result.stored !== undefined) reported.push(result.stored)
        if (result.error !== undefined) errors.push(result.error)
      } catch (error) {
        if (signal.aborted) throw error
        errors.push(error)
      }
    }
    const stored = await writeClaim(this.#client, claim, current, signal)
    if (stored !== undefined) for (const report of reported) report()
    // A conflict means that a step has read stale data. The next pass reads current data.
    const failures = errors.filter((error) => !isConflict(error))
    if (failures.length === 1) throw failures[0]
    if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join('; '))
    if (errors.length > 0) return retry()
    return waits.length === 0 ? done() : retryAfter(Math.min(...waits))
  }

  /**
   * Terminates a deleted claim. If an instance was launched for the claim in the meantime, first writes its provider ID to the claim, so
   * that the instance is terminated. If the API server rejects that write as invalid, terminates the instance nevertheless.
   */
  async #end(claim: NodeClaim, signal: AbortSignal): Promise<Outcome> {
    const launched = this.#launch.unwritten(claim)
    if (launched === undefined) return await this.#finalizer.finalize(claim, signal)
    try {
      const known = await writeClaim(this.#client, claim, launched, signal)
      return known === undefined ? done() : await this.#finalizer.finalize(known, signal)
    } catch (error) {
      if (!isInvalid(error)) throw error
      if (findCondition(claim, 'InstanceTerminating') === undefined)
        this.#log.error('the API server rejects the status of a launched nodeclaim; terminating its instance', {
          NodeClaim: { name: claim.metadata.name },
          'provider-id': launched.status?.providerID,
          error,
        })
      return await this.#finalizer.finalize(launched, signal)
    }
  }
}

/** Returns a controller source whose keys are the names of claims. A key is reported when the ResourceSlices of the claim's Node change. */
const slicesToClaims = (devices: DevicePools, links: ClaimNodes): Source => {
  const { informer, keysOf } = devices.source()
  return source(informer, (change) =>
    [...keysOf(change)].flatMap((nodeName) => {
      const node = links.nodes.get(nodeName)
      const claim = node === undefined ? undefined : links.claimOf(node)
      return claim?.metadata.name ?? []
    }),
  )
}
