import { kinds } from '@kerf/apis'
import { coveredShares, type DisruptionReason } from '@kerf/engine'
import { sharedLongTasks } from '@kerf/runtime'
import { PodDisruptionBudgets } from '../../pod/pod-disruption-budgets.ts'
import type { VirtualPods } from '../../provisioning/in-memory-pods.ts'
import { volumeLookup } from '../../provisioning/volume-validation.ts'
import type { ClusterState, MirrorDeps } from '../../state/cluster-state.ts'
import type { Snapshots } from '../../state/snapshot.ts'
import type { PoolBudgets } from '../budgets/pool-budgets.ts'
import type { AssessmentDeps } from '../candidates/assessment.ts'
import { isSameOffer, type OfferedTypes, offeredTypes } from '../candidates/offered-types.ts'
import { giveWay, NODES_PER_TURN } from '../giving-way.ts'
import type { MoveMemory } from '../undone-moves/move-memory.ts'
import { type SharedPools, sharedPools } from '../undone-moves/shared-pools.ts'
import { DisruptionPass } from './disruption-pass.ts'
import { PassBudgets } from './pass-budgets.ts'
import { PassCache, type PassInput } from './pass-cache.ts'
import { PassSimulators } from './pass-simulators.ts'
import { ReadVersion } from './read-version.ts'

export interface PassDeps extends MirrorDeps {
  readonly state: ClusterState
  readonly snapshots: Snapshots
  readonly isQueued: (providerID: string) => boolean
  /** Records the moves that were started. Absent if this is not a running Kerf. */
  readonly memory?: MoveMemory
  /** Pods that reserve capacity for future pods. Present if the feature gate CapacityBuffer is enabled. */
  readonly buffers?: VirtualPods
  /**
   * Returns a promise that resolves when the current pass of the provisioner ends, or undefined if no pass is running. Simulations wait for
   * it.
   */
  readonly provisioning?: () => Promise<void> | undefined
}

/**
 * The maximum number of times that nodes are assessed ahead of a pass if PodDisruptionBudgets keep changing. After that, the pass itself
 * assesses the remaining nodes.
 */
const MOST_ROUNDS = 3

/** Starts disruption passes. A pass reads the cluster once, and all its disruption methods use that state. */
export class DisruptionPasses {
  readonly cache = new PassCache()
  readonly #deps: PassDeps
  readonly #assessment: AssessmentDeps
  readonly #budgets: PassBudgets
  readonly #simulators: PassSimulators
  readonly #version: ReadVersion
  #types: OfferedTypes = new Map()

  constructor(deps: PassDeps) {
    const { state, snapshots, isQueued, buffers } = deps
    this.#deps = deps
    const budgets = new PodDisruptionBudgets(deps.informers, state.isolation)
    this.#assessment = { state, budgets, isQueued, nodeOverheadCost: deps.settings.nodeOverheadCost }
    this.#budgets = new PassBudgets(deps, state)
    this.#simulators = new PassSimulators({
      ...{ ...deps, state, snapshots, budgets },
      volumes: volumeLookup(deps.informers),
      vocabulary: deps.provider.vocabulary,
      ...(buffers === undefined ? {} : { buffers }),
    })
    this.#version = new ReadVersion(deps, state)
  }

  /** Returns the remaining budgets of each pool for this reason. If `gone` is set, the nodes in `gone` count as already deleted. */
  budgets(reason: DisruptionReason, gone?: ReadonlySet<string>): PoolBudgets {
    return this.#budgets.for(reason, gone)
  }

  /** Returns the group of each pool: the pools that currently run the same workloads, and their total price. */
  sharedPools(types: OfferedTypes): ReadonlyMap<string, SharedPools> {
    const { informers, settings, state } = this.#deps
    const { nodeOverheadCost } = settings
    return sharedPools({
      nodes: state.nodes(),
      pods: informers.of(kinds.Pod).values(),
      types,
      nodeOverheadCost,
      covered: coveredShares(state.commitments.current()),
      isolation: state.isolation,
    })
  }

  /** Returns the input of a pass that would start now. `types` stays the same object until a pool or its instance types change. */
  async input(signal: AbortSignal): Promise<PassInput> {
    const types = await offeredTypes(this.#deps, signal)
    await this.#deps.state.loadPolicies(signal)
    if (!isSameOffer(this.#types, types)) this.#types = types
    return { version: this.#version.now, types: this.#types }
  }

  /** Reads the cluster and starts a pass. If nothing has changed since the previous pass, the new pass reuses the findings of that pass. */
  async begin(signal: AbortSignal): Promise<DisruptionPass> {
    for (let round = 0; round < MOST_ROUNDS && (await this.#assessAhead(signal)); ) round++
    const input = await this.input(signal)
    const { types } = input
    const deps = this.#deps
    const { memory, state, provisioning } = deps
    const made = (): DisruptionPass =>
      new DisruptionPass({
        ...{ deps, state, types, cache: this.cache },
        assessment: this.#assessment,
        budgets: (reason) => this.#budgets.for(reason),
        sharedPools: () => this.sharedPools(types),
        simulators: this.#simulators,
        findings: this.cache.findingsFor(input) ?? { singleNode: new Map(), isSettling: false },
        ...(memory === undefined ? {} : { memory }),
        ...(provisioning === undefined ? {} : { provisioning }),
      })
    const pass = sharedLongTasks(deps).run('disruption.assessment', made)
    this.cache.keepFindings(input, pass)
    return pass
  }

  /**
   * Assesses a large cluster a few nodes at a time, so that decisions about pending pods are not delayed. When the pass starts, it assesses
   * only the nodes that have changed since. Returns true if a PodDisruptionBudget or the instance types have changed, because all nodes
   * must then be assessed again.
   */
  async #assessAhead(signal: AbortSignal): Promise<boolean> {
    const { clock, state, provisioning } = this.#deps
    const { budgets } = this.#assessment
    const nodes = [...state.nodes()]
    if (nodes.length <= NODES_PER_TURN) return false
    const { types } = await this.input(signal)
    const { version } = budgets
    for (let place = 0; place + NODES_PER_TURN < nodes.length; place += NODES_PER_TURN) {
      for (const node of nodes.slice(place, place + NODES_PER_TURN))
        this.cache.assessment(node, types, this.#assessment, clock.now())
      await giveWay(clock, provisioning, signal)
    }
    await this.input(signal)
    return budgets.version !== version || this.#types !== types
  }
}
