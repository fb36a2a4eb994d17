import { type KubeObject, karpenterKinds, kinds, type Milliseconds } from '@kerf/apis'
import { type LeastCost, leastCostInSteps } from '@kerf/engine'
import { silentLogger } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { launchablePools, poolOptions } from '../provisioning/launchable-pools.ts'
import { provisioningOptions } from '../provisioning/provisioning-options.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { Snapshots } from '../state/snapshot.ts'

/** The lower bound of the cost of the cluster's pods. `starting` means that the controller has not read the cluster yet. */
export type BoundResponse = { readonly at: Milliseconds } & (LeastCost | { readonly kind: 'starting' })

/** How long the result is cached. */
const KEPT: Milliseconds = 60_000

export interface BoundDeps extends Pick<Deps, 'clock' | 'informers' | 'log' | 'metrics' | 'provider' | 'settings'> {
  readonly state: ClusterState
  readonly snapshots: Snapshots
  /** Yields to other work. In production, it waits for the next iteration of the event loop. */
  readonly pause: () => Promise<unknown>
}

/**
 * Computes the bound when a client requests it, at most once a minute. Requests in between get the cached result. The computation runs in
 * the steps of the engine's `leastCostInSteps` and yields between steps, so it does not delay decisions.
 */
export class Bound {
  readonly #deps: BoundDeps
  #known: BoundResponse | undefined
  #underWay: Promise<BoundResponse> | undefined

  constructor(deps: BoundDeps) {
    this.#deps = deps
  }

  async respond(signal: AbortSignal): Promise<BoundResponse> {
    const at = this.#deps.clock.now()
    if (!this.#isRead()) return { at, kind: 'starting' }
    if (this.#known !== undefined && at - this.#known.at < KEPT) return this.#known
    this.#underWay ??= this.#workOut(at).finally(() => {
      this.#underWay = undefined
    })
    const answer = await this.#underWay
    signal.throwIfAborted()
    return answer
  }

  #isRead(): boolean {
    const { informers } = this.#deps
    const { NodeClaim, NodePool } = karpenterKinds
    return [kinds.Pod, kinds.Node, NodeClaim, NodePool].every((kind) => informers.of<KubeObject>(kind).hasSynced)
  }

  /**
   * The computation continues if the first client disconnects, because other clients may be waiting for the result. Errors are also cached.
   */
  async #workOut(at: Milliseconds): Promise<BoundResponse> {
    try {
      this.#known = { at, ...(await this.#leastCost()) }
    } catch (error) {
      this.#deps.log.error('failed computing the lowest cost', { error })
      this.#known = { at, kind: 'none' }
    }
    return this.#known
  }

  async #leastCost(): Promise<LeastCost> {
    const { state, snapshots, pause } = this.#deps
    // The logger is silent, because the provisioner already logs pools that are not ready.
    const deps = { ...this.#deps, log: silentLogger }
    const pools = await poolOptions(deps, launchablePools(deps), new AbortController().signal)
    const pending = [...state.pods.provisionable].filter((pod) => !state.others.serves(pod))
    const options = { ...provisioningOptions(this.#deps, pending.length), planBudget: 0 }
    const steps = leastCostInSteps(snapshots.take(pools), pending, options)
    for (;;) {
      const { done, value } = steps.next()
      if (done === true) return value
      await pause()
    }
  }
}
