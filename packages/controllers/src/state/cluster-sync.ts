import {
  findCondition,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type NodeClaim,
  type ResourceKind,
} from '@kerf/apis'
import { defineMetrics, isNotFound, sleep } from '@kerf/runtime'
import { isManagedClaim } from '../nodeclaim/ownership.ts'
import type { ClusterState, StateDeps } from './cluster-state.ts'
import { isUnjoinable } from './joined-nodes.ts'

const RETRY_EVERY: Milliseconds = 1_000
/**
 * How long a created claim may be missing in the informer before Kerf asks the API server. If the API server does not have it either, it
 * was never stored or has been deleted.
 */
const UNSEEN_AFTER: Milliseconds = 15_000
const COMPLAIN_AFTER: Milliseconds = 30_000
/** The maximum time that decisions wait for the instance of one claim. A launch that takes longer has most likely failed. */
const LONGEST_WAIT: Milliseconds = 30_000
const COMPLAIN_EVERY: Milliseconds = 10_000
const PAGE = 500

export const clusterSyncMetrics = defineMetrics({
  synced: {
    name: 'karpenter_cluster_state_synced',
    type: 'gauge',
    help: '1 when the cluster state in memory has every Node and NodeClaim, else 0.',
  },
  unsynced: {
    name: 'karpenter_cluster_state_unsynced_time_seconds',
    type: 'gauge',
    help: 'How long the cluster state has not been synced; 0 while it is.',
  },
  leftOut: {
    name: 'kerf_cluster_state_left_out_nodeclaims',
    type: 'gauge',
    help: 'NodeClaims without an instance for which decisions no longer wait; the log names each.',
  },
  nodes: {
    name: 'karpenter_cluster_state_node_count',
    type: 'gauge',
    help: 'Nodes and launched NodeClaims in the cluster state.',
  },
})

/**
 * Determines whether cluster state contains all capacity that exists or is being launched
 * (`docs/spec/cluster-state.md#when-state-is-complete`). Until then, Kerf must not launch anything, because it would launch missing
 * capacity a second time.
 */
export class ClusterSync {
  readonly #deps: StateDeps
  readonly #state: ClusterState
  readonly #gauges
  #hasSynced = false
  #unsyncedSince: Milliseconds | undefined
  #complainedAt: Milliseconds = 0

