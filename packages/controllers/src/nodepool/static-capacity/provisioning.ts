import {
  isConditionTrue,
  karpenterKinds,
  labels,
  type Milliseconds,
  type NodeClaim,
  type NodePool,
  parseQuantity,
  READY,
  toWhole,
} from '@kerf/apis'
import { type Controller, done, mapLimit, type Outcome, retryAfter, source } from '@kerf/runtime'
import { controllerErrors } from '../../controller-errors.ts'
import type { Deps } from '../../deps.ts'
import { isObserving } from '../../modes/observe/observations.ts'
import { readOperations } from '../../modes/pool-operation.ts'
import { CLOCK_RETRY } from '../../nodeclaim/clock-hold.ts'
import { isManagedPool } from '../../nodeclaim/ownership.ts'
import { templateClaim } from '../../nodeclaim/template-claim.ts'
import type { ClaimCreator } from '../../provisioning/claim-creator.ts'
import { isStatic } from '../../provisioning/launchable-pools.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { ClusterSync } from '../../state/cluster-sync.ts'
import { FailedLaunches } from './failed-launches.ts'

const LOOK_AGAIN: Milliseconds = 60_000
const AT_LIMIT: Milliseconds = 30_000
const SYNC_RETRY: Milliseconds = 1_000
/** How soon a pool is checked again while a disruption command has marked some of its claims for deletion. */
const COMMAND_RETRY: Milliseconds = 1_000
const PARALLEL = 20

export interface StaticDeps {
  readonly state: ClusterState
  readonly sync: ClusterSync
  readonly creator: ClaimCreator
}

const isReady = (pool: NodePool | undefined): boolean => pool !== undefined && isConditionTrue(pool, READY)
const isDeleting = (claim: NodeClaim | undefined): boolean => claim?.metadata.deletionTimestamp !== undefined
const isLaunched = (claim: NodeClaim | undefined): boolean => (claim?.status?.providerID ?? '') !== ''

/** Returns the pool if Kerf manages it and it is static, not being deleted, and not in observe mode. Otherwise undefined. */
export const staticPool = (deps: Pick<Deps, 'informers' | 'provider'>, name: string): NodePool | undefined => {
  const pool = deps.informers.of(karpenterKinds.NodePool).get(name)
  if (pool === undefined || !isStatic(pool) || pool.metadata.deletionTimestamp !== undefined) return undefined
  return isManagedPool(deps.provider, pool) && !isObserving(pool) ? pool : undefined
}

/**
 * Creates the missing claims of a static pool, up to `spec.replicas`. Respects `limits.nodes` and the ceilings of the ClusterPolicy
 * (`docs/spec/static-pools-buffers-overlays.md#static-nodepools`).
 */
export class StaticProvisioning {
  readonly #failed = new FailedLaunches()
  readonly #informers
  readonly #clock
  readonly #creator
  readonly #state
  readonly #deps: Deps
  readonly #sync
  readonly #log

  constructor(deps: Deps, { state, sync, creator }: StaticDeps) {
    const { informers, clock } = deps
    this.#log = deps.log.child('static.provisioning', { controller: 'static.provisioning' })
    this.#informers = informers
    this.#clock = clock
    this.#creator = creator
    this.#state = state
    this.#deps = deps
    this.#sync = sync
  }

  controller(): Controller {
    return {
      name: 'static.provisioning',
      reconciles: karpenterKinds.NodePool,
      sources: [
        source(this.#informers.of(karpenterKinds.NodePool), ({ before, after }) => {
          const isResized = before?.spec.replicas !== after?.spec.replicas
          if (isResized) this.#failed.clear((after ?? before)?.metadata.name ?? '')
          const isNews = isResized || (!isReady(before) && isReady(after))
          return after !== undefined && (before === undefined || isNews) ? [after.metadata.name] : []
        }),
        source(this.#informers.of(karpenterKinds.NodeClaim), ({ before, after }) => {
          const pool = (after ?? before)?.metadata.labels?.[labels.nodePool]
          const isNews = after === undefined || (!isDeleting(before) && isDeleting(after))
          if (pool !== undefined && isNews && !isLaunched(after ?? before)) this.#failed.note(pool, this.#clock.now())
          if (pool !== undefined && isLaunched(after) && !isLaunched(before)) this.#failed.clear(pool)
          return pool !== undefined && isNews ? [pool] : []
        }),
      ],
      concurrency: 10,
      reconcile: (key, signal) => this.#reconcile(key, signal),
    }
  }

  async #createOne(pool: NodePool, signal: AbortSignal): Promise<void> {
    const name = pool.metadata.name
    try {
      await this.#creator.create(pool, 'provisioned', (claim) => templateClaim(pool, claim), { signal })
    } finally {
      this.#state.claims.release(name, 1)
    }
  }

  /** Returns how many claims of the pool a disruption command has marked for deletion but has not deleted yet. */
  #markedClaims(name: string): number {
    const claims = this.#informers.of(karpenterKinds.NodeClaim)
    return this.#state.claims.deletingClaims(name).filter((claim) => {
      const stored = claims.get(claim)
      return stored !== undefined && !isDeleting(stored)
    }).length
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<Outcome> {
    const pool = staticPool(this.#deps, name)
    if (pool === undefined || !isReady(pool) || readOperations(pool).cordon !== undefined) return done()
    if (this.#deps.clock.problem !== undefined) return retryAfter(CLOCK_RETRY)
    if (!this.#sync.hasSyncedOnce && !(await this.#sync.synced(signal))) return retryAfter(SYNC_RETRY)
    const replicas = pool.spec.replicas ?? 0
    const { active, pendingDisruption } = this.#state.claims.counts(name)
    if (active + pendingDisruption >= replicas) return retryAfter(LOOK_AGAIN)
    // If the replacement of a marked claim fails, the command keeps the claim, so no replica is missing.
    if (active + pendingDisruption + this.#markedClaims(name) >= replicas) return retryAfter(COMMAND_RETRY)
    const wait = this.#failed.wait(name, this.#clock.now())
    if (wait > 0) return retryAfter(wait)
    const nodes = pool.spec.limits?.['nodes']
    const limit = nodes === undefined ? Number.POSITIVE_INFINITY : toWhole(parseQuantity(nodes))
    const granted = this.#state.claims.reserve(name, limit, replicas - active)
    if (granted === 0) {
      this.#log.info('nodepool is at its node limit', { NodePool: { name }, replicas, limit })
      return retryAfter(AT_LIMIT)
    }
    const failures: unknown[] = []
    await mapLimit(Array.from({ length: granted }), PARALLEL, () =>
      this.#createOne(pool, signal).catch((error: unknown) => failures.push(error)),
    )
    signal.throwIfAborted()
    if (failures.length > 0 && failures.every((error) => controllerErrors.CeilingReached.is(error))) {
      const [ceiling] = failures
      this.#log.info('nodepool is at a ceiling of the clusterpolicy', {
        NodePool: { name },
        replicas,
        created: granted - failures.length,
        ceiling: ceiling instanceof Error ? ceiling.message : '',
      })
      return retryAfter(AT_LIMIT)
    }
    if (failures.length > 0) {
      const why = failures[0] instanceof Error ? failures[0].message : String(failures[0])
      throw new AggregateError(failures, `creating ${failures.length} of ${granted} nodeclaims failed: ${why}`)
    }
    this.#log.info('created nodeclaims for a static nodepool', { NodePool: { name }, nodeclaims: granted })
    return retryAfter(LOOK_AGAIN)
  }
}
