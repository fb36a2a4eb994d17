import {
  annotations,
  isConditionTrue,
  karpenterKinds,
  labels,
  type Milliseconds,
  type NodeClaim,
  parseTime,
} from '@kerf/apis'
import { type Controller, done, type Informer, isNotFound, type Outcome, retryAfter, source } from '@kerf/runtime'
import { concurrency, type Deps } from '../../deps.ts'
import { launchedFor } from '../../nodeclaim/launched-for.ts'
import { APPEARS_WITHIN } from '../../pod/placement/expected-places.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import { unusedClaimDeleted } from './events.ts'
import { expectedPodMetrics } from './expected-pod-metrics.ts'
import type { LaunchedAhead } from './launched-ahead.ts'

const LOOK_AGAIN: Milliseconds = 10_000

/** A NodeClaim that Kerf deletes if no expected pod appears. */
export interface UnusedClaim {
  readonly nodeClaim: string
  readonly nodePool: string
  /** The earliest time of the deletion. */
  readonly at: Milliseconds
}

/**
 * Deletes NodeClaims that were launched for expected pods if no pod has ever run on them and none is planned for them
 * (`docs/spec/expected-pods.md#unused-nodes`). Ignores `consolidateAfter` and budgets, because the node exists only because of a wrong
 * forecast.
 */
export class UnusedClaims {
  readonly #deps: Deps
  readonly #state: ClusterState
  readonly #claims: Informer<NodeClaim>
  readonly #ahead: LaunchedAhead
  readonly #metrics
  /**
   * When this process became leader. It has no access to the plans of an earlier leader, so it must first plan the expected pods itself.
   */
  #leadsSince: Milliseconds
  /** When pods were last known to be planned for a claim, keyed by claim name. */
  readonly #plannedAt = new Map<string, Milliseconds>()

  constructor(deps: Deps, state: ClusterState, ahead: LaunchedAhead) {
    this.#deps = deps
    this.#state = state
    this.#claims = deps.informers.of(karpenterKinds.NodeClaim)
    this.#ahead = ahead
    this.#metrics = expectedPodMetrics.register(deps.metrics)
    this.#leadsSince = deps.clock.now()
  }

  /** Returns the claims that Kerf deletes if no pod appears. */
  next(): readonly UnusedClaim[] {
    return [...this.#claims.values()].flatMap((claim) => {
      const { name, labels: own } = claim.metadata
      if (launchedFor(claim).length === 0 || !this.#ahead.isUnused(claim) || this.#awaitsPods(claim)) return []
      if (this.#isProtected(claim)) return []
      return [{ nodeClaim: name, nodePool: own?.[labels.nodePool] ?? '', at: this.#due(claim) }]
    })
  }

  controller(): Controller {
    return {
      name: 'nodeclaim.expectedpods',
      sources: [
        source(this.#claims, ({ before, after }) => {
          const either = after ?? before
          return either === undefined || launchedFor(either).length === 0 ? [] : [either.metadata.name]
        }),
      ],
      subscribe: () => {
        this.#leadsSince = this.#deps.clock.now()
        return () => {}
      },
      concurrency: concurrency(this.#deps.settings, 10, 1_000),
      reconcile: (name, signal) => this.#reconcile(name, signal),
    }
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<Outcome> {
    const claim = this.#claims.get(name)
    if (claim === undefined || !this.#ahead.isUnused(claim)) {
      this.#plannedAt.delete(name)
      return done()
    }
    const now = this.#deps.clock.now()
    if (this.#awaitsPods(claim)) {
      this.#plannedAt.set(name, now)
      return retryAfter(LOOK_AGAIN)
    }
    const due = this.#due(claim)
    if (now < due) return retryAfter(due - now)
    if (this.#isProtected(claim)) return retryAfter(APPEARS_WITHIN)
    const preconditions = { uid: claim.metadata.uid ?? '' }
    const { client, events, log } = this.#deps
    try {
      await client.delete(karpenterKinds.NodeClaim, { name }, { preconditions, signal })
    } catch (error) {
      if (!isNotFound(error)) throw error
      return done()
    }
    this.#metrics.removed.inc({ nodepool: claim.metadata.labels?.[labels.nodePool] ?? '' })
    events.publish(unusedClaimDeleted(claim, launchedFor(claim)))
    log.info('deleted nodeclaim, no expected pod was bound to its node', { NodeClaim: { name } })
    return done()
  }

  #due({ metadata }: NodeClaim): Milliseconds {
    const since = Math.max(this.#plannedAt.get(metadata.name) ?? 0, parseTime(metadata.creationTimestamp) ?? 0)
    return Math.max(since + LOOK_AGAIN, this.#leadsSince + APPEARS_WITHIN)
  }

  /** Returns whether an existing or expected pod is planned or nominated for the claim's node. */
  #awaitsPods(claim: NodeClaim): boolean {
    return this.#ahead.awaitsPods(claim) || this.#state.expectedPlaces.count(claim.metadata.name) > 0
  }

  /** Returns whether disruption of the node is not allowed, or the node is already being deleted for another reason. */
  #isProtected(claim: NodeClaim): boolean {
    const node = this.#state.byClaimName(claim.metadata.name)
    return (
      node?.isMarkedForDeletion === true ||
      (node?.annotations ?? claim.metadata.annotations)?.[annotations.doNotDisrupt] === 'true' ||
      isConditionTrue(claim, 'DisruptionReason')
    )
  }
}
