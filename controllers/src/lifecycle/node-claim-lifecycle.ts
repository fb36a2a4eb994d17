import { finalizers, karpenterKinds, type NodeClaim } from '@kerf/apis'
import { measuredProvider } from '@kerf/provider-contract'
import {
  type Controller,
  done,
  isConflict,
  isNotFound,
  type Milliseconds,
  type Outcome,
  rateForConcurrency,
  retry,
  retryAfter,
  type Source,
  source,
} from '@kerf/runtime'
import { concurrency, type Deps } from '../deps.ts'
import { opened, writeClaim, writeFinalizers } from '../node-claims/claim-changes.ts'
import { ClaimDeletion } from '../node-claims/claim-deletion.ts'
import { ClaimNodes } from '../node-claims/claim-nodes.ts'
import { isManagedClaim } from '../node-claims/ownership.ts'
import { read } from '../read.ts'
import { nodeClaimFinalizer } from '../termination/node-claim-finalizer.ts'
import { DevicePools } from './device-pools.ts'
import { initializationStep } from './initialization.ts'
import { launchStep } from './launch.ts'
import { defaultTimeouts, type LivenessTimeouts, livenessStep } from './liveness.ts'
import { type BeforeOpening, registrationStep } from './registration.ts'
import { RegistrationHealth } from './registration-health.ts'
import type { RegistrationOutcomes } from './registration-outcomes.ts'
import type { Step } from './step.ts'

export interface LifecycleOptions {
  /** Shared with `nodepool.registrationhealth`. */
  readonly outcomes: RegistrationOutcomes
  readonly timeouts?: Partial<LivenessTimeouts>
  readonly beforeOpening?: BeforeOpening
}

/**
 * `nodeclaim.lifecycle`: brings every NodeClaim from wish to initialised node, and through its end
 * (`docs/spec/lifecycle.md`, `docs/spec/termination.md`).
 *
 * Every write carries the resourceVersion it was worked out from; who read something stale is told so by the API server
 * and comes back. Upstream sleeps a second after each write instead.
 */
export const nodeClaimLifecycle = (deps: Deps, options: LifecycleOptions): Controller => {
  const { client, clock, informers, settings, log } = deps
  const name = 'nodeclaim.lifecycle'
  const provider = measuredProvider(deps.provider, { ...deps, controller: name })
  const own: Deps = { ...deps, provider, log: log.child(name) }
  const links = new ClaimNodes(informers)
  const devices = settings.ignoreDraRequests ? undefined : new DevicePools(informers)
  const deletion = new ClaimDeletion(deps)
  const health = new RegistrationHealth(deps, options.outcomes)
  const finalize = nodeClaimFinalizer(own, links)
  const launch = launchStep(own, deletion)
  const steps: readonly Step[] = [
    launch,
    registrationStep(own, links, health, options.beforeOpening),
    initializationStep(own, links, devices),
    livenessStep(own, deletion, health, { ...defaultTimeouts, ...options.timeouts }),
  ]
  const workers = concurrency(settings, 1000, 5000)

  const advance = async (claim: NodeClaim, signal: AbortSignal): Promise<Outcome> => {
    let current = opened(claim, clock.now())
    const errors: unknown[] = []
    const waits: Milliseconds[] = []
    const told: (() => void)[] = []
    for (const step of steps) {
      try {
        const result = await step.run(current, signal)
        if (result.deleted === true) return done()
        current = result.claim
        if (result.after !== undefined) waits.push(result.after)
        if (result.stored !== undefined) told.push(result.stored)
        if (result.error !== undefined) errors.push(result.error)
      } catch (error) {
        if (signal.aborted) throw error
        errors.push(error)
      }
    }
    const stored = await writeClaim(client, claim, current, signal)
    if (stored !== undefined) for (const tell of told) tell()
    // A conflict inside a step means that it read something stale; the next pass reads what is there now.
    const failures = errors.filter((error) => !isConflict(error))
    if (failures.length === 1) throw failures[0]
    if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join('; '))
    if (errors.length > 0) return retry()
    return waits.length === 0 ? done() : retryAfter(Math.min(...waits))
  }

  /** What was launched for a claim that was deleted meanwhile has to be ended before the claim goes, so it is written first. */
  const end = async (claim: NodeClaim, signal: AbortSignal): Promise<Outcome> => {
    const launched = launch.unwritten(claim)
    const known = launched === undefined ? claim : await writeClaim(client, claim, launched, signal)
    return known === undefined ? done() : await finalize(known, signal)
  }

  return {
    name,
    reconciles: karpenterKinds.NodeClaim,
    sources: [
      ...links.claimSources(),
      read(informers, karpenterKinds.NodePool),
      ...(devices === undefined ? [] : [slicesToClaims(devices, links)]),
    ],
    concurrency: workers,
    backoff: { base: 1_000, max: 60_000 },
    rate: rateForConcurrency(10, 1000, workers),
    reconcile: async (key, signal) => {
      const seen = links.claims.get(key)
      if (seen === undefined || !isManagedClaim(provider, seen)) return done()
      try {
        if (seen.metadata.deletionTimestamp !== undefined) return await end(seen, signal)
        const present = seen.metadata.finalizers ?? []
        const claim = present.includes(finalizers.termination)
          ? seen
          : await writeFinalizers(client, seen, [...present, finalizers.termination], signal)
        return await advance(claim, signal)
      } catch (error) {
        if (isConflict(error)) return retry()
        if (isNotFound(error) && links.claims.get(key) === undefined) return done()
        throw error
      }
    },
  }
}

/** Turns the names of Nodes whose device slices changed into those of their claims. */
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
