import {
  type ConditionChange,
  conditionSets,
  type KubeObject,
  karpenterKinds,
  type Milliseconds,
  type NodeOverlay,
  setCondition,
  validateNodeOverlay,
} from '@kerf/apis'
import type { LabelRules } from '@kerf/engine'
import {
  type Change,
  type Controller,
  isConflict,
  isNotFound,
  mapLimit,
  type Outcome,
  retry,
  retryAfter,
  source,
} from '@kerf/runtime'
import { patchConditions } from '../../condition-patch.ts'
import type { Deps } from '../../deps.ts'
import { isManagedPool } from '../../nodeclaim/ownership.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import { ifReadable } from '../../state/isolation/if-readable.ts'
import { type Isolation, processIsolation } from '../../state/isolation/isolation.ts'
import { evaluateOverlays, type PoolTypes } from './evaluation.ts'
import type { OverlayStore } from './overlay-store.ts'

const EVALUATE_EVERY: Milliseconds = 6 * 3_600_000
const PARALLEL = 10
const TYPE = 'ValidationSucceeded'

const isNews = ({ before, after }: Change<KubeObject>): boolean =>
  before === undefined || after === undefined || before.metadata.generation !== after.metadata.generation

const once = (change: Change<KubeObject>): readonly string[] => (isNews(change) ? [''] : [])

/**
 * Evaluates all overlays for all pools whenever an overlay or a pool changes. Writes the result to the status of each overlay and to the
 * store. `deps.provider` must be the provider without overlays.
 */
export class NodeOverlays {
  readonly #isolation: Isolation
  readonly #overlays
  readonly #pools
  readonly #provider
  readonly #informers
  readonly #vocabulary
  readonly #rules: LabelRules
  readonly #clock
  readonly #client
  readonly #store: OverlayStore
  readonly #state: ClusterState

  constructor(deps: Deps, state: ClusterState, store: OverlayStore, rules: LabelRules) {
    const { informers, provider, client, clock } = deps
    this.#isolation = processIsolation(deps)
    this.#overlays = informers.of(karpenterKinds.NodeOverlay)
    this.#pools = informers.of(karpenterKinds.NodePool)
    this.#vocabulary = provider.vocabulary
    this.#provider = provider
    this.#informers = informers
    this.#rules = rules
    this.#clock = clock
    this.#client = client
    this.#store = store
    this.#state = state
  }

  controller(): Controller {
    return {
      name: 'nodeoverlay.controller',
      sources: [
        source(this.#overlays, once),
        source(this.#pools, once),
        ...this.#provider.nodeClasses.map((kind) => source(this.#informers.of(kind), once)),
      ],
      concurrency: 1,
      singleton: true,
      reconcile: (key, signal) => this.#reconcile(key, signal),
    }
  }

  async #typesOf(signal: AbortSignal, failures: unknown[]): Promise<readonly PoolTypes[]> {
    const managed = [...this.#pools.values()].filter((pool) =>
      this.#isolation.guard('NodePool', 'overlays', pool, () => isManagedPool(this.#provider, pool), false),
    )
    const found = await mapLimit(
      managed,
      PARALLEL,
      async (pool): Promise<PoolTypes | undefined> => {
        try {
          return { pool, types: await this.#provider.instanceTypes(pool, signal) }
        } catch (error) {
          signal.throwIfAborted()
          failures.push(error)
          return undefined
        }
      },
      signal,
    )
    return found.filter((each) => each !== undefined)
  }

  /** Returns the errors of the overlay. An overlay with errors changes nothing. */
  #errorsOf(overlay: NodeOverlay): readonly string[] {
    const unreadable = ['the overlay cannot be read; see the Event ObjectSetAside for the reason']
    const read = (): readonly string[] => validateNodeOverlay(overlay, this.#vocabulary).errors
    return this.#isolation.guard('NodeOverlay', 'overlays', overlay, read, unreadable)
  }

  #verdict(overlay: NodeOverlay, conflicting: ReadonlySet<string>): ConditionChange {
    const errors = this.#errorsOf(overlay)
    if (errors.length > 0) {
      return { type: TYPE, status: 'False', reason: 'RuntimeValidation', message: errors.join('; ') }
    }
    if (!conflicting.has(overlay.metadata.name)) return { type: TYPE, status: 'True' }
    const message = `another overlay of weight ${overlay.spec.weight ?? 0} changes the same price or resource; give one of them another weight`
    return { type: TYPE, status: 'False', reason: 'Conflict', message }
  }

  async #reconcile(_key: string, signal: AbortSignal): Promise<Outcome> {
    const failures: unknown[] = []
    const isStaying = ({ metadata }: NodeOverlay): boolean => metadata.deletionTimestamp === undefined
    const all = [...this.#overlays.values()].filter((overlay) => ifReadable(() => isStaying(overlay)) ?? true)
    const valid = all.filter((overlay) => this.#errorsOf(overlay).length === 0)
    const evaluation = evaluateOverlays(valid, await this.#typesOf(signal, failures), this.#rules, this.#isolation)
    let isOutOfDate = false
    const report = async (overlay: NodeOverlay): Promise<void> => {
      const change = this.#verdict(overlay, evaluation.conflicting)
      const conditions = this.#isolation.guard(
        'NodeOverlay',
        'overlays',
        overlay,
        () => setCondition(conditionSets.NodeOverlay, overlay, change, this.#clock.now()),
        undefined,
      )
      if (conditions === undefined) return
      try {
        await patchConditions(this.#client, karpenterKinds.NodeOverlay, overlay, conditions, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (isConflict(error) || isNotFound(error)) isOutOfDate = true
        else untold.push(error)
      }
    }
    const untold: unknown[] = []
    await mapLimit(all, PARALLEL, report, signal)
    if (isOutOfDate) return retry()
    // An overlay is applied even if its status cannot be written.
    this.#store.replace(evaluation.overlays)
    this.#state.markUnconsolidated()
    if (failures.length > 0) throw new AggregateError([...failures, ...untold], describe(failures))
    if (untold.length > 0)
      throw new AggregateError(
        untold,
        `the status of ${untold.length} overlays could not be written: ${errorText(untold[0])}`,
      )
    return retryAfter(EVALUATE_EVERY)
  }
}

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const describe = (failures: readonly unknown[]): string =>
  `overlays of ${failures.length} nodepools could not be evaluated: ${errorText(failures[0])}`
