import { karpenterKinds, type NodeClaim } from '@kerf/apis'
import type { Informer } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import { launchedFor } from '../../nodeclaim/launched-for.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import { usedNodes } from './used-nodes.ts'

const BY_OWNER = 'launched-for'

/**
 * Finds the NodeClaims that were launched for expected pods (`docs/spec/expected-pods.md#what-a-claim-says`), and determines whether pods
 * use them.
 */
export class LaunchedAhead {
  readonly #state: ClusterState
  readonly #claims: Informer<NodeClaim>
  readonly #used: ReadonlySet<string>

  constructor({ informers }: Pick<Deps, 'informers'>, state: ClusterState) {
    this.#state = state
    this.#claims = informers.of(karpenterKinds.NodeClaim)
    this.#claims.index(BY_OWNER, launchedFor)
    this.#used = usedNodes(informers)
  }

  /**
   * Returns whether any node that was launched for expected pods of the owner is unused, and no existing pod is planned for it. `owner` has
   * the form `Kind/namespace/name`. `isPlanned` returns whether an existing pod is planned for the NodeClaim with this name. The default
   * uses the plans that have been carried out.
   */
  hasUnused(
    owner: string,
    isPlanned = (claim: string): boolean => this.#state.placements.to(claim).length > 0,
  ): boolean {
    return this.#claims
      .by(BY_OWNER, owner)
      .some((claim) => this.isUnused(claim) && !isPlanned(claim.metadata.name) && !this.#awaitsReplacement(claim))
  }

  /** Returns whether the claim is not being deleted and only daemon pods have ever been bound to its node. */
  isUnused({ metadata, status }: NodeClaim): boolean {
    if (metadata.deletionTimestamp !== undefined || status?.lastPodEventTime !== undefined) return false
    // A pod can be bound to a node before its NodeClaim is registered.
    const node = status?.nodeName ?? this.#state.byClaimName(metadata.name)?.node?.metadata.name
    return node === undefined || !this.#used.has(node)
  }

  /** Returns whether an existing pod, or the replacement of a pod that left, is planned or nominated for the claim's node. */
  awaitsPods(claim: NodeClaim): boolean {
    return this.#state.placements.to(claim.metadata.name).length > 0 || this.#awaitsReplacement(claim)
  }

  #awaitsReplacement({ metadata: { name } }: NodeClaim): boolean {
    return this.#state.awaitsSuccessor(name) || this.#state.byClaimName(name)?.awaitedPod !== undefined
  }
}
