import {
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type NodeClaim,
  parseNillableDuration,
  parseTime,
} from '@kerf/apis'
import { type Controller, done, retryAfter, source } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { isObserving } from '../modes/observe/observations.ts'
import { readOnlySource } from '../read-only-source.ts'
import { ClaimDeletion } from './claim-deletion.ts'
import { ClaimNodes } from './claim-nodes.ts'
import { CLOCK_RETRY } from './clock-hold.ts'
import { isManagedClaim } from './ownership.ts'

/** How soon Kerf checks an expired claim of a NodePool in observe mode again. */
const OBSERVED_AGAIN: Milliseconds = 60_000

/** Returns when the claim expires, or undefined if its expireAfter is `Never` or unset. */
export const expiryTime = (claim: NodeClaim): Milliseconds | undefined => {
  const created = parseTime(claim.metadata.creationTimestamp)
  const after = claim.spec.expireAfter === undefined ? 'Never' : parseNillableDuration(claim.spec.expireAfter)
  return created === undefined || after === 'Never' ? undefined : created + after
}

/**
 * Deletes expired claims despite budgets, PodDisruptionBudgets and do-not-disrupt (controller `nodeclaim.expiration`,
 * `docs/spec/lifecycle.md#expiration`).
 */
export const expiration = (deps: Deps): Controller => {
  const { clock, informers, provider } = deps
  const links = new ClaimNodes(informers)
  const pools = informers.of(karpenterKinds.NodePool)
  const deletion = new ClaimDeletion(deps)
  return {
    name: 'nodeclaim.expiration',
    reconciles: karpenterKinds.NodeClaim,
    sources: [
      source(links.claims, ({ after }) => (after?.metadata.name === undefined ? [] : [after.metadata.name])),
      readOnlySource(informers, karpenterKinds.NodePool),
      readOnlySource(informers, kinds.Node),
      readOnlySource(informers, kinds.Pod),
    ],
    concurrency: 1,
    reconcile: async (key, signal) => {
      const claim = links.claims.get(key)
      if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return done()
      if (!isManagedClaim(provider, claim)) return done()
      const expiry = expiryTime(claim)
      if (expiry === undefined) return done()
      const left = expiry - clock.now()
      if (left > 0) return retryAfter(left)
      if (clock.problem !== undefined) return retryAfter(CLOCK_RETRY)
      const pool = pools.get(claim.metadata.labels?.[labels.nodePool] ?? '')
      if (pool !== undefined && isObserving(pool)) return retryAfter(OBSERVED_AGAIN)
      const pods = links.nodesOf(claim).flatMap((node) => links.podsOn(node.metadata.name))
      await deletion.delete(claim, 'expired', { pods, signal })
      return done()
    },
  }
}
