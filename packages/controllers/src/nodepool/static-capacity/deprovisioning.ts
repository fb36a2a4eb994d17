import { isActive, karpenterKinds, labels, type Milliseconds, type NodeClaim } from '@kerf/apis'
import { type Controller, done, isNotFound, mapLimit, type Outcome, retryAfter, source } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import { remainingLife } from '../../nodeclaim/remaining-life.ts'
import { evictionCost } from '../../pod/eviction-cost.ts'
import { isOwnedByDaemonSet, isProtected } from '../../pod/pod-predicates.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import { processIsolation } from '../../state/isolation/isolation.ts'
import { staticPool } from './provisioning.ts'

const LOOK_AGAIN: Milliseconds = 60_000
const PARALLEL = 20

interface Candidate {
  readonly claim: NodeClaim
  /** The order of deletion. 0: not launched yet; 1: only daemon pods; 2: other pods; 3: pods that must not be disrupted. */
  readonly rank: 0 | 1 | 2 | 3
  readonly cost: number
}

const byRank = (a: Candidate, b: Candidate): number =>
  a.rank - b.rank || a.cost - b.cost || (a.claim.metadata.name < b.claim.metadata.name ? -1 : 1)

/**
 * Deletes the surplus replicas of a static pool, starting with those of the lowest cost
 * (`docs/spec/static-pools-buffers-overlays.md#static-nodepools`). Ignores disruption budgets.
 */
export const staticDeprovisioning = (deps: Deps, state: ClusterState): Controller => {
  const { informers, client, clock } = deps
  const claims = informers.of(karpenterKinds.NodeClaim)
  const isolation = processIsolation(deps)
  const log = deps.log.child('static.deprovisioning', { controller: 'static.deprovisioning' })

  const claimCandidate = (claim: NodeClaim): Candidate => {
    if ((claim.status?.providerID ?? '') === '') return { claim, rank: 0, cost: 0 }
    const now = clock.now()
    const pods = (state.byClaimName(claim.metadata.name)?.pods ?? []).filter(isActive)
    const isBlocked = pods.some((pod) => isProtected(pod, now))
    const moving = pods.filter((pod) => !isOwnedByDaemonSet(pod))
    const cost = moving.reduce((sum, pod) => sum + evictionCost(pod), 0) * remainingLife(claim, now)
    if (moving.length === 0 && !isBlocked) return { claim, rank: 1, cost: 0 }
    return { claim, rank: isBlocked ? 3 : 2, cost }
  }

  const remove = async (claim: NodeClaim, signal: AbortSignal): Promise<void> => {
    const name = claim.metadata.name
    try {
      await client.delete(karpenterKinds.NodeClaim, { name }, { signal })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
    state.claims.put(claim.metadata.labels?.[labels.nodePool] ?? '', name, true)
    log.info('deleted nodeclaim of a static nodepool', { NodeClaim: { name } })
  }

  const reconcile = async (name: string, signal: AbortSignal): Promise<Outcome> => {
    const pool = staticPool(deps, name)
    if (pool === undefined) return done()
    const excess = state.claims.counts(name).active - (pool.spec.replicas ?? 0)
    if (excess <= 0) return retryAfter(LOOK_AGAIN)
    // A claim that cannot be read counts as a replica, but Kerf does not delete it.
    const candidates = isolation.readEach('NodeClaim', 'static-pools', claims.values(), (claim) =>
      state.claims.isActive(name, claim.metadata.name) ? [claimCandidate(claim)] : [],
    )
    const chosen = candidates.flat().sort(byRank).slice(0, excess)
    await mapLimit(chosen, PARALLEL, ({ claim }, callSignal) => remove(claim, callSignal), signal)
    return retryAfter(LOOK_AGAIN)
  }

  return {
    name: 'static.deprovisioning',
    reconciles: karpenterKinds.NodePool,
    sources: [
      source(informers.of(karpenterKinds.NodePool), ({ before, after }) =>
        after !== undefined && before?.spec.replicas !== after.spec.replicas ? [after.metadata.name] : [],
      ),
      source(claims, ({ before, after }) => {
        const pool = after?.metadata.labels?.[labels.nodePool]
        return before === undefined && pool !== undefined ? [pool] : []
      }),
    ],
    concurrency: 10,
    reconcile,
  }
}
