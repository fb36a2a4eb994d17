import { isConditionTrue, karpenterKinds, type Milliseconds, type NodePool, READY } from '@kerf/apis'
import type { Deps } from '../deps.ts'
import { isManagedPool } from '../nodeclaim/ownership.ts'
import { NODE_CLASS_UNKNOWN } from '../nodepool/readiness.ts'
import { isolationOf } from '../state/isolation/isolation.ts'
import { isStatic } from './launchable-pools.ts'

/**
 * Returns whether it is unknown if a pool may launch nodes: the pool is not Ready, and none of its conditions gives a reason.
 * This is the case after the pool or its NodeClass is created or edited, until the controllers of both have written their
 * conditions.
 */
const isUndecided = (pool: NodePool): boolean =>
  !isConditionTrue(pool, READY) &&
  !(pool.status?.conditions ?? []).some(
    ({ type, status, reason }) => type !== READY && status === 'False' && reason !== NODE_CLASS_UNKNOWN,
  )

/**
 * NodePools that a pass waits for. A NodePool is often applied together with the pods that need it. A pass that starts before
 * its readiness is known would refuse these pods, or launch nodes from pools of lower weight. A pass waits at most `longest`
 * for a pool, so a pool whose readiness stays unknown delays pods only once.
 */
export class AwaitedPools {
  readonly #deps: Pick<Deps, 'clock' | 'informers' | 'log' | 'metrics' | 'provider'>
  readonly #longest: Milliseconds
  /** When a pass first found the pool undecided, by the UID of the pool. */
  readonly #since = new Map<string, Milliseconds>()

  constructor(deps: Pick<Deps, 'clock' | 'informers' | 'log' | 'metrics' | 'provider'>, longest: Milliseconds) {
    this.#deps = deps
    this.#longest = longest
  }

  /**
   * Returns the names of the pools to wait for. Call it whenever a pass could start, because the wait is measured from the
   * first call.
   */
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
