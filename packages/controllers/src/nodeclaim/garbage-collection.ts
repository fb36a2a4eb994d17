import {
  findCondition,
  isConditionTrue,
  karpenterKinds,
  kinds,
  type Milliseconds,
  type NodeClaim,
  parsePastTime,
} from '@kerf/apis'
import { isNodeClaimNotFound, isNotKnownYet, measuredProvider } from '@kerf/provider-contract'
import { type Controller, mapLimit, retryAfter } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { RegistrationHealth } from '../nodepool/registration-health/registration-health.ts'
import type { RegistrationOutcomes } from '../nodepool/registration-health/registration-outcomes.ts'
import { readOnlySource } from '../read-only-source.ts'
import { processIsolation } from '../state/isolation/isolation.ts'
import { ClaimDeletion } from './claim-deletion.ts'
import { ClaimNodes } from './claim-nodes.ts'
import { isManagedClaim } from './ownership.ts'

const INTERVAL: Milliseconds = 120_000
/**
 * For this long after a launch, the cloud's responses may lack the instance. Providers use a shorter time
 * (`docs/spec/provider-contract.md#r15`). Most nodes have registered by then.
 */
const SETTLED_AFTER: Milliseconds = 60_000
/** The minimum time until the next pass if claims are too young for a check. */
const SOONEST: Milliseconds = 10_000
/** The maximum number of claims checked concurrently. Providers read that many instances with one call. */
const AT_ONCE = 500

/** Returns the provider ID of the claim, or an empty string. */
const claimProviderID = (claim: NodeClaim): string => claim.status?.providerID ?? ''

/**
 * Deletes launched claims whose instance is gone, unless their Node is Ready (controller `nodeclaim.garbagecollection`,
 * `docs/spec/lifecycle.md#garbage-collection`). Providers handle instances without a claim.
 *
 * The controller reads the claims before the cloud lists its instances, because the list may lack instances that were launched just before
 * or during the listing. It also deletes a claim whose instance disappeared before the Node registered. The list only selects the claims to
 * check. It may be stale, and it depends on ownership tags, which somebody may have removed. A claim is deleted only if the provider then
 * reports that its instance is gone or terminating.
 */
export const garbageCollection = (deps: Deps, outcomes: RegistrationOutcomes): Controller => {
  const name = 'nodeclaim.garbagecollection'
  const log = deps.log.child(name)
  const provider = measuredProvider(deps.provider, { ...deps, controller: name })
  const isolation = processIsolation(deps)
  const links = new ClaimNodes(deps.informers)
  const deletion = new ClaimDeletion(deps)
  const health = new RegistrationHealth(deps, outcomes)

  /**
   * Returns how long to wait until the claim is old enough for a missing instance to count as gone. Undefined if this controller does not
   * check the claim.
   */
  const waitFor = (claim: NodeClaim, now: Milliseconds): Milliseconds | undefined => {
    if (!mayBeGone(claim)) return undefined
    if (isConditionTrue(claim, 'Registered')) return 0
    const launched = parsePastTime(findCondition(claim, 'Launched')?.lastTransitionTime, now)
    return Math.max(0, (launched ?? now) + SETTLED_AFTER - now)
  }

  const mayBeGone = (claim: NodeClaim): boolean =>
    isManagedClaim(provider, claim) &&
    claim.metadata.deletionTimestamp === undefined &&
    claimProviderID(claim) !== '' &&
    (isConditionTrue(claim, 'Registered') || isConditionTrue(claim, 'Launched'))

  const isGone = async (claim: NodeClaim, signal: AbortSignal): Promise<boolean> => {
    try {
      return (await provider.get(claimProviderID(claim), signal)).deletionTimestamp !== undefined
    } catch (error) {
      if (isNodeClaimNotFound(error)) return true
      if (isNotKnownYet(error)) return false
      throw error
    }
  }

  const collect = async (claim: NodeClaim, signal: AbortSignal): Promise<void> => {
    if (!(await isGone(claim, signal))) return
    const nodes = links.nodesOf(claim)
    const node = links.nodeOf(claim)
    if (node !== undefined && isConditionTrue(node, 'Ready')) return
    const pods = nodes.flatMap(({ metadata }) => links.podsOn(metadata.name))
    log.debug('garbage collecting nodeclaim with no cloudprovider representation', {
      NodeClaim: { name: claim.metadata.name },
      'provider-id': claim.status?.providerID,
      ...(node === undefined ? {} : { Node: { name: node.metadata.name } }),
    })
    if (!isConditionTrue(claim, 'Registered')) {
      log.warn('the instance of a nodeclaim was terminated before its node registered', {
        NodeClaim: { name: claim.metadata.name },
        'provider-id': claim.status?.providerID,
      })
      await health.failed(claim, signal)
    }
    await deletion.delete(claim, 'garbage_collected', { pods, signal })
  }

  return {
    name,
    sources: [
      readOnlySource(deps.informers, karpenterKinds.NodeClaim),
      readOnlySource(deps.informers, kinds.Node),
      readOnlySource(deps.informers, kinds.Pod),
    ],
    concurrency: 1,
    singleton: true,
    backoff: { base: 1_000, max: 60_000 },
    reconcile: async (_key, signal) => {
      const now = deps.clock.now()
      // Kerf does not delete a claim that cannot be read.
      const waits = isolation.readEach('NodeClaim', 'garbage-collection', links.claims.values(), (claim) => ({
        claim,
        instance: claimProviderID(claim),
        wait: waitFor(claim, now),
      }))
      const settled = waits.filter(({ wait }) => wait === 0)
      // An instance that cannot be read counts as not listed. The provider is asked again before the claim is deleted.
      const listed = isolation.readEach(
        'instance',
        'garbage-collection',
        await provider.list(signal),
        ({ deletionTimestamp, providerID }) => (deletionTimestamp === undefined ? [providerID] : []),
      )
      const live = new Set(listed.flat())
      const lost = settled.filter(({ instance }) => !live.has(instance))
      await mapLimit(lost, AT_ONCE, ({ claim }, inner) => collect(claim, inner), signal)
      const next = Math.min(INTERVAL, ...waits.flatMap(({ wait = 0 }) => (wait === 0 ? [] : [wait])))
      return retryAfter(Math.max(SOONEST, next))
    },
  }
}
