import { isConditionTrue, karpenterKinds, type Milliseconds, type NodePool, READY } from '@kerf/apis'
import type { Deps } from '../deps.ts'
import { isManagedPool } from '../nodeclaim/ownership.ts'
import { NODE_CLASS_UNKNOWN } from '../nodepool/readiness.ts'
import { processIsolation } from '../state/isolation/isolation.ts'
import { isStatic } from './launchable-pools.ts'

/**
 * Returns whether it is not known yet if a pool may launch nodes: the pool is not Ready, and none of its conditions gives the reason. This
 * is the case after a user creates or edits the pool or its NodeClass, until the controllers of both have written their conditions.
 */
const isUndecided = (pool: NodePool): boolean =>
  !isConditionTrue(pool, READY) &&
  !(pool.status?.conditions ?? []).some(
    ({ type, status, reason }) => type !== READY && status === 'False' && reason !== NODE_CLASS_UNKNOWN,
  )

/**
 * Finds the NodePools for which a pass must wait. Users often apply a NodePool together with the pods that need it. If a pass started
 * before the NodePool's readiness is known, it would report these pods as unschedulable, or launch nodes from pools of lower weight. A pass
 * waits for a pool at most once, and at most for `longest`.
 */
export class AwaitedPools {
  readonly #deps: Pick<Deps, 'clock' | 'informers' | 'log' | 'metrics' | 'provider'>
  readonly #longest: Milliseconds
  /** When Kerf first noticed that the readiness of a pool was unknown, keyed by pool UID. */
  readonly #since = new Map<string, Milliseconds>()

  constructor(deps: Pick<Deps, 'clock' | 'informers' | 'log' | 'metrics' | 'provider'>, longest: Milliseconds) {
    this.#deps = deps
    this.#longest = longest
  }

  /** Returns the names of the pools to wait for. Call this whenever a pass could start, because the wait begins with the first call. */
  names(): readonly string[] {
    const { clock, informers, provider } = this.#deps
    const now = clock.now()
    const isAwaited = (pool: NodePool): boolean =>
      isManagedPool(provider, pool) &&
      !isStatic(pool) &&
      pool.metadata.deletionTimestamp === undefined &&
      isUndecided(pool)
    const undecided = processIsolation(this.#deps)
      .readEach('NodePool', 'provisioning', informers.of(karpenterKinds.NodePool).values(), (pool) =>
        isAwaited(pool) ? [{ name: pool.metadata.name, uid: pool.metadata.uid ?? '' }] : [],
      )
      .flat()
    const before = new Map(this.#since)
    this.#since.clear()
    const awaited: string[] = []
    for (const { name, uid } of undecided) {
      const since = before.get(uid) ?? now
      this.#since.set(uid, since)
      if (now - since < this.#longest) awaited.push(name)
    }
    return awaited
  }
}
