import { type KubeObject, karpenterKinds, kinds, type Milliseconds } from '@kerf/apis'
import { type LeastCost, leastCostInSteps } from '@kerf/engine'
import { silentLogger } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { launchablePools, poolOptions } from '../provisioning/launchable-pools.ts'
import { provisioningOptions } from '../provisioning/provisioning-options.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { Snapshots } from '../state/snapshot.ts'

/** What the pods of the cluster would cost at the least. `starting`: the controller has not read the cluster yet. */
export type BoundResponse = { readonly at: Milliseconds } & (LeastCost | { readonly kind: 'starting' })

/** How long an answer is good enough. */
const KEPT: Milliseconds = 60_000

type BoundDeps = Pick<Deps, 'clock' | 'informers' | 'log' | 'metrics' | 'provider' | 'settings'>

export interface BoundParts {
  readonly state: ClusterState
  readonly snapshots: Snapshots
  /** Lets everything else go first: the next turn of the event loop, in a process. */
  readonly pause: () => Promise<unknown>
}

/**
 * Works out the bound when somebody asks, at most once a minute, for all who ask meanwhile. It is worked out in steps, and whatever else
 * has to be done is done between two of them, so no decision waits for it. `costBound` of the engine says what
 * a step is.
 */
export class Bound {
  readonly #deps: BoundDeps
  readonly #parts: BoundParts
  #known: BoundResponse | undefined
  #underWay: Promise<BoundResponse> | undefined

  constructor(deps: BoundDeps, parts: BoundParts) {
    this.#deps = deps
    this.#parts = parts
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

  /** Goes on when who asked first is gone: others may wait for the same. A failure is kept as long as an answer. */
  async #workOut(at: Milliseconds): Promise<BoundResponse> {
    try {
      this.#known = { at, ...(await this.#leastCost()) }
    } catch (error) {
      this.#deps.log.error('failed working out the least cost', { error })
      this.#known = { at, kind: 'none' }
    }
    return this.#known
  }

  async #leastCost(): Promise<LeastCost> {
    const { state, snapshots, pause } = this.#parts
    // Which pools are not ready is complained of by who launches from them.
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