  constructor(deps: StateDeps, state: ClusterState) {
    this.#deps = deps
    this.#state = state
    const { metrics } = deps
    this.#gauges = clusterSyncMetrics.register(metrics)
    // Measures the gauges at each scrape, because `synced` might not be called for a long time.
    metrics.onScrape(() => this.#measure())
  }

  /** Whether cluster state has matched the API server at least once. */
  get hasSyncedOnce(): boolean {
    return this.#hasSynced
  }

  /**
   * Returns whether cluster state is currently complete. Returns false if the API server must be listed and does not respond. Throws only
   * if aborted.
   */
  async synced(signal: AbortSignal): Promise<boolean> {
    await this.#checkUnseen(signal)
    for (const claim of this.#state.leaveOutOverdue(LONGEST_WAIT)) this.#nameLeftOut(claim)
    const { unlaunched, ceilings, poolPolicies } = this.#state
    const isReady = unlaunched.size === 0 && ceilings.isKnown && poolPolicies.isKnown
    const isSynced = isReady && (this.#hasSynced || (await this.#matchesApi(signal)))
    if (isSynced) this.#hasSynced = true
    this.#report(isSynced)
    return isSynced
  }

  /** Resolves as soon as cluster state is complete. Rejects if aborted. */
  async waitUntilSynced(signal: AbortSignal): Promise<void> {
    while (!(await this.synced(signal))) {
      signal.throwIfAborted()
      await this.#nextChance(signal)
    }
  }

  async #nextChance(signal: AbortSignal): Promise<void> {
    const either = new AbortController()
    const launched = new Promise<void>((resolve) => {
      const stop = this.#state.onAllLaunched(resolve)
      either.signal.addEventListener('abort', stop, { once: true })
    })
    const waited = sleep(this.#deps.clock, RETRY_EVERY, AbortSignal.any([signal, either.signal]))
    try {
      await Promise.race([launched, waited])
    } finally {
      waited.catch(() => {})
      either.abort()
    }
  }

  /**
   * Removes claims that this process created, that the informer has never shown, and that do not exist in the API server. The informer
   * would never report their deletion. If the API server does not respond, the next call tries again.
   */
  async #checkUnseen(signal: AbortSignal): Promise<void> {
    const { client, clock, log } = this.#deps
    for (const [name, since] of [...this.#state.unseen]) {
      if (clock.now() - since < UNSEEN_AFTER) continue
      try {
        await client.get(karpenterKinds.NodeClaim, { name }, { signal })
      } catch (error) {
        signal.throwIfAborted()
        if (isNotFound(error)) this.#state.forgetUnseen(name)
        else log.debug('looking for a nodeclaim', { NodeClaim: { name }, error })
      }
    }
  }

  /**
   * Returns whether cluster state lacks the object. An unreadable object does not count as missing, because it must not delay decisions.
   */
  #isMissing(kind: string, object: KubeObject, isMissing: () => boolean): boolean {
    const { isolation } = this.#state
    return isolation.guard(kind, 'state', object, isMissing, false) && !this.#state.isUnreadable(object.metadata.name)
  }

  /** Compares cluster state with the API server once, because the informers may have started from an outdated cache. */
  async #matchesApi(signal: AbortSignal): Promise<boolean> {
    const { client, provider, log } = this.#deps
    try {
      for (const claim of await listAll(client, karpenterKinds.NodeClaim, signal)) {
        const isMissing = (): boolean =>
          isManagedClaim(provider, claim) && !this.#state.tracksClaim(claim.metadata.name)
        if (this.#isMissing('NodeClaim', claim, isMissing)) return false
      }
      for (const node of await listAll(client, kinds.Node, signal)) {
        const isMissing = (): boolean => !isUnjoinable(node) && !this.#state.tracksNode(node.metadata.name)
        if (this.#isMissing('Node', node, isMissing)) return false
      }
      return true
    } catch (error) {
      signal.throwIfAborted()
      log.error('failed checking cluster state sync', { error })
      return false
    }
  }

  /**
   * Logs one line for each claim that decisions no longer wait for. The claim's Launched condition and its Events contain the provider's
   * message.
   */
  #nameLeftOut(claim: NodeClaim): void {
    const launched = findCondition(claim, 'Launched')
    this.#deps.log.error(
      'nodeclaim has no instance; decisions no longer wait for it, and the pods planned for it stay pending',
      {
        NodeClaim: { name: claim.metadata.name },
        NodePool: { name: claim.metadata.labels?.[labels.nodePool] },
        waited: `${LONGEST_WAIT / 1_000}s`,
        reason: launched?.reason,
        message: launched?.message,
      },
    )
  }

  #measure(): void {
    this.#gauges.leftOut.set(this.#state.leftOut.size)
    this.#gauges.nodes.set(this.#state.nodeCount)
    const since = this.#unsyncedSince
    this.#gauges.unsynced.set(since === undefined ? 0 : (this.#deps.clock.now() - since) / 1000)
  }

  #report(isSynced: boolean): void {
    const now = this.#deps.clock.now()
    this.#gauges.synced.set(isSynced ? 1 : 0)
    this.#unsyncedSince = isSynced ? undefined : (this.#unsyncedSince ?? now)
    this.#measure()
    if (this.#unsyncedSince === undefined) return
    const span = now - this.#unsyncedSince
    if (span <= COMPLAIN_AFTER || now - this.#complainedAt < COMPLAIN_EVERY) return
    this.#complainedAt = now
    this.#deps.log.error('cluster state has not synced for a while', {
      duration: `${Math.round(span / 1000)}s`,
      unlaunched: [...this.#state.unlaunched].slice(0, 5),
    })
  }
}

const listAll = async <T extends KubeObject>(
  client: StateDeps['client'],
  kind: ResourceKind<T>,
  signal: AbortSignal,
): Promise<readonly T[]> => {
  const items: T[] = []
  let token: string | undefined
  do {
    const page = await client.list(kind, { limit: PAGE, signal, ...(token === undefined ? {} : { continue: token }) })
    items.push(...page.items)
    token = page.metadata.continue === '' ? undefined : page.metadata.continue
  } while (token !== undefined)
  return items
}
