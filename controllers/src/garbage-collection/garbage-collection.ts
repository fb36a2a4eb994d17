import {
  findCondition,
  isConditionTrue,
  karpenterKinds,
  kinds,
  type Milliseconds,
  type NodeClaim,
  pastTimeOf,
} from '@kerf/apis'
import { isNodeClaimNotFound, isNotKnownYet, measuredProvider } from '@kerf/provider-contract'
import { type Controller, mapLimit, retryAfter } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { isolationOf } from '../isolation/isolation.ts'
import { RegistrationHealth } from '../lifecycle/registration-health.ts'
import type { RegistrationOutcomes } from '../lifecycle/registration-outcomes.ts'
import { ClaimDeletion } from '../node-claims/claim-deletion.ts'
import { ClaimNodes } from '../node-claims/claim-nodes.ts'
import { isManagedClaim } from '../node-claims/ownership.ts'
import { read } from '../read.ts'

const INTERVAL: Milliseconds = 120_000
/**
 * How long after its launch an instance that is not there may still be on its way into the cloud's answers. Providers wait less
 * themselves (`docs/spec/provider-contract.md#r15`), and most nodes have registered by then.
 */
const SETTLED_AFTER: Milliseconds = 60_000
/** The shortest wait for a claim that becomes old enough to be asked about. */
const SOONEST: Milliseconds = 10_000
/** As many as providers ask about with one call. */
const AT_ONCE = 500

/** The claim's instance; empty for one that has none. */
const instanceOf = (claim: NodeClaim): string => claim.status?.providerID ?? ''

/**
 * `nodeclaim.garbagecollection`: deletes launched claims whose instance the cloud no longer lists, unless their Node is
 * Ready all the same (`docs/spec/lifecycle.md#garbage-collection`). Instances without a claim are the providers' own
 * business.
 *
 * The claims are noted before the cloud is asked: one that is launched meanwhile may be missing from an older answer, and so
 * may one that was launched a moment ago. An instance that goes before its Node registers is as gone as any other. A
 * list says whom to ask about, no more: it rests on ownership tags, which may have been taken away, and may be behind.
 * A claim is deleted only when the provider says of its very instance that it is gone or going.
 */
export const garbageCollection = (deps: Deps, outcomes: RegistrationOutcomes): Controller => {
  const name = 'nodeclaim.garbagecollection'
  const log = deps.log.child(name)
  const provider = measuredProvider(deps.provider, { ...deps, controller: name })
  const isolation = isolationOf(deps)
  const links = new ClaimNodes(deps.informers)
  const deletion = new ClaimDeletion(deps)
  const health = new RegistrationHealth(deps, outcomes)

  /** Until the claim is old enough that a missing instance is a lost one; nothing for one that is of no concern here. */
  const waitFor = (claim: NodeClaim, now: Milliseconds): Milliseconds | undefined => {
    if (!mayBeGone(claim)) return undefined
    if (isConditionTrue(claim, 'Registered')) return 0
    const launched = pastTimeOf(findCondition(claim, 'Launched')?.lastTransitionTime, now)
    return Math.max(0, (launched ?? now) + SETTLED_AFTER - now)
  }

  const mayBeGone = (claim: NodeClaim): boolean =>
    isManagedClaim(provider, claim) &&
    claim.metadata.deletionTimestamp === undefined &&
    instanceOf(claim) !== '' &&
    (isConditionTrue(claim, 'Registered') || isConditionTrue(claim, 'Launched'))

  const isGone = async (claim: NodeClaim, signal: AbortSignal): Promise<boolean> => {
    try {
      return (await provider.get(instanceOf(claim), signal)).deletionTimestamp !== undefined
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
      log.warn('the instance of a nodeclaim was gone before its node registered', {
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
      read(deps.informers, karpenterKinds.NodeClaim),
      read(deps.informers, kinds.Node),
      read(deps.informers, kinds.Pod),
    ],
    concurrency: 1,
    singleton: true,
    backoff: { base: 1_000, max: 60_000 },
    reconcile: async (_key, signal) => {
      const now = deps.clock.now()
      // A claim that cannot be read is not collected.
      const waits = isolation.readEach('NodeClaim', 'garbage-collection', links.claims.values(), (claim) => ({
        claim,
        instance: instanceOf(claim),
        wait: waitFor(claim, now),
      }))
      const settled = waits.filter(({ wait }) => wait === 0)
      // One that is missing here for want of a readable answer is asked about before anything is deleted.
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
