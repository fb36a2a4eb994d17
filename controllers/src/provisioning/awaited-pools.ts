import { isConditionTrue, karpenterKinds, type Milliseconds, type NodePool, READY } from '@kerf/apis'
import type { Deps } from '../deps.ts'
import { isolationOf } from '../isolation/isolation.ts'
import { isManagedPool } from '../node-claims/ownership.ts'
import { NODE_CLASS_UNKNOWN } from '../nodepool/readiness.ts'
import { isStatic } from './launchable-pools.ts'

/**
 * Whether it is still open if a pool may launch nodes: it is not Ready, and none of its conditions says why. That is so
 * from the creation of a pool or its NodeClass, and from an edit of either, until the controllers of both have written
 * their conditions.
 */
const isUndecided = (pool: NodePool): boolean =>
  !isConditionTrue(pool, READY) &&
  !(pool.status?.conditions ?? []).some(
    ({ type, status, reason }) => type !== READY && status === 'False' && reason !== NODE_CLASS_UNKNOWN,
  )

/**
 * NodePools that a pass waits for. A NodePool is often applied together with the pods that need it. A pass that begins
 * before its readiness is known refuses these pods, or launches nodes from pools of lower weight. A pool is waited for
 * no longer than `longest`, so that one whose readiness never becomes known holds pods up only once.
 */
export class AwaitedPools {
  readonly #deps: Pick<Deps, 'clock' | 'informers' | 'log' | 'metrics' | 'provider'>
  readonly #longest: Milliseconds
  /** When a pass first found the pool undecided, by the pool's uid. */
  readonly #since = new Map<string, Milliseconds>()

  constructor(deps: Pick<Deps, 'clock' | 'informers' | 'log' | 'metrics' | 'provider'>, longest: Milliseconds) {
    this.#deps = deps
    this.#longest = longest
  }

  /** The names of the pools to wait for now. Call it whenever a pass could begin: the wait counts from the first call. */
  names(): readonly string[] {
    const { clock, informers, provider } = this.#deps
    const now = clock.now()
    const isAwaited = (pool: NodePool): boolean =>
      isManagedPool(provider, pool) &&
      !isStatic(pool) &&
      pool.metadata.deletionTimestamp === undefined &&
      isUndecided(pool)
    const undecided = isolationOf(this.#deps)
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
